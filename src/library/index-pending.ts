import { setTimeout as sleep } from 'node:timers/promises';
import type { IndexTarget, PendingEntry, VersionedScreen } from '../ports/catalogue.ts';
import type { ScreenDocument } from '../ports/search-index.ts';
import type { VectorPoint } from '../ports/vector-index.ts';
import { composePassage, embedPassages, type PassagePart } from './passage.ts';
import type { LibraryPorts } from './ports.ts';

const BATCH_SCREENS = 200;
/** How long a process that dies keeps its batch from the others; a slow one may lose it, and both then write the same. */
const TAKEN_MS = 15_000;
/** Between two looks at work that another process has taken. */
const OTHERS_MS = 100;

export type IndexPorts = Pick<LibraryPorts, 'catalogue' | 'search' | 'vectors' | 'embedder'>;

export interface IndexingProgress {
  target: IndexTarget;
  /** Screens brought up to date so far in this call. */
  done: number;
}

/**
 * Brings one index up to date with the catalogue: oldest work first, until none is left. Several processes share the
 * work when they do this at once, and each ends when all of it is done. Every entry is written from the record as it now
 * stands, and no index lets an older version replace a newer one. Work is settled only after the index has taken it, so an engine that is down loses nothing.
 * Throws EngineUnavailableError when it is.
 * @returns how many screens were written or removed
 */
export async function indexPending(
  ports: IndexPorts,
  target: IndexTarget,
  options: { signal?: AbortSignal; onProgress?: (progress: IndexingProgress) => void } = {},
): Promise<number> {
  let done = 0;
  for (;;) {
    options.signal?.throwIfAborted();
    const entries = await take(ports.catalogue, target);
    if (entries.length === 0) {
      if ((await ports.catalogue.pending(target, 1)).length === 0) return done;
      await sleep(OTHERS_MS);
      continue;
    }
    try {
      await writeBatch(ports, target, entries);
    } catch (error) {
      // Nobody is to wait for what this process does not do; where that fails too, it is free again by itself.
      await ports.catalogue.returnPending(entries).catch(() => {});
      throw error;
    }
    await ports.catalogue.settle(entries);
    done += entries.length;
    options.onProgress?.({ target, done });
  }
}

function take(catalogue: IndexPorts['catalogue'], target: IndexTarget): Promise<PendingEntry[]> {
  const now = new Date();
  return catalogue.takePending(target, BATCH_SCREENS, { now, until: new Date(now.getTime() + TAKEN_MS) });
}

async function writeBatch(ports: IndexPorts, target: IndexTarget, entries: PendingEntry[]): Promise<void> {
  const screens = await ports.catalogue.versionedScreens(entries.map((entry) => entry.screenId));
  const present = new Set(screens.map(({ record }) => record.id));
  const gone = entries.map((entry) => entry.screenId).filter((id) => !present.has(id));
  switch (target) {
    case 'text':
      await ports.search.upsert(screens.map(toDocument));
      await ports.search.remove(gone);
      break;
    case 'vectors':
      await ports.vectors.upsert(await toPoints(ports, screens));
      await ports.vectors.remove(gone);
      break;
    default:
      target satisfies never;
  }
}

/** What the text index knows of a screen. */
export function toDocument({ record, version }: VersionedScreen): ScreenDocument {
  return {
    id: record.id,
    version,
    appId: record.appId,
    pattern: record.pattern,
    platform: record.platform,
    colors: record.colors,
    ...(record.caption === undefined ? {} : { caption: record.caption }),
    ...(record.ocrText === undefined ? {} : { ocrText: record.ocrText }),
    capturedAt: record.capturedAt,
  };
}

/** The screens' vectors, made anew. A screen without an embeddingId has none. */
export async function toPoints(
  ports: Pick<LibraryPorts, 'catalogue' | 'embedder'>,
  screens: readonly VersionedScreen[],
): Promise<VectorPoint[]> {
  const embedded = screens.filter(
    (screen): screen is VersionedScreen & { record: { embeddingId: string } } =>
      screen.record.embeddingId !== undefined,
  );
  const passages: PassagePart[][] = [];
  for (const { record } of embedded) {
    const flows = (await ports.catalogue.flowsOf(record.id)).map(({ flow }) => flow);
    passages.push(composePassage(record, flows));
  }
  const vectors = await embedPassages(ports.embedder, passages);
  return embedded.map(({ record, version }, index) => ({
    screenId: record.id,
    embeddingId: record.embeddingId,
    version,
    vectors: {
      text: vectors[index] ?? null,
      visual: record.layout === undefined ? null : Float32Array.from(record.layout),
    },
    appId: record.appId,
    platform: record.platform,
    pattern: record.pattern,
    colors: record.colors.map((color) => color.hex),
  }));
}
