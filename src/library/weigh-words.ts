import { MAX_RELEVANCE_DEPTH } from '../domain/query.ts';
import { parseQuery, type QueryTerm } from '../domain/text.ts';
import type { SearchIndex } from '../ports/search-index.ts';

/** What each word of a question says, where the question as a whole stands nowhere. */
export interface WordEvidence {
  /** By screen, how much of the question it says, 0–1; a screen that says none of it is absent. */
  said: ReadonlyMap<string, number>;
  /** How much of the question the library says at all, 0–1. */
  known: number;
}

/** Longer questions are weighed by their first words. */
const MAX_WORDS = 16;
/** A word that stands nowhere counts as if it stood on half a screen: it is the rarest of all. */
const LEAST_SCREENS = 0.5;

/**
 * Looks every word of a question up by itself, typos forgiven. A word weighs log(1 + screens / screens that say it)
 * (inverse document frequency, Spärck Jones, 1972), so that one rare word says more than many that are everywhere.
 * Throws EngineUnavailableError when the text engine cannot be reached.
 */
export async function weighWords(
  search: Pick<SearchIndex, 'search' | 'count'>,
  query: string,
): Promise<WordEvidence> {
  const terms = parseQuery(query).slice(0, MAX_WORDS);
  const screens = await search.count();
  const found = await Promise.all(terms.map((term) => lookUp(search, term)));

  const said = new Map<string, number>();
  let [all, known] = [0, 0];
  for (const { total, hits } of found) {
    const weight = Math.log(1 + screens / Math.max(LEAST_SCREENS, total));
    all += weight;
    if (total > 0) known += weight;
    for (const { id } of hits) said.set(id, (said.get(id) ?? 0) + weight);
  }
  if (all === 0) return { said: new Map(), known: 1 };
  for (const [id, weight] of said) said.set(id, weight / all);
  return { said, known: known / all };
}

function lookUp(search: Pick<SearchIndex, 'search'>, term: QueryTerm) {
  const order = { by: 'relevance', offset: 0 } as const;
  return search.search({ terms: [term], filter: {}, limit: MAX_RELEVANCE_DEPTH, order });
}
