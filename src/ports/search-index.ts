import type { ColorShare } from '../domain/color.ts';
import type { TextQuery } from '../domain/query.ts';
import type { Platform } from '../domain/vocabulary.ts';

/** What the text index knows of a screen. Derived from the catalogue; can be rebuilt at any time. */
export interface ScreenDocument {
  id: string;
  /** The catalogue's revision that wrote it. A document never overwrites one of a higher version. */
  version: number;
  appId: string;
  pattern: readonly string[];
  platform: Platform;
  colors: readonly ColorShare[];
  caption?: string;
  ocrText?: string;
  capturedAt: string;
}

export interface SearchHit {
  id: string;
  /** Relevance, higher is better, comparable within one answer only; 0 in newest order and without terms. */
  score: number;
  capturedAt: string;
}

export interface SearchPage {
  hits: SearchHit[];
  /** Exactly how many screens match, whatever the page. */
  total: number;
}

/** Exact counts over everything indexed, largest first, then by name. */
export interface Facets {
  patterns: { value: string; count: number }[];
  apps: { value: string; count: number }[];
  platforms: { value: string; count: number }[];
}

/**
 * Text, pattern and colour search over screens. Every engine answers the same sets and totals for the same
 * question; relevance scores may differ between engines, order among equal scores may not: newest
 * `capturedAt` first, then `id` ascending.
 *
 * Any method throws EngineUnavailableError when the engine cannot be reached.
 */
export interface SearchIndex {
  /**
   * Writes documents; none of a batch in which one has a colour that is none. A document whose version is lower than
   * the stored one is skipped; the same version again is a no-op, so a batch that failed midway can be written again.
   * Visible to every process's next search.
   */
  upsert(documents: readonly ScreenDocument[]): Promise<void>;
  /** Forgets documents. Unknown ids are a no-op. */
  remove(ids: readonly string[]): Promise<void>;
  search(query: TextQuery): Promise<SearchPage>;
  facets(): Promise<Facets>;
  count(): Promise<number>;
  /** Ids and versions in ascending id order, for comparison with the catalogue. `after` is exclusive. */
  list(after: string | undefined, limit: number): Promise<{ id: string; version: number }[]>;
  close(): Promise<void>;
}

/** What a rebuild needs of the index that it makes. */
export type SearchIndexInMaking = Pick<SearchIndex, 'upsert' | 'remove' | 'search' | 'count' | 'list'>;
