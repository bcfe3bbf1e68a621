import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const QUERIES_DIR = join(import.meta.dirname, 'queries');

/** What a query is like; one file of `queries/` each. README.md tells what they stand for. */
export const KINDS = [
  'paraphrase',
  'subject',
  'literal',
  'misspelled',
  'colour',
  'look',
  'look-alike',
  'look-across',
  'no-answer',
] as const;

export type Kind = (typeof KINDS)[number];

/** Half of the queries to tune on and half to report, so that a figure is never of what was tuned on. */
export type Part = 'tune' | 'report';

/** 2: exactly what was asked for; 1: of use to whoever asked. A screen that is not listed is 0. */
export type Grades = ReadonlyMap<string, 1 | 2>;

export interface JudgedQuery {
  id: string;
  kind: Kind;
  part: Part;
  /** In words; or the screen that others shall look like, those of its own application or only those of others. */
  ask: { query: string; colors?: readonly string[] } | { like: string; elsewhere: boolean };
  grades: Grades;
}

const screenId = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const line = z
  .strictObject({
    id: z.string().regex(/^[a-z]+(-[a-z]+)?-[0-9]{2}$/),
    query: z.string().min(1).optional(),
    colors: z.array(z.string().regex(/^#[0-9A-F]{6}$/)).optional(),
    like: screenId.optional(),
    exact: z.array(screenId).optional(),
    usable: z.array(screenId).optional(),
  })
  .refine(({ query, like }) => (query === undefined) !== (like === undefined), {
    message: 'must have either a query or a screen that others shall look like',
  });

/** Every judged query, in the order of the files. Throws an error that names the line of a fault. */
export function readJudgedQueries(dir = QUERIES_DIR): JudgedQuery[] {
  const foreign = readdirSync(dir).find((name) => !KINDS.some((kind) => name === `${kind}.jsonl`));
  if (foreign !== undefined) throw new Error(`${foreign} is no kind of query`);
  return KINDS.flatMap((kind) =>
    readFileSync(join(dir, `${kind}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n')
      .map((text, index) => parse(kind, text, `${kind}.jsonl:${index + 1}`)),
  );
}

function parse(kind: Kind, text: string, place: string): JudgedQuery {
  const parsed = line.safeParse(JSON.parse(text));
  if (!parsed.success) throw new Error(`${place}: ${z.prettifyError(parsed.error)}`);
  const { id, query, colors, like, exact = [], usable = [] } = parsed.data;
  if (!id.startsWith(`${kind}-`)) throw new Error(`${place}: ${id} does not begin with its kind`);
  const grades = new Map<string, 1 | 2>();
  for (const [grade, screens] of [[2, exact] as const, [1, usable] as const]) {
    for (const screen of screens) {
      if (grades.has(screen)) throw new Error(`${place}: ${screen} is graded twice`);
      grades.set(screen, grade);
    }
  }
  const ask =
    like === undefined
      ? { query: query ?? '', ...(colors === undefined ? {} : { colors }) }
      : { like, elsewhere: kind === 'look-across' };
  return { id, kind, part: partOf(id), ask, grades };
}

/** By the id alone, so that a query stays in its part whatever is added. */
export function partOf(id: string): Part {
  const [first = 0] = createHash('sha256').update(id).digest();
  return first < 128 ? 'tune' : 'report';
}
