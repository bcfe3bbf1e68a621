import type { estypes } from '@elastic/elasticsearch';
import type { PhraseTerm, QueryTerm, WordTerm } from '../../domain/text.ts';

type Query = estypes.QueryDslQueryContainer;

/** Clauses that a screen must all meet to match every term, however loosely. None for no terms. */
export function matchClauses(terms: readonly QueryTerm[]): Query[] {
  return terms.map((term) => {
    if (term.kind === 'phrase') return phrase(term.tokens);
    const readings = [asItStands(term), prefix(term), misspelt(term)].filter(
      (clause) => clause !== undefined,
    );
    return { bool: { should: readings, minimum_should_match: 1 } };
  });
}

/** Words that stand for a misspelt one, by the word as it was asked for. */
export type Corrections = ReadonlyMap<string, string>;

/**
 * How loosely a word was taken, the strictest highest. Screens go by this first, because BM25 alone would put the rarest
 * misspelling first: it takes what is rare for what is telling.
 */
const LEVELS = { asItStands: 4, prefix: 3, corrected: 2, misspelt: 1 } as const;

/** More than BM25 gives for a word, its stem, a correction and a pair: five times ln(2 × screens) at most. */
const WORD_SCORE_LIMIT = 100;

/**
 * Clauses that a screen must all meet, as those of `matchClauses`, and clauses that only add to its score. The score is a
 * whole number of `levelScore`, the more the stricter the words match, plus BM25, which stays below one `levelScore`.
 */
export function rankedClauses(
  terms: readonly QueryTerm[],
  corrections: Corrections = new Map(),
): { must: Query[]; should: Query[] } {
  const step = levelScore(terms);
  const must = terms.map((term) =>
    term.kind === 'phrase' ? phrase(term.tokens) : strictestReading(term, step, corrections.get(term.token)),
  );
  const should = terms.flatMap((term, index) => {
    if (term.kind === 'phrase') return [];
    const next = terms[index + 1];
    return [
      word(term.token),
      asItStands(term),
      // Raises screens where two words of the question stand next to each other.
      ...(next?.kind === 'word' ? [phrase([term.token, next.token])] : []),
    ];
  });
  return { must, should };
}

function strictestReading(term: WordTerm, step: number, correction: string | undefined): Query {
  const [unfinished, near] = [prefix(term), misspelt(term)];
  const at = (level: keyof typeof LEVELS, filter: Query): Query =>
    // The one keeps a score above zero where BM25 has no say.
    ({ constant_score: { filter, boost: LEVELS[level] * step + 1 } });
  const queries = [at('asItStands', asItStands(term))];
  if (unfinished !== undefined) queries.push(at('prefix', unfinished));
  if (correction !== undefined) {
    // BM25 of a correction counts only where the correction is what matches.
    const corrected = word(correction);
    queries.push({ bool: { must: [at('corrected', corrected), corrected] } });
  }
  if (near !== undefined) queries.push(at('misspelt', near));
  return { dis_max: { queries } };
}

/** The step between two levels of strictness in the score of `rankedClauses`. */
export function levelScore(terms: readonly QueryTerm[]): number {
  return WORD_SCORE_LIMIT * Math.max(1, terms.length);
}

/** Does one of these scores, as `rankedClauses` gave them, stand for a word that was taken for a misspelt one? */
export function holdsMisspelt(scores: readonly number[], terms: readonly QueryTerm[]): boolean {
  const strictest = terms.reduce((sum, term) => {
    if (term.kind === 'phrase') return sum;
    return sum + (term.prefix ? LEVELS.prefix : LEVELS.asItStands);
  }, 0);
  return scores.some((score) => score < strictest * levelScore(terms));
}

/** A text that holds the word holds its stem. */
function asItStands({ stem }: WordTerm): Query {
  return { term: { stem } };
}

function word(token: string): Query {
  return { term: { word: token } };
}

function prefix(term: WordTerm): Query | undefined {
  return term.prefix ? { prefix: { word: term.token } } : undefined;
}

/** The rewriting decides that all near words count, not the fifty nearest. */
function misspelt({ token, maxTypos }: WordTerm): Query | undefined {
  if (maxTypos === 0) return undefined;
  const rules = { fuzziness: maxTypos, prefix_length: 1, transpositions: true, rewrite: 'constant_score' };
  return { fuzzy: { word: { value: token, ...rules } } };
}

/** Term by term, so that Elasticsearch splits nothing: the tokens are those of the index already. */
function phrase(tokens: PhraseTerm['tokens']): Query {
  const [only] = tokens;
  if (tokens.length === 1 && only !== undefined) return word(only);
  return { match_phrase: { word: tokens.join(' ') } };
}
