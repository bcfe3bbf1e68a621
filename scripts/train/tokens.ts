import type { Lexicon } from './lexicon.ts';
import { misspellings } from './misspell.ts';
import { ENDINGS, SPECIAL_TOKENS } from './tokenizer.ts';

/** Tokens in the order of their ids, and the row of vectors that each uses. */
export interface Tokens {
  readonly vocabulary: readonly string[];
  readonly rowOfToken: Int32Array;
}

/** A shorter word inside a longer unknown one is chance. */
const SHORTEST_TAIL = 4;
/** A word may be the tail of an unknown compound ("paymentscreen") when it was met this often. */
const RAREST_TAIL = 20;
/** A word has misspellings when the glossary holds it this often, and it is long enough that a slip leaves it readable. */
const RAREST_MISSPELT = 3;
const SHORTEST_MISSPELT = 6;

/**
 * Every known form, and the pieces that unknown ones may be cut into. Special tokens and endings have the row of zeros,
 * which is the one after the last.
 */
export function collectTokens(lexicon: Lexicon): Tokens {
  const rows = new Map<string, number>();
  for (const token of [...SPECIAL_TOKENS, ...ENDINGS.map((ending) => `##${ending}`)]) {
    rows.set(token, lexicon.lemmas.length);
  }
  for (const [form, { row }] of lexicon.forms) rows.set(form, row);
  for (const [form, { row, ours, theirs }] of lexicon.forms) {
    const tail = `##${form}`;
    if (form.length >= SHORTEST_TAIL && ours + theirs >= RAREST_TAIL && !rows.has(tail)) rows.set(tail, row);
  }
  const often = [...lexicon.forms]
    .filter(([form, { ours }]) => ours >= RAREST_MISSPELT && form.length >= SHORTEST_MISSPELT)
    .toSorted(([, a], [, b]) => b.ours - a.ours);
  for (const [form, { row }] of often) {
    for (const slip of misspellings(form)) if (!rows.has(slip)) rows.set(slip, row);
  }
  return { vocabulary: [...rows.keys()], rowOfToken: Int32Array.from(rows.values()) };
}
