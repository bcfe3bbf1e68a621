import { parseQuery } from '../domain/text.ts';
import type { IndexTarget, VersionedScreen } from '../ports/catalogue.ts';
import type { IndexRebuild, Rebuildable } from '../ports/index-rebuild.ts';
import type { SearchIndexInMaking } from '../ports/search-index.ts';
import type { VectorIndexInMaking } from '../ports/vector-index.ts';
import { toPoints } from './index-pending.ts';
import type { LibraryPorts } from './ports.ts';
import {
  comparedSearch,
  comparedVectors,
  reconcile,
  type ComparedIndex,
  type Differences,
} from './reconcile.ts';

/** Each index while it serves, and how it is made anew. */
export interface RebuildableIndexes {
  text: Rebuildable<SearchIndexInMaking>;
  vectors: Rebuildable<VectorIndexInMaking>;
}

type ReindexPorts = Pick<LibraryPorts, 'catalogue' | 'embedder'>;

export interface ReindexReport {
  /** An interrupted run was taken up. */
  resumed: boolean;
  screens: number;
}

/** One or two are the rule; others are for what is removed meanwhile. */
const MAX_COMPARISONS = 20;
/** Screens that are searched for in the new index before it is used. */
const SAMPLED_SCREENS = 25;
/** A sampled screen is looked for among so many. */
const SAMPLE_DEPTH = 1000;
const SAMPLED_WORDS = 4;

/**
 * Makes one index anew from the catalogue while the old one serves and while anybody writes: fills it, compares it
 * with the catalogue until they agree, searches it for a sample of screens, puts it in use, and drops the old one.
 * Interrupted at any point, it goes on where it stopped when it is called again.
 * Throws EngineUnavailableError when the engine is down, and Error when the new index does not prove right: then the
 * old one stays in use.
 */
export async function reindex(
  ports: ReindexPorts,
  indexes: RebuildableIndexes,
  target: IndexTarget,
  onDone: (done: number) => void = () => {},
): Promise<ReindexReport> {
  switch (target) {
    case 'text': {
      const rebuild = await indexes.text.rebuild();
      const find = (screen: VersionedScreen) => isFoundByWords(rebuild.next, screen);
      return replace(ports, rebuild, { index: comparedSearch(rebuild.next), find, onDone });
    }
    case 'vectors': {
      const rebuild = await indexes.vectors.rebuild();
      const find = (screen: VersionedScreen) => isFoundByVector(ports, rebuild.next, screen);
      return replace(ports, rebuild, { index: comparedVectors(ports, rebuild.next), find, onDone });
    }
    default:
      return target satisfies never;
  }
}

interface Making {
  index: ComparedIndex;
  /** Does the new index find this screen where it must? */
  find: (screen: VersionedScreen) => Promise<boolean>;
  onDone: (done: number) => void;
}

async function replace(
  { catalogue }: ReindexPorts,
  rebuild: IndexRebuild<{ count(): Promise<number> }>,
  { index, find, onDone }: Making,
): Promise<ReindexReport> {
  try {
    const filledFrom = await catalogue.revision();
    await reconcile(catalogue, index, { onDone });
    await agree(catalogue, index, filledFrom);
    await verify(catalogue, find);
    await rebuild.promote();
    // Of what was written just before, some may have gone to the old index alone: by a process that looked for the new
    // one too early, or that makes vectors by another model.
    await agree(catalogue, index, Infinity);
    return { resumed: rebuild.resumed, screens: await rebuild.next.count() };
  } finally {
    await rebuild.close();
  }
}

/**
 * Compares and mends until nothing differs but what was written or removed meanwhile.
 * @param from the revision up to which everything is mended already, unless something went wrong
 */
async function agree(
  catalogue: LibraryPorts['catalogue'],
  index: ComparedIndex,
  from: number,
): Promise<void> {
  let settled = from;
  let surplus: Differences['surplus'] | undefined;
  for (let comparison = 0; comparison < MAX_COMPARISONS; comparison += 1) {
    const revision = await catalogue.revision();
    const found = await reconcile(catalogue, index);
    const old = [...found.behind.values()].some((version) => version <= settled);
    const again = [...found.surplus].some((id) => surplus?.has(id) ?? true);
    if (!old && !again) return;
    settled = revision;
    surplus = found.surplus;
  }
  throw new Error(
    `The new index still differs from the catalogue after ${MAX_COMPARISONS} comparisons. The same command goes on with it.`,
  );
}

async function verify(catalogue: LibraryPorts['catalogue'], find: Making['find']): Promise<void> {
  const ids = await sampleOf(catalogue);
  for (const screen of await catalogue.versionedScreens(ids)) {
    if (await find(screen)) continue;
    // It may have been written or removed since it was read.
    const [now] = await catalogue.versionedScreens([screen.record.id]);
    if (now?.version !== screen.version) continue;
    throw new Error(
      `The new index does not find screen ${screen.record.id}. The old one stays in use; run the command again.`,
    );
  }
}

/** Ids spread over the whole catalogue. */
async function sampleOf(catalogue: LibraryPorts['catalogue']): Promise<string[]> {
  const screens = await catalogue.countScreens();
  const [all] = [await catalogue.list(undefined, screens)];
  const step = Math.max(1, Math.floor(all.length / SAMPLED_SCREENS));
  return all.filter((_, place) => place % step === 0).map(({ id }) => id);
}

async function isFoundByWords(
  next: Pick<SearchIndexInMaking, 'search'>,
  { record }: VersionedScreen,
): Promise<boolean> {
  const words = (record.caption ?? record.ocrText ?? '').split(/\s+/u).slice(0, SAMPLED_WORDS).join(' ');
  const { appId, platform } = record;
  const { hits, total } = await next.search({
    terms: parseQuery(words.replaceAll('"', ' ')),
    filter: { appId, platform },
    limit: SAMPLE_DEPTH,
    order: { by: 'newest' },
  });
  return hits.some(({ id }) => id === record.id) || total > SAMPLE_DEPTH;
}

async function isFoundByVector(
  ports: ReindexPorts,
  next: Pick<VectorIndexInMaking, 'query'>,
  screen: VersionedScreen,
): Promise<boolean> {
  const [point] = await toPoints(ports, [screen]);
  const vector = point?.vectors.text;
  if (vector === undefined || vector === null) return true;
  const { appId, platform } = screen.record;
  const hits = await next.query({ space: 'text', vector, filter: { appId, platform }, limit: SAMPLE_DEPTH });
  return hits.some(({ screenId }) => screenId === screen.record.id) || hits.length === SAMPLE_DEPTH;
}
