import { z } from 'zod';
import { parsePlatform, parseTimestamp, PLATFORMS, toKebabCase } from '../domain/vocabulary.ts';

const MAX_CAPTION_CHARS = 20_000;
const MAX_NAME_CHARS = 500;
const MAX_WORD_CHARS = 100;
const MAX_PATTERNS = 50;
const MAX_FLOW_SCREENS = 1000;

// Ids stand in addresses and file names unescaped, so they keep to characters that need no escaping there.
const id = z
  .string('must be text')
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._~@-]{0,199}$/,
    'must be 1 to 200 letters, digits and . _ ~ @ -, beginning with a letter or digit',
  );

const line = (maximum: number) =>
  z
    .string('must be text')
    .trim()
    .min(1, 'must not be empty')
    .max(maximum, `must be at most ${maximum} characters`);

const word = line(MAX_WORD_CHARS).transform((value, context) => {
  const kebab = toKebabCase(value);
  if (kebab !== '') return kebab;
  context.addIssue('must hold letters or digits');
  return z.NEVER;
});

const timestamp = z.string('must be text').transform((value, context) => {
  const moment = parseTimestamp(value);
  if (moment !== undefined) return moment;
  context.addIssue('must be an ISO 8601 date or a date-time with a zone, such as 2026-01-31T09:30:00Z');
  return z.NEVER;
});

const platform = z.string('must be text').transform((value, context) => {
  const known = parsePlatform(value);
  if (known !== undefined) return known;
  context.addIssue(`is "${value.slice(0, 50)}"; it must be one of ${PLATFORMS.join(', ')}`);
  return z.NEVER;
});

/** An absent caption and an empty one are the same. */
const caption = z
  .string('must be text')
  .trim()
  .max(MAX_CAPTION_CHARS, `must be at most ${MAX_CAPTION_CHARS} characters`)
  .transform((value) => (value === '' ? undefined : value))
  .optional();

export const APP = z.strictObject({ id, name: line(MAX_NAME_CHARS) });

export const SCREEN = z.strictObject({
  file: line(1000),
  id,
  appId: id,
  platform,
  pattern: z
    .array(word, 'must be a list of words')
    .max(MAX_PATTERNS, `must be at most ${MAX_PATTERNS} words`)
    .transform((words) => [...new Set(words)]),
  capturedAt: timestamp,
  captionText: caption,
});

export const FLOW = z.strictObject({
  id,
  appId: id,
  type: word,
  name: line(MAX_NAME_CHARS),
  description: caption,
  screenIds: z
    .array(id, 'must be a list of screen ids')
    .min(1, 'must name at least one screen')
    .max(MAX_FLOW_SCREENS, `must name at most ${MAX_FLOW_SCREENS} screens`),
  capturedAt: timestamp.optional(),
});

/** A fault of one record: where in it, and what is wrong. */
export interface RecordFault {
  /** `platform`, `pattern[2]`; empty when the record itself is meant. */
  path: string;
  reason: string;
}

/** Checks one record; every fault at once. */
export function checkRecord<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  value: unknown,
): { record: z.output<z.ZodObject<Shape>> } | { faults: RecordFault[] } {
  const result = schema.safeParse(value);
  if (result.success) return { record: result.data };
  return {
    faults: result.error.issues.flatMap((issue) => faultsOf(issue, Object.keys(schema.shape), value)),
  };
}

function faultsOf(issue: z.core.$ZodIssue, fields: readonly string[], value: unknown): RecordFault[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : String(part))).join('');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: key,
      reason: `is not a field here; the fields are ${fields.join(', ')}`,
    }));
  }
  if (path === '') return [{ path, reason: 'must be an object' }];
  const absent = issue.path.length === 1 && !Object.hasOwn(value as object, issue.path[0] as string);
  return [{ path, reason: absent ? 'is missing' : issue.message }];
}
