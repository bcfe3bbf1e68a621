import { completable, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Completions } from './completions.ts';
import { VITRINE_ICON } from './icons.ts';

const word = z.string().trim().min(1).max(200);

/** Research jobs that people ask for again and again, as requests that lead through the tools. */
export function registerPrompts(server: McpServer, complete: Completions): void {
  server.registerPrompt(
    'survey_pattern',
    {
      title: 'Survey a UI pattern',
      description: 'How apps of the library do one pattern: what is common, what stands out, what to take.',
      icons: VITRINE_ICON,
      argsSchema: z.object({
        pattern: completable(word.describe('UI pattern, e.g. paywall'), complete.pattern),
        platform: completable(word.describe('IOS, ANDROID or WEB'), complete.platform).optional(),
      }),
    },
    ({ pattern, platform }) =>
      request(`Survey the UI pattern "${pattern}"${platform === undefined ? '' : ` on ${platform}`} in Vitrine.
1. search_screens with pattern ["${pattern}"]${platform === undefined ? '' : ` and platform ${platform}`}, maxPerApp 2, limit 24; say how many there are in all.
2. view_screens on the hits, eight at a time.
3. Report: what nearly all do, the variants with who does each, two or three that stand out and why, and what to avoid. Cite every screen by id. Judge only what you have looked at.`),
  );

  server.registerPrompt(
    'compare_apps',
    {
      title: 'Compare flows of apps',
      description: 'One kind of journey in several apps, step by step, side by side.',
      icons: VITRINE_ICON,
      argsSchema: z.object({
        type: completable(word.describe('Kind of flow, e.g. onboarding'), complete.flowType),
        apps: completable(word.describe('App ids, separated by commas'), complete.appIds).optional(),
      }),
    },
    ({ type, apps }) =>
      request(`Compare ${type} flows ${apps === undefined ? 'of different apps' : `of these apps: ${apps}`} in Vitrine.
1. search_flows with type "${type}"${apps === undefined ? '' : ', once for each appId'}; choose at most four flows${apps === undefined ? ' of different apps' : ''}.
2. compare_flows on them, then view_screens on the ids of rows that differ.
3. Report: the number of steps of each, steps that all share, steps that only some have and what they are good for, where each asks for commitment (account, permission, payment), and which order works best. Cite screens and flows by id.`),
  );

  server.registerPrompt(
    'colour_board',
    {
      title: 'Board by colour',
      description: 'Screens that use a colour well, as a mood board with notes.',
      icons: VITRINE_ICON,
      argsSchema: z.object({
        color: completable(word.describe('Hex colour, e.g. #7C3AED'), complete.color),
        pattern: completable(word.describe('Only this UI pattern'), complete.pattern).optional(),
      }),
    },
    ({ color, pattern }) =>
      request(`Make a mood board of screens in ${color} from Vitrine.
1. search_screens with colors ["${color}"]${pattern === undefined ? '' : `, pattern ["${pattern}"]`}, maxPerApp 2, limit 16. Fewer than six: raise colorTolerance to 15, then 20.
2. view_screens on the best, eight at a time.
3. For each: what the colour is used for (background, action, accent), what it is paired with (dominantColors from get_screen), and the contrast. Close with three rules for using it. Cite screens by id.`),
  );

  server.registerPrompt(
    'review_my_screen',
    {
      title: 'Review my screen',
      description: 'Your screenshot beside screens of the library that do the same job.',
      icons: VITRINE_ICON,
      argsSchema: z.object({
        purpose: word.describe('What the screen is for, in plain words'),
        platform: completable(word.describe('IOS, ANDROID or WEB'), complete.platform).optional(),
      }),
    },
    ({ purpose, platform }) =>
      request(`Review my screen against Vitrine. It is for: ${purpose}. I attach a screenshot; ask me for it if it is missing.
1. search_screens with query "${purpose}"${platform === undefined ? '' : `, platform ${platform}`}, maxPerApp 1; and, if you can hand over the picture, find_similar_screens with image, by layout.
2. view_screens on the six best.
3. Report: what mine has that they have not, what they have that mine has not, hierarchy, wording of the main action, density and contrast beside theirs; then the three changes that matter most. Cite screens by id.`),
  );
}

function request(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
}
