/** What a word may be made of: letters, digits, and the signs of money, which say "price" on a screen. */
const WORD = /[\p{L}\p{N}]+|[$€£¥%]/gu;

/**
 * The gap inside what is one word in meaning, whether it is written apart, with a hyphen or as one: "sign up", "log-in",
 * "e-mail". A regular expression in the words of both JavaScript and tokenizer.json.
 */
export const GAP_INSIDE_WORD = [
  String.raw`(?<=\b(?:back|cash|check|clock|drop|level|log|opt|pick|pop|roll|set|shut|sign|sold|time|top|turn|wake|work|zoom))[ -](?=(?:back|down|in|off|on|out|up)\b)`,
  String.raw`(?<=\be)-(?=mail)`,
  String.raw`(?<=\bto)-(?=do\b)`,
  String.raw`(?<=\bwi)-(?=fi\b)`,
].join('|');
const GAP = new RegExp(GAP_INSIDE_WORD, 'gu');

/**
 * The words of a text, as the model's tokenizer cuts them: lower case, without accents, split at punctuation.
 * `tokenizer.ts` writes the same rules in the tokenizer's own terms; a test holds the two together.
 */
export function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFD')
      .replaceAll(/\p{Mn}/gu, '')
      .replaceAll(GAP, '')
      .match(WORD) ?? []
  );
}

/** Finds the form of a word that a dictionary has: "notifications" gives "notification". */
export type Lemmatiser = (word: string) => string;

/** Endings of nouns and verbs, and what stands in the dictionary in their place; the first that is known is taken. */
const ENDINGS: readonly (readonly [ending: string, bases: readonly string[]])[] = [
  ['ies', ['y', 'ie']],
  ['sses', ['ss']],
  ['es', ['e', '']],
  ['s', ['']],
  ['ied', ['y']],
  ['ed', ['e', '']],
  ['ing', ['e', '']],
];

/**
 * A lemmatiser by detachment, after WordNet's own (man page morphy(7WN)). A word that the dictionary has stays: a
 * booking is no book, and settings are not sets.
 */
export function createLemmatiser(known: ReadonlySet<string>): Lemmatiser {
  const lemmas = new Map<string, string>();
  return (word) => {
    let lemma = lemmas.get(word);
    if (lemma === undefined) lemmas.set(word, (lemma = findLemma(word, known)));
    return lemma;
  };
}

function findLemma(word: string, known: ReadonlySet<string>): string {
  if (!/^[a-z]{4,}$/.test(word) || known.has(word) || /(?:ss|us|is)$/.test(word)) return word;
  for (const [ending, bases] of ENDINGS) {
    if (!word.endsWith(ending)) continue;
    const start = word.slice(0, -ending.length);
    const candidates = bases.map((base) => start + base);
    if (/([a-z])\1$/.test(start)) candidates.push(start.slice(0, -1));
    const lemma = candidates.find((candidate) => known.has(candidate));
    if (lemma !== undefined) return lemma;
  }
  return word.endsWith('s') ? word.slice(0, -1) : word;
}
