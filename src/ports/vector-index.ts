import type { ScreenFilter } from '../domain/query.ts';
import type { Platform } from '../domain/vocabulary.ts';

/** `text`: what the screen says and is (the embedder's vectors). `visual`: how it is laid out. */
export type VectorSpace = 'text' | 'visual';

/** A screen's vectors with what filters need. */
export interface VectorPoint {
  screenId: string;
  /** UUID, derived from the screen's id; the point's id in engines that want UUIDs. */
  embeddingId: string;
  /** The catalogue's revision that wrote it. A point never overwrites one of a higher version. */
  version: number;
  /** Of the size given at creation; need not be normalised; null where the screen has none in that space. */
  vectors: Record<VectorSpace, Float32Array | null>;
  appId: string;
  platform: Platform;
  pattern: readonly string[];
  /** `#RRGGBB`. */
  colors: readonly string[];
}

export interface VectorQuery {
  space: VectorSpace;
  /** Of that space's size. A wrong size throws InvalidArgumentError naming both sizes. */
  vector: Float32Array;
  filter: ScreenFilter;
  /** At least 1. */
  limit: number;
  /** Cosine; hits below it are left out. */
  minScore?: number;
}

export interface VectorHit {
  screenId: string;
  /** Cosine similarity, -1 to 1. */
  score: number;
}

/** Which model made the `text` vectors, and the sizes of both spaces. Stored beside the vectors. */
export interface VectorSpaces {
  modelId: string;
  sizes: Record<VectorSpace, number>;
}

export interface VectorListing {
  entries: { id: string; version: number }[];
  next: string | undefined;
}

/**
 * Nearest screens by cosine, filters applied before ranking (never after: a selective filter must not lose
 * matches). Equal scores: screenId ascending.
 *
 * Opening an index that holds vectors of another model or size throws ConfigurationError naming
 * `npm run reindex -- --vectors`. Any method throws EngineUnavailableError when the engine cannot be reached.
 */
export interface VectorIndex {
  /** Writes points, all of the batch or none; a point of a lower version than the stored one is skipped. Visible to every process's next query. */
  upsert(points: readonly VectorPoint[]): Promise<void>;
  /** Unknown ids are a no-op. */
  remove(screenIds: readonly string[]): Promise<void>;
  query(query: VectorQuery): Promise<VectorHit[]>;
  /** Stored vector of one screen, normalised; undefined when there is none. */
  vector(screenId: string, space: VectorSpace): Promise<Float32Array | undefined>;
  count(): Promise<number>;
  /** Screen ids and versions in an order of the engine's own. `after` is the `next` of the page before; the last page has none. */
  list(after: string | undefined, limit: number): Promise<VectorListing>;
  close(): Promise<void>;
}

/** What a rebuild needs of the index that it makes. */
export type VectorIndexInMaking = Pick<VectorIndex, 'upsert' | 'remove' | 'query' | 'count' | 'list'>;
