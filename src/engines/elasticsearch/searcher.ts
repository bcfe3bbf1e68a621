import type { Client, estypes } from '@elastic/elasticsearch';
import type { TextQuery } from '../../domain/query.ts';
import type { SearchHit, SearchIndex, SearchPage } from '../../ports/search-index.ts';
import { withoutLevels } from './levels.ts';
import { facetsRequest, listRequest, searchRequest } from './search-request.ts';
import { findCorrections } from './spelling.ts';
import { holdsMisspelt, levelScore } from './text-query.ts';

/** Reads of one index, or of what stands behind one alias. They throw what the client throws. */
export function createSearcher(
  client: Client,
  index: string,
): Pick<SearchIndex, 'search' | 'facets' | 'count' | 'list'> {
  async function byRelevance(query: TextQuery): Promise<SearchPage> {
    const first = await client.search({ index, ...searchRequest(query) });
    const scores = first.hits.hits.map(scoreOf);
    // What was most likely meant matters only where misspelt words are shown, which is seldom.
    const answer = holdsMisspelt(scores, query.terms)
      ? await client.search({
          index,
          ...searchRequest(query, await findCorrections(client, index, query.terms)),
        })
      : first;
    const { hits } = answer.hits;
    const plain = withoutLevels(hits.map(scoreOf), levelScore(query.terms));
    return {
      hits: hits.map((hit, place) => toHit(hit.sort?.slice(1), plain[place] ?? 0)),
      total: totalOf(answer),
    };
  }

  return {
    async search(query) {
      if (query.order.by === 'relevance' && query.terms.length > 0) return byRelevance(query);
      const answer = await client.search({ index, ...searchRequest(query) });
      return { hits: answer.hits.hits.map((hit) => toHit(hit.sort, 0)), total: totalOf(answer) };
    },
    async facets() {
      const { aggregations = {} } = await client.search({ index, ...facetsRequest() });
      const counts = (name: string) => {
        const { buckets } = aggregations[name] as { buckets: { key: string; doc_count: number }[] };
        return buckets.map((bucket) => ({ value: bucket.key, count: bucket.doc_count }));
      };
      return { patterns: counts('patterns'), apps: counts('apps'), platforms: counts('platforms') };
    },
    async count() {
      return (await client.count({ index })).count;
    },
    async list(after, limit) {
      const { hits } = await client.search({ index, ...listRequest(after, limit) });
      return hits.hits.map((hit) => ({ id: String(hit.sort?.[0]), version: hit._version ?? 0 }));
    },
  };
}

function scoreOf(hit: estypes.SearchHit): number {
  return Number(hit.sort?.[0]);
}

/** @param sort capture time in ms, id */
function toHit(sort: estypes.SortResults | undefined, score: number): SearchHit {
  const [capturedAt, id] = sort ?? [];
  return { id: String(id), score, capturedAt: new Date(Number(capturedAt)).toISOString() };
}

function totalOf({ hits: { total } }: estypes.SearchResponse): number {
  return typeof total === 'object' ? total.value : (total ?? 0);
}
