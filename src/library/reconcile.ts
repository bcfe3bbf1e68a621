import type { VersionedScreen } from '../ports/catalogue.ts';
import type { SearchIndexInMaking } from '../ports/search-index.ts';
import type { VectorIndexInMaking } from '../ports/vector-index.ts';
import { toDocument, toPoints } from './index-pending.ts';
import { readVectorVersions, readVersions } from './indexed-versions.ts';
import type { LibraryPorts } from './ports.ts';

const BATCH_SCREENS = 200;

/** One index, as far as comparing it with the catalogue and writing screens into it goes. */
export interface ComparedIndex {
  versions(): Promise<Map<string, number>>;
  /** Tells which of the screens it holds: one without an embeddingId has no vectors. */
  write(screens: readonly VersionedScreen[]): Promise<string[]>;
  remove(ids: readonly string[]): Promise<void>;
}

export function comparedSearch(
  index: Pick<SearchIndexInMaking, 'list' | 'upsert' | 'remove'>,
): ComparedIndex {
  return {
    versions: () => readVersions(index),
    async write(screens) {
      await index.upsert(screens.map(toDocument));
      return screens.map(({ record }) => record.id);
    },
    remove: (ids) => index.remove(ids),
  };
}

export function comparedVectors(
  ports: Pick<LibraryPorts, 'catalogue' | 'embedder'>,
  index: Pick<VectorIndexInMaking, 'list' | 'upsert' | 'remove'>,
): ComparedIndex {
  return {
    versions: () => readVectorVersions(index),
    async write(screens) {
      const points = await toPoints(ports, screens);
      await index.upsert(points);
      return points.map(({ screenId }) => screenId);
    },
    remove: (ids) => index.remove(ids),
  };
}

/** What an index lacked, or had too much, when it was compared; all of it is mended since. */
export interface Differences {
  /** Screen id → version in the catalogue, of those that were missing or of another version. */
  behind: ReadonlyMap<string, number>;
  /** Ids that the catalogue did not have. */
  surplus: ReadonlySet<string>;
}

/**
 * Compares an index with the catalogue once and mends what differs, while anybody may write both. What is written or
 * removed meanwhile may be among the differences; nothing of it is undone.
 * @param onDone called with the number of screens that are known to be right
 */
export async function reconcile(
  catalogue: LibraryPorts['catalogue'],
  index: ComparedIndex,
  { onDone, signal }: { onDone?: (done: number) => void; signal?: AbortSignal } = {},
): Promise<Differences> {
  // In this order: a screen of the index that the catalogue then lacks has been removed, and is not just being added.
  const found = await index.versions();
  const expected = await readVersions(catalogue);
  const different = [...expected].filter(([id, version]) => found.get(id) !== version).map(([id]) => id);
  const surplus = new Set([...found.keys()].filter((id) => !expected.has(id)));
  // Newer than the catalogue: that of a catalogue which was since restored. No upsert would replace them.
  const ahead = [...found].filter(([id, version]) => version > (expected.get(id) ?? Infinity));

  let done = expected.size - different.length;
  onDone?.(done);
  for (const ids of batches([...surplus, ...ahead.map(([id]) => id)])) {
    signal?.throwIfAborted();
    await index.remove(ids);
    // One that was added again meanwhile may have been written before it was removed here.
    await index.write(await catalogue.versionedScreens(ids));
  }
  const behind = new Map<string, number>();
  for (const ids of batches(different)) {
    signal?.throwIfAborted();
    for (const id of await index.write(await catalogue.versionedScreens(ids))) {
      behind.set(id, expected.get(id) ?? 0);
    }
    onDone?.((done += ids.length));
  }
  return { behind, surplus };
}

function batches(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / BATCH_SCREENS) }, (_, number) =>
    ids.slice(number * BATCH_SCREENS, (number + 1) * BATCH_SCREENS),
  );
}
