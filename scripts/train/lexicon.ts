import type { Entry } from './glossary.ts';
import { createLemmatiser, wordsOf } from './words.ts';
import type { Sense } from './wordnet.ts';

/** The words that the model knows. All forms of a lemma share one row of the table. */
export interface Lexicon {
  /** By row, the glossary's first, then WordNet's from frequent to rare. */
  readonly lemmas: readonly string[];
  /** Every known form with its row, and how often the glossary and WordNet hold it. */
  readonly forms: ReadonlyMap<
    string,
    { readonly row: number; readonly ours: number; readonly theirs: number }
  >;
  /** Rows of the known words of a text, in order, with repeats. */
  encode(text: string): number[];
}

/** A lemma that WordNet alone holds, and fewer times than this, is left out unless it is a headword in lower case. */
const RAREST_NAME = 3;

/**
 * Takes in every lemma of the glossary, then the most frequent ones of WordNet.
 * @param maxRows how many lemmas at most
 */
export function createLexicon(entries: readonly Entry[], senses: readonly Sense[], maxRows: number): Lexicon {
  const ours = countWords(entries.flatMap(textsOfEntry));
  const theirs = countWords(senses.flatMap(textsOfSense));
  const headwords = new Set(senses.flatMap(({ words }) => words).filter((word) => !/[\p{Lu} ]/u.test(word)));
  const lemmaOf = createLemmatiser(headwords);

  const rows = new Map<string, number>();
  for (const word of ours.keys()) if (!rows.has(lemmaOf(word))) rows.set(lemmaOf(word), rows.size);
  const uses = new Map<string, number>();
  for (const [word, count] of theirs) uses.set(lemmaOf(word), (uses.get(lemmaOf(word)) ?? 0) + count);
  const wanted = [...uses]
    .filter(
      ([lemma, count]) =>
        !rows.has(lemma) && /\p{L}/u.test(lemma) && (count >= RAREST_NAME || headwords.has(lemma)),
    )
    .toSorted(([, a], [, b]) => b - a);
  for (const [lemma] of wanted.slice(0, Math.max(0, maxRows - rows.size))) rows.set(lemma, rows.size);

  const forms = new Map<string, { row: number; ours: number; theirs: number }>();
  for (const word of [...ours.keys(), ...theirs.keys(), ...rows.keys()]) {
    const row = rows.get(lemmaOf(word));
    if (row !== undefined) forms.set(word, { row, ours: ours.get(word) ?? 0, theirs: theirs.get(word) ?? 0 });
  }
  return {
    lemmas: [...rows.keys()],
    forms,
    encode: (text) => wordsOf(text).flatMap((word) => forms.get(word)?.row ?? []),
  };
}

export function textsOfEntry(entry: Entry): string[] {
  return [entry.name, ...entry.also, ...entry.ask, ...entry.copy, ...entry.parts, ...entry.near];
}

export function textsOfSense(sense: Sense): string[] {
  return [...sense.words, sense.definition, ...sense.examples];
}

function countWords(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
