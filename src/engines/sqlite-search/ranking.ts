import type { QueryTerm, WordTerm } from '../../domain/text.ts';
import type { SearchHit } from '../../ports/search-index.ts';
import { AS_IT_STANDS, matchExpression, type Reading } from './match-expression.ts';
import type { Spelling } from './spelling.ts';

/** The expression for everything that matches, however loosely. */
export function widestExpression(terms: readonly QueryTerm[], spelling: Spelling): string {
  return matchExpression(terms, (term) => loosely(term, spelling));
}

/**
 * Expressions from the strictest reading of the question to the loosest; each finds all that the one before found.
 * Screens go in this order, because BM25 alone would put the rarest misspelling first: it takes what is rare for what
 * is telling. The last expression finds what `widestExpression` finds.
 */
export function* expressionsByStrictness(terms: readonly QueryTerm[], spelling: Spelling): Generator<string> {
  const readings: ((term: WordTerm) => Reading)[] = [
    () => AS_IT_STANDS,
    ({ prefix }) => ({ spellings: [], prefix }),
    (term) => {
      const likeliest = spelling.likeliest(term);
      return { spellings: likeliest === undefined ? [] : [likeliest], prefix: term.prefix };
    },
    (term) => loosely(term, spelling),
  ];
  let previous: string | undefined;
  for (const reading of readings) {
    const expression = matchExpression(terms, reading, { favourNeighbours: true });
    if (expression !== previous) yield expression;
    previous = expression;
  }
}

/** What the best hit of a looser reading is worth at most, as a share of the last hit of the stricter one. */
const LOOSER_SHARE = 0.9;

/**
 * Scores of different expressions do not compare. Those of a looser one are scaled to begin below where the stricter one
 * ended, so that one answer's scores fall from its first hit to its last.
 */
export function scaleBelow(hits: readonly SearchHit[], last: SearchHit | undefined): SearchHit[] {
  const best = hits[0]?.score ?? 0;
  const ceiling = last === undefined ? best : last.score * LOOSER_SHARE;
  const factor = best > ceiling ? ceiling / best : 1;
  return hits.map((hit) => ({ ...hit, score: hit.score * factor }));
}

function loosely(term: WordTerm, spelling: Spelling): Reading {
  return { spellings: spelling.near(term), prefix: term.prefix };
}
