import { z } from 'zod';
import { findScreens, type FindAnswer } from '../../library/find-screens.ts';
import { filterArguments, toFilter } from '../arguments.ts';
import {
  compactScreen,
  compactScreenSchema,
  excerptOf,
  fullScreenSchema,
  screenLine,
} from '../screen-text.ts';
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
  cursor: z
    .string()
    .max(1000)
    .optional()
    .describe('nextCursor of the previous answer, with all other arguments the same.'),
  detail: z
    .enum(['compact', 'full'])
    .default('compact')
    .describe('full adds addresses, size, colours and all the text.'),
});

const found = { score: z.number(), matched: z.array(z.string()), alike: z.array(z.string()).optional() };
const output = z.object({
  screens: z.array(z.union([fullScreenSchema.extend(found), compactScreenSchema.extend(found)])),
  total: z
    .number()
    .nullable()
    .describe('Exact number of matches; null for a ranking by meaning, which has no end.'),
  nextCursor: z.string().nullable(),
  missing: z
    .array(z.enum(['text', 'meaning']))
    .describe('Parts of the search that are down; the answer is without them.'),
  hint: z.string().optional(),
});

export const searchScreensTool = defineTool({
  name: 'search_screens',
  title: 'Search screens',
  description:
    'Find app screens (paywalls, onboarding, empty states, checkouts, settings …) by meaning, words on screen, UI pattern, platform, app and colour. Without query: the newest screens that pass the filters, with the exact total. Each hit has a score (0–1) and what matched (text, meaning, colour); near-duplicates are folded into one. Then look at the best with view_screens.',
  input,
  output,
  async run(args, { library }) {
    const answer = await findScreens(library, {
      mode: args.mode,
      filter: toFilter(args),
      limit: args.limit,
      ...(args.query === undefined ? {} : { query: args.query }),
      ...(args.maxPerApp === undefined ? {} : { maxPerApp: args.maxPerApp }),
      ...(args.minScore === undefined ? {} : { minScore: args.minScore }),
      ...(args.cursor === undefined ? {} : { cursor: args.cursor }),
    });
    const hint = answer.hits.length === 0 ? hintFor(args) : undefined;
    const screens = answer.hits.map(({ screen, score, matched, alike }) => ({
      ...(args.detail === 'full' ? screen : compactScreen(screen)),
      score,
      matched,
      ...(alike.length === 0 ? {} : { alike }),
    }));
    return {
      text: describe(answer, hint),
      structured: {
        screens,
        total: answer.total,
        nextCursor: answer.nextCursor,
        missing: answer.missing,
        ...(hint === undefined ? {} : { hint }),
      },
    };
  },
});

function describe(answer: FindAnswer, hint: string | undefined): string {
  const { hits, total, missing, nextCursor } = answer;
  const down = missing.map((part) => `Search by ${part} is down at the moment; this answer is without it.`);
  if (hits.length === 0) return [...down, `No screen matches. ${hint ?? ''}`.trim()].join('\n');
  const count = total === null ? `${hits.length} screens, best first` : `${hits.length} of ${total} screens`;
  const lines = hits.map(({ screen, score, matched, alike }, index) => {
    const why = matched.length === 0 ? '' : ` (${matched.join(', ')})`;
    const folded = alike.length === 0 ? '' : ` · also ${alike.join(', ')}`;
    const excerpt = excerptOf(screen);
    return `${index + 1}. ${screenLine(screen)} · ${score.toFixed(2)}${why}${folded}${excerpt === undefined ? '' : `\n   ${excerpt}`}`;
  });
  const more = nextCursor === null ? [] : [`More with cursor ${nextCursor}`];
  return [...down, `${count}:`, ...lines, ...more].join('\n');
}

function hintFor(args: z.output<typeof input>): string {
  const filters = (['appId', 'pattern', 'platform', 'colors', 'excludeIds'] as const).filter(
    (name) => args[name] !== undefined,
  );
  if (args.minScore !== undefined) return 'Try a lower minScore.';
  if (filters.length > 0) return `Try fewer filters; given were ${filters.join(', ')}.`;
  if (args.mode === 'text')
    return 'In text mode every word must be on the screen; try fewer words, or mode hybrid.';
  return 'Try other words for what the screen is for.';
}
