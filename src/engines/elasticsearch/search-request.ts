import type { estypes } from '@elastic/elasticsearch';
import type { TextQuery } from '../../domain/query.ts';
import { filterClauses } from './filter.ts';
import { matchClauses, rankedClauses, type Corrections } from './text-query.ts';

/** Nothing of a document is fetched: what an answer needs is in the values that it is sorted by. */
const NO_FIELDS = { _source: false, stored_fields: '_none_', track_total_hits: true } as const;
const NEWEST_FIRST: estypes.SortCombinations[] = [
  { capturedAt: { order: 'desc' } },
  { id: { order: 'asc' } },
];

/** The request for a question. The sort values of its hits are capture time in ms and id, after the score where there is one. */
export function searchRequest(query: TextQuery, corrections?: Corrections): estypes.SearchRequest {
  const { terms, filter, limit, order } = query;
  const passes = filterClauses(filter);
  const matches = { filter: [...matchClauses(terms), ...passes] };
  const request = { ...NO_FIELDS, size: limit, sort: NEWEST_FIRST, query: { bool: matches } };
  switch (order.by) {
    case 'newest': {
      const { after } = order;
      if (after === undefined) return request;
      return { ...request, search_after: [Date.parse(after.capturedAt), after.id] };
    }
    case 'relevance':
      if (terms.length === 0) return { ...request, from: order.offset };
      return {
        ...request,
        from: order.offset,
        query: { bool: { filter: passes, ...rankedClauses(terms, corrections) } },
        sort: [{ _score: { order: 'desc' } }, ...NEWEST_FIRST],
      };
    default:
      return order satisfies never;
  }
}

/** Every id with its version, in ascending order of ids. */
export function listRequest(after: string | undefined, limit: number): estypes.SearchRequest {
  return {
    ...NO_FIELDS,
    size: limit,
    version: true,
    sort: [{ id: { order: 'asc' } }],
    ...(after === undefined ? {} : { search_after: [after] }),
  };
}

/** Three times this stays below the buckets that Elasticsearch gives in one answer (65,536). */
const MAX_FACET_VALUES = 20_000;

export function facetsRequest(): estypes.SearchRequest {
  const counts = (field: string) => ({
    terms: { field, size: MAX_FACET_VALUES, order: [{ _count: 'desc' as const }, { _key: 'asc' as const }] },
  });
  return {
    size: 0,
    aggs: { patterns: counts('pattern'), apps: counts('appId'), platforms: counts('platform') },
  };
}
