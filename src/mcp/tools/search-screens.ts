import { z } from 'zod';
import { findScreens, type FindAnswer } from '../../library/find-screens.ts';
import { answerWithinSize } from '../answer-size.ts';
import { cursorArgument, filterArguments, given, toFilter } from '../arguments.ts';
import { detailArgument, foundLine, foundScreenSchema, showFound } from '../screen-text.ts';
import { defineTool } from '../tool.ts';

const DEFAULT_HITS = 10;
const MAX_HITS = 50;

const input = z.object({
  query: z
    .string()
    .max(500)
    .optional()
    .describe('What the screen is for or says, in plain words. "Quoted" words must appear together.'),
  mode: z
    .enum(['hybrid', 'semantic', 'text'])
    .default('hybrid')
    .describe('hybrid: words and meaning; semantic: meaning alone; text: every word must be on the screen.'),
  ...filterArguments,
  maxPerApp: z
    .number()
    .int()
    .min(1)
    .max(MAX_HITS)
    .optional()
    .describe('At most this many of one app, for variety.'),
  minScore: z.number().min(0).max(1).optional().describe('Leave out weaker hits.'),
  limit: z.number().int().min(1).max(MAX_HITS).default(DEFAULT_HITS),
  cursor: cursorArgument,
  detail: detailArgument,
});

const output = z.object({
  screens: z.array(foundScreenSchema),
  total: z.number().nullable().describe('Exact; null for a ranking by meaning, which has no end.'),
  nextCursor: z.string().nullable(),
  missing: z.array(z.string()).describe('Parts of the search that are down; the answer is without them.'),
  hint: z.string().optional(),
});

export const searchScreensTool = defineTool({
  name: 'search_screens',
  title: 'Search screens',
  description:
    'Find app screens (paywalls, onboarding, empty states, checkouts, settings …) by meaning, words on screen, UI pattern, platform, app and colour. Without query: the newest screens that pass the filters, with the exact total. Each hit has a score (0–1) and what matched (text, meaning, colour); near-duplicates are folded into one. Then look at the best with view_screens.',
  input,
  output,
  run: (args, { library }) =>
    answerWithinSize(args.limit, async (limit) => {
      const { query, mode, maxPerApp, minScore, cursor, detail } = args;
      const answer = await findScreens(library, {
        mode,
        filter: toFilter(args),
        limit,
        ...given({ query, maxPerApp, minScore, cursor }),
      });
      const { hits, total, nextCursor, missing } = answer;
      const hint = hits.length === 0 ? hintFor(args) : undefined;
      const screens = hits.map((hit) => showFound(hit, detail));
      return {
        text: describe(answer, hint, detail),
        structured: { screens, total, nextCursor, missing, ...given({ hint }) },
      };
    }),
});

function describe(answer: FindAnswer, hint: string | undefined, detail: 'compact' | 'full'): string {
  const { hits, total, missing, nextCursor } = answer;
  const down = missing.map((part) => `Search by ${part} is down at the moment; this answer is without it.`);
  if (hits.length === 0) return [...down, `No screen matches. ${hint ?? ''}`.trim()].join('\n');
  const count = total === null ? `${hits.length} screens, best first` : `${hits.length} of ${total} screens`;
  const lines = hits.map((hit, index) => foundLine(hit, index + 1, detail));
  const more = nextCursor === null ? [] : [`More with cursor ${nextCursor}`];
  return [...down, `${count}:`, ...lines, ...more].join('\n');
}

function hintFor(args: z.output<typeof input>): string {
  const filters = (['appId', 'pattern', 'platform', 'colors', 'excludeIds'] as const).filter(
    (name) => args[name] !== undefined,
  );
  if (args.minScore !== undefined) return 'Try a lower minScore.';
  if (filters.length > 0) {
    return `Try fewer filters; given were ${filters.join(', ')}. list_filters tells the values there are.`;
  }
  if (args.mode === 'text')
    return 'In text mode every word must be on the screen; try fewer words, or mode hybrid.';
  return 'Try other words for what the screen is for, or list_filters for the patterns there are.';
}
