import type { QdrantClient } from '@qdrant/js-client-rest';
import { ConfigurationError, EngineUnavailableError, InvalidArgumentError } from '../../domain/errors.ts';
import type { Rebuildable } from '../../ports/index-rebuild.ts';
import type {
  VectorIndex,
  VectorIndexInMaking,
  VectorPoint,
  VectorSpace,
  VectorSpaces,
} from '../../ports/vector-index.ts';
import {
  call,
  connect,
  isMissing,
  QUERY_TIMEOUT_MS,
  unavailable,
  WRITE_TIMEOUT_MS,
  type QdrantAddress,
} from './client.ts';
import { createCollections, type Collections } from './collections.ts';
import { nearest } from './nearest.ts';
import { olderThan, toStoredPoint } from './points.ts';

export interface QdrantOptions extends QdrantAddress {
  spaces: VectorSpaces;
  /** After this long a query counts as not answered. */
  queryTimeoutMs?: number;
  /** Begins the names of collections and aliases; two installations on one Qdrant need two. */
  name?: string;
  /** Take vectors of other spaces for nothing until they are rebuilt, instead of refusing them. */
  forRebuild?: boolean;
}

/**
 * Nearest neighbours in Qdrant 1.16 or newer (an upsert that looks at the stored version needs it). Above some 10,000
 * screens Qdrant searches a graph, which may miss a neighbour that comparing everything would find.
 * A Qdrant that is down is waited for: calls throw EngineUnavailableError until it answers.
 * Throws ConfigurationError when it refuses the key, and when it holds vectors of other spaces unless `forRebuild`.
 */
export async function createQdrantVectors(
  options: QdrantOptions,
): Promise<VectorIndex & Rebuildable<VectorIndexInMaking>> {
  const { spaces, name = 'vitrine-screens', forRebuild = false } = options;
  const client = connect(options, WRITE_TIMEOUT_MS);
  const asking = connect(options, options.queryTimeoutMs ?? QUERY_TIMEOUT_MS);
  const collections = createCollections(client, name, spaces);
  const live = createPoints({ client, asking }, spaces, collections.live);
  const next = createPoints({ client, asking }, spaces, collections.next);

  let ready = false;
  async function ensureReady(): Promise<void> {
    if (ready) return;
    await collections.ensure();
    ready = true;
  }

  if (!forRebuild) {
    await ensureReady().catch((error: unknown) => {
      if (!(error instanceof EngineUnavailableError)) throw error;
    });
  }

  /** After the start nothing ends the process: what is configured wrongly keeps this index from answering. */
  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      await ensureReady();
      return await work();
    } catch (error) {
      if (error instanceof ConfigurationError) throw unavailable(error.message, error);
      if (!isMissing(error)) throw error;
      // Another recipe is in use now, or the collection was deleted; the next call looks which.
      ready = false;
      throw unavailable(`there is no ${collections.live}`, error);
    }
  }

  return {
    upsert: (points) =>
      attempt(async () => {
        next.requireSizes(points);
        if (points.length > 0)
          await writeBoth(collections, (target) => target.upsert(points), { live, next });
      }),
    remove: (screenIds) =>
      attempt(async () => {
        if (screenIds.length > 0)
          await writeBoth(collections, (target) => target.remove(screenIds), { live, next });
      }),
    query: async (query) => {
      requireSize(spaces, query.space, query.vector);
      return attempt(() => live.query(query));
    },
    vector: (screenId, space) => attempt(() => live.vector(screenId, space)),
    count: () => attempt(() => live.count()),
    list: (after, limit) => attempt(() => live.list(after, limit)),
    async rebuild() {
      const { resumed } = await collections.begin();
      let promoted = false;
      const target = () => (promoted ? live : next);
      return {
        resumed,
        next: {
          upsert: async (points) => {
            next.requireSizes(points);
            if (points.length > 0) await target().upsert(points);
          },
          remove: async (screenIds) => {
            if (screenIds.length > 0) await target().remove(screenIds);
          },
          query: (query) => target().query(query),
          count: () => target().count(),
          list: (after, limit) => target().list(after, limit),
        },
        async promote() {
          await collections.promote();
          promoted = true;
        },
        async close() {
          if (promoted) await collections.dropUnused();
        },
      };
    },
    close: async () => {},
  };
}

type Points = ReturnType<typeof createPoints>;

/**
 * Next first: should it be promoted in between, its alias is gone, and the alias written then is the one it got.
 * The other way round, what was written to the old one only would be lost.
 */
async function writeBoth(
  collections: Collections,
  write: (target: Points) => Promise<void>,
  { live, next }: { live: Points; next: Points },
): Promise<void> {
  if (await collections.isRebuilding()) {
    await write(next).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }
  await write(live);
}

/** Reads and writes of one collection, which is named by an alias. */
function createPoints(
  { client, asking }: { client: QdrantClient; asking: QdrantClient },
  spaces: VectorSpaces,
  alias: string,
) {
  return {
    requireSizes(points: readonly VectorPoint[]): void {
      for (const { vectors } of points) {
        if (vectors.text !== null) requireSize(spaces, 'text', vectors.text);
        if (vectors.visual !== null) requireSize(spaces, 'visual', vectors.visual);
      }
    },
    async upsert(points: readonly VectorPoint[]): Promise<void> {
      const body = { points: points.map(toStoredPoint), update_filter: olderThan(points) };
      await call(() => client.upsert(alias, { wait: true, ...body }));
    },
    async remove(screenIds: readonly string[]): Promise<void> {
      const filter = { must: [{ key: 'screenId', match: { any: [...screenIds] } }] };
      await call(() => client.delete(alias, { wait: true, filter }));
    },
    query: (query: Parameters<VectorIndex['query']>[0]) => nearest(asking, alias, query),
    async vector(screenId: string, space: VectorSpace): Promise<Float32Array | undefined> {
      const filter = { must: [{ key: 'screenId', match: { value: screenId } }] };
      const { points } = await call(() =>
        asking.scroll(alias, { filter, limit: 1, with_payload: ['screenId'], with_vector: true }),
      );
      const vector = (points[0]?.vector as Record<string, number[]> | undefined)?.[space];
      return vector === undefined ? undefined : Float32Array.from(vector);
    },
    count: async (): Promise<number> => (await call(() => client.count(alias, { exact: true }))).count,
    async list(after: string | undefined, limit: number) {
      const { points, next_page_offset } = await call(() =>
        client.scroll(alias, {
          limit,
          ...(after === undefined ? {} : { offset: after }),
          with_payload: ['screenId', 'version'],
          with_vector: false,
        }),
      );
      return {
        entries: points.map(({ payload }) => ({
          id: String(payload?.['screenId']),
          version: Number(payload?.['version']),
        })),
        next: typeof next_page_offset === 'string' ? next_page_offset : undefined,
      };
    },
  };
}

function requireSize(spaces: VectorSpaces, space: VectorSpace, vector: Float32Array): void {
  const size = spaces.sizes[space];
  if (vector.length === size) return;
  const detail = `A vector of the space ${space} has ${size} numbers; this one has ${vector.length}.`;
  throw new InvalidArgumentError([{ parameter: 'vector', detail }]);
}
