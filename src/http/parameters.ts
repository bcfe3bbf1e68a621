import { z } from 'zod';
import {
  MAX_COLOR_TOLERANCE,
  DEFAULT_COLOR_TOLERANCE,
  MAX_QUERY_COLORS,
  parseHexColor,
} from '../domain/color.ts';
import { PLATFORMS, parsePlatform } from '../domain/vocabulary.ts';
import { isCursor } from '../library/cursor.ts';
import { DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS } from '../library/list-screens.ts';

const MAX_NAME_CHARACTERS = 200;
const MAX_QUERY_CHARACTERS = 500;
const MAX_PATTERNS = 20;
/** A cursor holds an id and a time, in base64url. */
const MAX_CURSOR_CHARACTERS = 2000;

const text = (maximum: number) =>
  z.string().max(maximum, { error: `must be at most ${maximum} characters long`, abort: true });

/** What is text in a query string is a number to those who read the description. */
const asNumber =
  (shape: { type: 'integer' | 'number'; minimum: number; maximum: number; default: number }) =>
  ({ jsonSchema }: { jsonSchema: object }) => {
    Object.assign(jsonSchema, shape, { pattern: undefined });
  };

export const appId = text(MAX_NAME_CHARACTERS)
  .exactOptional()
  .meta({ description: 'Only of this app. An unknown app gives an empty list.' });

export const type = text(MAX_NAME_CHARACTERS).exactOptional().meta({
  description:
    'Only flows of this kind, in any spelling (`Check out`, `check-out`). An unknown kind gives an empty list.',
});

export const platform = z
  .string()
  .transform((value, context) => {
    const found = parsePlatform(value);
    if (found === undefined) context.addIssue(`must be one of ${PLATFORMS.join(', ')}, in any case`);
    return found ?? z.NEVER;
  })
  .exactOptional()
  .meta({
    description: 'Only on this platform; the case of letters does not matter.',
    override: { enum: [...PLATFORMS] },
  });

export const pattern = z
  .array(text(MAX_NAME_CHARACTERS))
  .max(MAX_PATTERNS, `must be given at most ${MAX_PATTERNS} times`)
  .exactOptional()
  .meta({
    description:
      'Only screens with this UI pattern, in any spelling (`Empty State`, `empty-state`). Repeated: with any of them. An unknown pattern gives an empty list.',
  });

export const colors = z
  .array(z.string())
  .transform((values, context) => {
    const parts = values.flatMap((value) => value.split(',')).filter((part) => part.trim() !== '');
    if (parts.length > MAX_QUERY_COLORS) {
      context.addIssue(`must be at most ${MAX_QUERY_COLORS} colours`);
      return z.NEVER;
    }
    return parts.map((part) => {
      const hex = parseHexColor(part);
      if (hex === undefined) {
        context.addIssue(
          `has "${part.slice(0, 20)}", which is not a colour; six hexadecimal digits such as 1A2B3C are`,
        );
      }
      return hex ?? z.NEVER;
    });
  })
  .exactOptional()
  .meta({
    description:
      'Only screens with EVERY one of these colours near one of their dominant colours. Repeated (`colors=` or `colors[]=`) or separated by commas; six hexadecimal digits in any case, `#` (as `%23`) optional.',
    override: { items: { type: 'string', pattern: '^#?[0-9A-Fa-f]{6}$' }, maxItems: MAX_QUERY_COLORS },
  });

export const colorTolerance = z
  .string()
  .regex(/^\d+(\.\d+)?(e-\d+)?$/i, `must be a number from 0 to ${MAX_COLOR_TOLERANCE}`)
  .transform(Number)
  .refine((value) => value <= MAX_COLOR_TOLERANCE, `must be a number from 0 to ${MAX_COLOR_TOLERANCE}`)
  .exactOptional()
  .meta({
    description:
      'How far a colour may be from the one asked for: 0 is the exact colour, black and white are 100 apart, 10 is clearly the same hue. The distance is Euclidean in OKLab with toe-corrected lightness, times 100.',
    override: asNumber({
      type: 'number',
      minimum: 0,
      maximum: MAX_COLOR_TOLERANCE,
      default: DEFAULT_COLOR_TOLERANCE,
    }),
  });

export const q = text(MAX_QUERY_CHARACTERS).exactOptional().meta({
  description:
    'Free text, matched against captions and the text on the screens. Every word must match; the last one also as the beginning of a word. Small typing errors are forgiven. `"Quoted words"` are matched as a phrase.',
});

export const sort = z.enum(['relevance', 'newest'], 'must be relevance or newest').exactOptional().meta({
  description:
    'Default: `relevance` with `q`, else `newest`. Newest first is stable while screens are added: paging through gives nothing twice and misses nothing. Relevance is a ranking of the moment and can be paged through for the first 1,000.',
});

export const limit = z
  .string()
  .regex(/^\d{1,9}$/, `must be a whole number from 1 to ${MAX_PAGE_ITEMS}`)
  .transform(Number)
  .refine(
    (value) => value >= 1 && value <= MAX_PAGE_ITEMS,
    `must be a whole number from 1 to ${MAX_PAGE_ITEMS}`,
  )
  .exactOptional()
  .meta({
    description: 'How many items a page has.',
    override: asNumber({ type: 'integer', minimum: 1, maximum: MAX_PAGE_ITEMS, default: DEFAULT_PAGE_ITEMS }),
  });

export const cursor = text(MAX_CURSOR_CHARACTERS)
  .refine(isCursor, 'must be nextCursor of the previous page, unchanged')
  .exactOptional()
  .meta({
    description: 'Where the page begins: `nextCursor` of the page before, with the same filters and order.',
  });
