const VOWELS = ['a', 'e', 'i', 'o', 'u'];

/**
 * Slips of a plain word that people make most: a letter left out, doubled, two letters swapped, a wrong vowel. The first
 * letter is nearly always right. Empty for words of other letters than a to z.
 */
export function misspellings(word: string): string[] {
  if (!/^[a-z]+$/.test(word)) return [];
  const slips = new Set<string>();
  for (let at = 1; at < word.length; at += 1) {
    const [before, letter, after] = [word.slice(0, at), word[at]!, word.slice(at + 1)];
    slips.add(before + after);
    slips.add(before + letter + letter + after);
    if (after !== '') slips.add(before + after[0]! + letter + after.slice(1));
    if (VOWELS.includes(letter)) for (const vowel of VOWELS) slips.add(before + vowel + after);
  }
  slips.delete(word);
  return [...slips];
}
