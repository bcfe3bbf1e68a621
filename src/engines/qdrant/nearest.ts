import type { QdrantClient } from '@qdrant/js-client-rest';
import type { VectorHit, VectorQuery } from '../../ports/vector-index.ts';
import { call } from './client.ts';
import { colorsMatch, normalise, toStoredFilter } from './points.ts';

/** How much more is asked for when what came was not enough. */
const GROWTH = 4;

/**
 * The nearest points of one collection. Qdrant is asked for more until the answer is certain: hits whose colours are
 * just too far are left out here, and of equal scores it gives any, where the lowest screen ids are wanted.
 */
export async function nearest(
  client: QdrantClient,
  collection: string,
  { space, vector, filter, limit, minScore }: VectorQuery,
): Promise<VectorHit[]> {
  const query = normalise(vector);
  if (query === undefined) return [];
  const matches = colorsMatch(filter);
  for (let wanted = limit + 1; ; wanted *= GROWTH) {
    const { points } = await call(() =>
      client.query(collection, {
        query,
        using: space,
        filter: toStoredFilter(filter),
        limit: wanted,
        with_payload: matches === undefined ? ['screenId'] : ['screenId', 'colors'],
        ...(minScore === undefined ? {} : { score_threshold: minScore }),
      }),
    );
    const hits = points
      .filter(({ payload }) => matches === undefined || matches(payload?.['colors'] as string[]))
      .map(({ payload, score }) => ({
        screenId: String(payload?.['screenId']),
        // Rounding may put a cosine a little beyond 1.
        score: Math.min(1, Math.max(-1, score)),
      }));
    const certain = (hits[limit - 1]?.score ?? -Infinity) > (hits.at(-1)?.score ?? Infinity);
    if (points.length < wanted || certain) return hits.toSorted(bestFirst).slice(0, limit);
  }
}

function bestFirst(one: VectorHit, other: VectorHit): number {
  if (one.score !== other.score) return other.score - one.score;
  return one.screenId < other.screenId ? -1 : 1;
}
