import { stemmer } from 'stemmer';

/** What a word may be made of: letters, digits, and the signs of money, which say "price" on a screen. */
const WORD = /[\p{L}\p{N}]+|[$€£¥%]/gu;

/**
 * The words of a text, as the model's tokenizer cuts them: lower case, without accents, split at punctuation.
 * `tokenizer.ts` writes the same rules in the tokenizer's own terms; a test holds the two together.
 */
export function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .match(WORD) ?? []
  );
}

/** Words with one stem share one vector. Only plain English words have a stem; others stand for themselves. */
export function stemOf(word: string): string {
  return /^[a-z]{3,}$/.test(word) ? stemmer(word) : word;
}
