import { z } from 'zod';
import { listVocabulary, type Counted, type Vocabulary } from '../../library/list-vocabulary.ts';
import { answerWithinSize } from '../answer-size.ts';
import { defineTool } from '../tool.ts';

const KINDS = ['patterns', 'flowTypes', 'apps', 'platforms', 'colors'] as const;
const DEFAULT_VALUES = 50;
const MAX_VALUES = 300;

const input = z.object({
  of: z.array(z.enum(KINDS)).min(1).optional().describe('Only these lists; all if absent.'),
  contains: z.string().trim().min(1).max(100).optional().describe('Only values or names that contain this.'),
  limit: z.number().int().min(1).max(MAX_VALUES).default(DEFAULT_VALUES).describe('Values of each list.'),
});

const listSchema = z.object({
  values: z.array(z.object({ value: z.string(), name: z.string().optional(), count: z.number() })),
  total: z.number().describe('How many values there are in all.'),
});
const output = z.object({
  patterns: listSchema.optional(),
  flowTypes: listSchema.optional(),
  apps: listSchema.optional(),
  platforms: listSchema.optional(),
  colors: listSchema.optional(),
});

const HEADS: Record<(typeof KINDS)[number], string> = {
  patterns: 'Patterns (screens)',
  flowTypes: 'Flow types (flows)',
  apps: 'Apps (screens)',
  platforms: 'Platforms (screens)',
  colors: 'Colours (screens within the default tolerance; any other hex may be asked for too)',
};

export const listFiltersTool = defineTool({
  name: 'list_filters',
  title: 'List what can be filtered by',
  description:
    'The vocabulary of the library with exact counts: UI patterns, flow types, apps, platforms, colours, most frequent first. Use it to answer "how many", to learn the spelling of a pattern or app before filtering, and when a search found nothing.',
  input,
  output,
  async run(args, { library }) {
    const vocabulary = await listVocabulary(library);
    const kinds = KINDS.filter((kind) => args.of?.includes(kind) ?? true);
    const matching = kinds.map((kind) => ({ kind, values: select(vocabulary, kind, args.contains) }));
    return answerWithinSize(args.limit, async (limit) => {
      const lists = matching.map(({ kind, values }) => ({ kind, values, shown: values.slice(0, limit) }));
      return {
        text: lists.map(describe).join('\n'),
        structured: Object.fromEntries(
          lists.map(({ kind, values, shown }) => [kind, { values: shown, total: values.length }]),
        ),
      };
    });
  },
});

function select(vocabulary: Vocabulary, kind: (typeof KINDS)[number], contains?: string): Counted[] {
  const part = contains?.toLowerCase();
  return vocabulary[kind].filter(
    ({ value, name }) =>
      part === undefined || value.toLowerCase().includes(part) || name?.toLowerCase().includes(part) === true,
  );
}

function describe({
  kind,
  values,
  shown,
}: {
  kind: (typeof KINDS)[number];
  values: Counted[];
  shown: Counted[];
}): string {
  const listed = shown.map(
    ({ value, name, count }) => `${value}${name === undefined ? '' : ` (${name})`} ${count}`,
  );
  const left = values.length - shown.length;
  const rest = left === 0 ? '' : ` … and ${left} more; narrow with contains or raise limit`;
  return `${HEADS[kind]}, ${values.length}: ${listed.join(', ') || 'none'}${rest}`;
}
