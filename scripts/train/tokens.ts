import type { Lexicon } from './lexicon.ts';
import { ENDINGS, SPECIAL_TOKENS } from './tokenizer.ts';
import { stemOf } from './words.ts';

/** Tokens in the order of their ids, and the row of vectors that each uses. */
export interface Tokens {
  readonly vocabulary: readonly string[];
  readonly rowOfToken: Int32Array;
}

/** Shorter words and stems inside longer unknown ones are chance. */
const SHORTEST_PART = 4;
/** A known word may stand behind another in a compound when it was met this often. */
const RAREST_TAIL = 20;

/**
 * Every known word; every stem that is no word, for forms that were never met; and, for words that were never met,
 * frequent words as tails of compounds. Special tokens and endings have the row of zeros, which is the one after the last.
 */
export function collectTokens(lexicon: Lexicon): Tokens {
  const rowOfStem = new Map(lexicon.stems.map((stem, row) => [stem, row]));
  const rows = new Map<string, number>();
  for (const token of [...SPECIAL_TOKENS, ...ENDINGS.map((ending) => `##${ending}`)]) {
    rows.set(token, lexicon.stems.length);
  }
  for (const word of lexicon.words.keys()) rows.set(word, rowOfStem.get(stemOf(word))!);
  for (const [stem, row] of rowOfStem)
    if (stem.length >= SHORTEST_PART && !rows.has(stem)) rows.set(stem, row);
  for (const [word, count] of lexicon.words) {
    const tail = `##${word}`;
    if (count >= RAREST_TAIL && word.length >= SHORTEST_PART && !rows.has(tail)) {
      rows.set(tail, rowOfStem.get(stemOf(word))!);
    }
  }
  return { vocabulary: [...rows.keys()], rowOfToken: Int32Array.from(rows.values()) };
}
