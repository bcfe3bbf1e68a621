import type { AppRecord, FlowRecord, ScreenRecord } from '../domain/screen.ts';
import type { NewestPosition } from '../domain/query.ts';
import type { Platform } from '../domain/vocabulary.ts';

/** A derived index that follows the catalogue. */
export type IndexTarget = 'text' | 'vectors';
export const INDEX_TARGETS: readonly IndexTarget[] = ['text', 'vectors'];

/** A screen with the revision that last wrote it. */
export interface VersionedScreen {
  record: ScreenRecord;
  version: number;
}

/** Work an index still has to do for one screen. */
export interface PendingEntry {
  screenId: string;
  target: IndexTarget;
  /** The revision that asked for it. A later write of the screen asks anew, with a higher one. */
  version: number;
}

export interface FlowFilter {
  appId?: string;
  /** kebab-case. */
  type?: string;
  /** Any of the flow's screens is on it. */
  platform?: Platform;
}

/** Two screens that show the same thing, or nearly. `screenId` < `otherId`. */
export interface NearDuplicate {
  screenId: string;
  otherId: string;
  kind: 'identical' | 'near';
}

/** What one transaction of ingest writes. */
export interface CatalogueChange {
  apps?: readonly AppRecord[];
  screens?: readonly ScreenRecord[];
  flows?: readonly FlowRecord[];
  nearDuplicates?: readonly NearDuplicate[];
}

/**
 * The source of truth for apps, screens and flows.
 *
 * `save` and `removeScreens` are each one transaction, that also queues the index work and raises the revision:
 * either all of it is there afterwards, or nothing.
 */
export interface Catalogue {
  screen(id: string): Promise<ScreenRecord | undefined>;
  /** In the order asked for; unknown ids are left out. */
  screens(ids: readonly string[]): Promise<ScreenRecord[]>;
  /** The same with each record's version. */
  versionedScreens(ids: readonly string[]): Promise<VersionedScreen[]>;
  flow(id: string): Promise<FlowRecord | undefined>;
  /** Newest `capturedAt` first, then id ascending; `total` counts all that match. */
  flows(
    filter: FlowFilter,
    page: { limit: number; after?: NewestPosition },
  ): Promise<{ flows: FlowRecord[]; total: number }>;
  /** Flows that contain the screen, id ascending, with the position of the screen in each, from 0. */
  flowsOf(screenId: string): Promise<{ flow: FlowRecord; step: number }[]>;
  apps(): Promise<AppRecord[]>;
  flowTypes(): Promise<{ value: string; count: number }[]>;

  /** Inserts or replaces by id. A flow naming an unknown screen throws InvalidArgumentError and nothing is written. */
  save(change: CatalogueChange): Promise<void>;
  /** Removes screens, their near-duplicate links, and their places in flows. Unknown ids are a no-op. */
  removeScreens(ids: readonly string[]): Promise<void>;
  /** Every link that one of the screens takes part in. */
  nearDuplicates(ids: readonly string[]): Promise<NearDuplicate[]>;
  /** For de-duplication at ingest: every screen's hashes, id ascending. */
  fingerprints(): Promise<{ id: string; sha256: string; pHash?: string }[]>;

  /** Rises with every committed write of any process. */
  revision(): Promise<number>;
  /** Ids and versions in ascending id order. `after` is exclusive. */
  list(after: string | undefined, limit: number): Promise<{ id: string; version: number }[]>;
  countScreens(): Promise<number>;
  /** Every image key that a record refers to. */
  imageKeys(): Promise<string[]>;

  /** Oldest first. A screen that is gone from the catalogue is to be removed from the index. */
  pending(target: IndexTarget, limit: number): Promise<PendingEntry[]>;
  /**
   * The same for a caller who will do it: until `until` others get what is left, then it is free again, as it is when the
   * screen is written anew. Two callers never get the same entry, from whatever processes they ask.
   */
  takePending(target: IndexTarget, limit: number, time: { now: Date; until: Date }): Promise<PendingEntry[]>;
  /** Frees entries that were taken and could not be done. */
  returnPending(entries: readonly PendingEntry[]): Promise<void>;
  /** Forgets the work that was done. An entry that a later write replaced stays. */
  settle(entries: readonly PendingEntry[]): Promise<void>;
}
