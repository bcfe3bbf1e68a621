import { z } from 'zod';
import { MAX_COLOR_TOLERANCE, MAX_QUERY_COLORS, parseHexColor } from '../domain/color.ts';
import type { ScreenFilter } from '../domain/query.ts';
import { parsePlatform, PLATFORMS } from '../domain/vocabulary.ts';

const MAX_ID_CHARACTERS = 200;
const MAX_PATTERNS = 20;
const MAX_EXCLUDED = 200;

export const idArgument = z.string().trim().min(1).max(MAX_ID_CHARACTERS);

export const platformArgument = z
  .string()
  .refine((value) => parsePlatform(value) !== undefined, `must be one of ${PLATFORMS.join(', ')}`)
  .optional()
  .describe('IOS, ANDROID or WEB.');

/** Filters that several tools share. */
export const filterArguments = {
  appId: idArgument.optional().describe('Only this app.'),
  pattern: z
    .array(z.string().trim().min(1).max(100))
    .max(MAX_PATTERNS)
    .optional()
    .describe('UI patterns, any of them, e.g. ["paywall","pricing"].'),
  platform: platformArgument,
  colors: z
    .array(
      z.string().refine((value) => parseHexColor(value) !== undefined, 'must be a colour such as #1A73E8'),
    )
    .max(MAX_QUERY_COLORS)
    .optional()
    .describe('Hex colours, e.g. ["#1A73E8"]; a screen must have all of them among its dominant colours.'),
  colorTolerance: z
    .number()
    .min(0)
    .max(MAX_COLOR_TOLERANCE)
    .optional()
    .describe('How far a colour may differ, 0 (exact) to 50; 10 if absent.'),
  excludeIds: z.array(idArgument).max(MAX_EXCLUDED).optional().describe('Screens already seen.'),
};

type FilterArguments = z.output<z.ZodObject<typeof filterArguments>>;

export function toFilter(args: FilterArguments): ScreenFilter {
  const { appId, pattern, colorTolerance, excludeIds } = args;
  const platform = args.platform === undefined ? undefined : parsePlatform(args.platform);
  const colors = args.colors?.flatMap((color) => parseHexColor(color) ?? []);
  return given({ appId, pattern, platform, colors, colorTolerance, excludeIds });
}

const MAX_CURSOR_CHARACTERS = 1000;

export const cursorArgument = z
  .string()
  .max(MAX_CURSOR_CHARACTERS)
  .optional()
  .describe('nextCursor of the previous answer, all other arguments the same.');

/** The members of an object that are not undefined, for functions that take absent members only. */
export function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}
