import { stemmer } from 'stemmer';

/**
 * The one analysis of text, for what is indexed and for what is asked, on every engine: engines are given tokens
 * ready split and never look at letters themselves, so the same question finds the same screens everywhere.
 */

/** Raise it with every change that splits or folds any text otherwise: indexes made before must then be rebuilt. */
export const ANALYSIS_VERSION = 1;

/** One word of a text. Never empty, never holds white space; made of letters, digits and marks, or one emoji. */
export interface Token {
  /** The word as it stands, folded. At most MAX_TOKEN_LENGTH code points. */
  readonly token: string;
  /** Its English stem; the word itself where English has no say. */
  readonly stem: string;
}

export type QueryTerm = WordTerm | PhraseTerm;

/** Matches a text that holds the stem, or, compared with the text's words as they stand, a word near enough. */
export interface WordTerm extends Token {
  readonly kind: 'word';
  /** Words at this edit distance or nearer match too, when they start with the same letter. */
  readonly maxTypos: 0 | 1 | 2;
  /** Words that begin with `token` match too. */
  readonly prefix: boolean;
}

/** Matches a text that holds these words as they stand, next to each other, in this order. At least one word. */
export interface PhraseTerm {
  readonly kind: 'phrase';
  readonly tokens: readonly string[];
}

export const MAX_TOKEN_LENGTH = 200;
/** Shorter words must be spelled right; from these lengths on, in code points, one or two typos are forgiven. */
export const ONE_TYPO_FROM_LENGTH = 4;
export const TWO_TYPOS_FROM_LENGTH = 8;

/** The words of a text in order; a word's position is its index. Phrases match on these positions. */
export function analyze(text: string): Token[] {
  return split(fold(text)).map(({ token }) => ({ token, stem: stemOf(token) }));
}

/**
 * Reads a question as people type it. Nothing in it is an operator but a pair of double quotes, straight or curly,
 * around a phrase. What is written in one piece (`sign-in`, `9.99`, `a@b.org`, 支付) is a phrase too. The last word may
 * be unfinished, so it is also a prefix. Terms that say the same are given once; no words, no terms.
 */
export function parseQuery(q: string): QueryTerm[] {
  const terms: QueryTerm[] = [];
  let end = 0;
  for (const quoted of q.matchAll(QUOTED)) {
    terms.push(...termsOf(q.slice(end, quoted.index)));
    const tokens = analyze(quoted[1] ?? '').map(({ token }) => token);
    if (tokens.length > 0) terms.push({ kind: 'phrase', tokens });
    end = quoted.index + quoted[0].length;
  }
  terms.push(...termsOf(q.slice(end)));
  return withoutRepeats(markPrefix(terms));
}

interface Piece {
  token: string;
  /** Whether it hangs together with the piece before: `in` of `sign-in`. */
  joined: boolean;
}

function termsOf(text: string): QueryTerm[] {
  const groups: string[][] = [];
  for (const { token, joined } of split(fold(text))) {
    const last = groups.at(-1);
    if (joined && last !== undefined) last.push(token);
    else groups.push([token]);
  }
  return groups.map((tokens) => {
    const [token] = tokens;
    if (token === undefined || tokens.length > 1) return { kind: 'phrase', tokens };
    return { kind: 'word', token, stem: stemOf(token), maxTypos: typosAllowed(token), prefix: false };
  });
}

function markPrefix(terms: QueryTerm[]): QueryTerm[] {
  return terms.map((term, index) =>
    term.kind === 'word' && index === terms.length - 1 ? { ...term, prefix: true } : term,
  );
}

/** A later repeat goes, unless it is the one that may be a prefix: then it adds nothing to the exact one before. */
function withoutRepeats(terms: QueryTerm[]): QueryTerm[] {
  const seen = new Set<string>();
  return terms.filter((term) => {
    const key = term.kind === 'word' ? `word ${term.token}` : `phrase ${term.tokens.join(' ')}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Numbers are not forgiven: 2025 is no misspelt 2024. */
function typosAllowed(token: string): 0 | 1 | 2 {
  if (/\p{N}/u.test(token)) return 0;
  const { length } = Array.from(token);
  if (length >= TWO_TYPOS_FROM_LENGTH) return 2;
  return length >= ONE_TYPO_FROM_LENGTH ? 1 : 0;
}

function stemOf(token: string): string {
  return /^[a-z]+$/.test(token) ? stemmer(token) : token;
}

/** Pairs of straight or curly double quotes. A lone one is punctuation. */
const QUOTED = /["“”„‟＂]([^"“”„‟＂]*)["“”„‟＂]/gu;

/** Soft hyphens, zero-width and direction characters, variation selectors, skin tones: the same word to a reader. */
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}\p{Emoji_Modifier}\p{Me}]/gu;
/** Footnote digits and trade marks hang on words without being part of them: `trial¹`, `Vitrine™`. */
const HANGING = /[©®™℠⁰¹²³⁴-⁹]/gu;
/** Elsewhere marks are letters' other half: がか, नि, ที่. */
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;
const APOSTROPHE = /(?<=\p{L}\p{M}*)['’‘ʼ](?=\p{L})/gu;
/** Letters that no decomposition takes apart. */
const FOLDED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŧ: 't',
  þ: 'th',
  ς: 'σ',
};
const FOLDABLE = new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'gu');

/** One spelling for what readers take for the same word: case, accents, ligatures, width, apostrophes. */
function fold(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(HANGING, ' ')
    .normalize('NFKD')
    .replace(ACCENTED, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replace(FOLDABLE, (letter) => FOLDED[letter] ?? letter)
    .replace(APOSTROPHE, '');
}

/** A letter of a script that is written without spaces between words; each becomes a token with its marks. */
const SPACELESS =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}' +
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー]';
const PIECE = new RegExp(
  [
    // Flags are pairs of letters.
    '\\p{Regional_Indicator}{2}',
    '\\p{Extended_Pictographic}',
    // c++, c#, f#: without the sign another language, and no word at all. Elsewhere signs fall away: 500+, disney+.
    '(?<![\\p{L}\\p{N}\\p{M}])[a-z](?:\\+\\+|#)(?![\\p{L}\\p{N}+#])',
    `(?=${SPACELESS})\\p{L}\\p{M}*`,
    `(?:(?!${SPACELESS})[\\p{L}\\p{N}]\\p{M}*)+`,
  ].join('|'),
  'gu',
);
/** Signs that keep two pieces of a word together when nothing else is between them. */
const JOINT = /^[-‐_.@&]?$/u;
/** Signs that do so within numbers and times: 1,000 24/7 12:30 ½. */
const NUMBER_JOINT = /^[,/:⁄]$/u;

function split(folded: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  let before = '';
  for (const match of folded.matchAll(PIECE)) {
    const [piece] = match;
    const gap = folded.slice(end, match.index);
    const withinNumber = /\p{N}$/u.test(before) && /^\p{N}/u.test(piece);
    const joined = pieces.length > 0 && (JOINT.test(gap) || (withinNumber && NUMBER_JOINT.test(gap)));
    pieces.push({ token: cut(piece), joined });
    end = match.index + piece.length;
    before = piece;
  }
  return pieces;
}

function cut(piece: string): string {
  if (piece.length <= MAX_TOKEN_LENGTH) return piece;
  return Array.from(piece).slice(0, MAX_TOKEN_LENGTH).join('');
}
