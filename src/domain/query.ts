import type { QueryTerm } from './text.ts';
import type { Platform } from './vocabulary.ts';

/** What a screen must be, whatever the order. An absent member does not filter. */
export interface ScreenFilter {
  appId?: string;
  /** Any of these; kebab-case, not empty. */
  pattern?: readonly string[];
  platform?: Platform;
  /** EVERY one of these must be near a dominant colour of the screen; `#RRGGBB`, 1 to MAX_QUERY_COLORS. */
  colors?: readonly string[];
  /** Distance allowed to each of `colors`, 0 to 50; 0 is the exact colour. */
  colorTolerance?: number;
  /** Never these screens. */
  excludeIds?: readonly string[];
}

/** A position in newest-first order: the last item that was given out. */
export interface NewestPosition {
  capturedAt: string;
  id: string;
}

/** Relevance is a ranking of the moment, so only a position counts, and only this far down. */
export const MAX_RELEVANCE_DEPTH = 1000;

/** A text search, ready for any engine: no engine analyses text itself. */
export interface TextQuery {
  /** Every term must match. Empty: no words asked for. */
  terms: readonly QueryTerm[];
  filter: ScreenFilter;
  /** How many to answer, at least 1. */
  limit: number;
  order:
    | { by: 'newest'; after?: NewestPosition }
    /** Best first, then newest, then id; offset + limit ≤ MAX_RELEVANCE_DEPTH. */
    | { by: 'relevance'; offset: number };
}
