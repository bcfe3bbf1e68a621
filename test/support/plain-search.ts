import { DEFAULT_COLOR_TOLERANCE, labOf } from '../../src/domain/color.ts';
import type { ScreenFilter } from '../../src/domain/query.ts';
import { analyze, type QueryTerm, type Token } from '../../src/domain/text.ts';
import type { ScreenDocument } from '../../src/ports/search-index.ts';

/**
 * What a search must find, by going through all documents with the rules as they read: no index, no shortcut, nothing
 * of any engine. Newest first, then id.
 */
export function plainSearch(
  documents: Iterable<ScreenDocument>,
  { terms, filter }: { terms: readonly QueryTerm[]; filter: ScreenFilter },
): ScreenDocument[] {
  return [...documents]
    .filter((document) => passes(document, filter) && matchesTerms(document, terms))
    .toSorted((a, b) => byText(b.capturedAt, a.capturedAt) || byText(a.id, b.id));
}

export function matchesTerms(
  document: Pick<ScreenDocument, 'caption' | 'ocrText'>,
  terms: readonly QueryTerm[],
): boolean {
  const texts = textsOf(document);
  return terms.every((term) => texts.some((text) => matchesTerm(text, term)));
}

/** Remembered only because tests ask hundreds of questions of the same documents. */
const analyzed = new WeakMap<object, Token[][]>();
const distances = new Map<string, number>();

function textsOf(document: Pick<ScreenDocument, 'caption' | 'ocrText'>): Token[][] {
  const texts = analyzed.get(document) ?? [analyze(document.caption ?? ''), analyze(document.ocrText ?? '')];
  analyzed.set(document, texts);
  return texts;
}

function matchesTerm(text: readonly Token[], term: QueryTerm): boolean {
  if (term.kind === 'phrase') {
    return text.some((_, start) => term.tokens.every((token, step) => text[start + step]?.token === token));
  }
  return text.some(
    ({ token, stem }) =>
      token === term.token ||
      stem === term.stem ||
      (term.prefix && token.startsWith(term.token)) ||
      (token.codePointAt(0) === term.token.codePointAt(0) && distanceOf(term.token, token) <= term.maxTypos),
  );
}

function distanceOf(word: string, other: string): number {
  const key = `${word} ${other}`;
  const distance = distances.get(key) ?? plainDistance(Array.from(word), Array.from(other));
  distances.set(key, distance);
  return distance;
}

/** Optimal string alignment, as its recursive definition reads. */
export function plainDistance(from: readonly string[], to: readonly string[]): number {
  const known = new Map<string, number>();
  function distance(i: number, j: number): number {
    if (Math.min(i, j) === 0) return Math.max(i, j);
    const key = `${i} ${j}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const substitution = from[i - 1] === to[j - 1] ? 0 : 1;
    const swap =
      i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
        ? distance(i - 2, j - 2) + 1
        : Number.POSITIVE_INFINITY;
    const result = Math.min(
      distance(i - 1, j) + 1,
      distance(i, j - 1) + 1,
      distance(i - 1, j - 1) + substitution,
      swap,
    );
    known.set(key, result);
    return result;
  }
  return distance(from.length, to.length);
}

function passes(document: ScreenDocument, filter: ScreenFilter): boolean {
  const {
    appId,
    pattern,
    platform,
    colors = [],
    colorTolerance = DEFAULT_COLOR_TOLERANCE,
    excludeIds,
  } = filter;
  return (
    (appId === undefined || document.appId === appId) &&
    (platform === undefined || document.platform === platform) &&
    (pattern === undefined || pattern.some((wanted) => document.pattern.includes(wanted))) &&
    excludeIds?.includes(document.id) !== true &&
    colors.every((wanted) => document.colors.some(({ hex }) => isWithin(wanted, hex, colorTolerance)))
  );
}

function isWithin(hex: string, otherHex: string, tolerance: number): boolean {
  const [one, other] = [labOf(hex), labOf(otherHex)];
  const squared = (one.l - other.l) ** 2 + (one.a - other.a) ** 2 + (one.b - other.b) ** 2;
  return squared <= Math.round(tolerance * 1000) ** 2;
}

/** Order of code points, as SQLite, Postgres and Elasticsearch order identifiers. */
function byText(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
