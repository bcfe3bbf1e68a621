import type { Entry } from './glossary.ts';
import type { Sense } from './wordnet.ts';
import { stemOf, wordsOf } from './words.ts';

/** The words that the model knows, and the numbers of their stems. */
export interface Lexicon {
  /** Stems by number. */
  readonly stems: readonly string[];
  /** Every known word with how often it was met. */
  readonly words: ReadonlyMap<string, number>;
  /** Numbers of the known stems of a text, in order, with repeats. */
  encode(text: string): number[];
}

/** A stem that WordNet alone holds, and fewer times than this, is left out unless it is a headword in lower case. */
const RAREST_NAME = 3;

/**
 * Takes in every stem of the glossary, then the most frequent ones of WordNet.
 * @param maxStems how many at most
 */
export function createLexicon(
  entries: readonly Entry[],
  senses: readonly Sense[],
  maxStems: number,
): Lexicon {
  const ours = countWords(entries.flatMap(textsOfEntry));
  const theirs = countWords(senses.flatMap(textsOfSense));
  const numbers = new Map<string, number>();
  for (const word of ours.keys()) if (!numbers.has(stemOf(word))) numbers.set(stemOf(word), numbers.size);

  const headwords = new Set(senses.flatMap(commonHeadwords));
  const frequent = [...countStems(theirs)]
    .filter(([stem, count]) => (count >= RAREST_NAME || headwords.has(stem)) && !numbers.has(stem))
    .filter(([stem]) => /\p{L}/u.test(stem))
    .toSorted(([, a], [, b]) => b - a);
  for (const [stem] of frequent.slice(0, Math.max(0, maxStems - numbers.size)))
    numbers.set(stem, numbers.size);

  const words = new Map(ours);
  for (const [word, count] of theirs) {
    if (numbers.has(stemOf(word))) words.set(word, (words.get(word) ?? 0) + count);
  }
  return {
    stems: [...numbers.keys()],
    words,
    encode: (text) => wordsOf(text).flatMap((word) => numbers.get(stemOf(word)) ?? []),
  };
}

/** Stems of a sense's words but names: of persons, places, and above all Latin ones of species. */
function commonHeadwords(sense: Sense): string[] {
  return sense.words.filter((word) => !/\p{Lu}/u.test(word)).flatMap((word) => wordsOf(word).map(stemOf));
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

function countStems(words: ReadonlyMap<string, number>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word, count] of words) counts.set(stemOf(word), (counts.get(stemOf(word)) ?? 0) + count);
  return counts;
}
