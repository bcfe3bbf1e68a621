import { ConfigurationError, EngineUnavailableError } from '../../domain/errors.ts';
import type { IndexRebuild, Rebuildable } from '../../ports/index-rebuild.ts';
import type { SearchIndex, SearchIndexInMaking } from '../../ports/search-index.ts';
import type { VectorIndex, VectorIndexInMaking } from '../../ports/vector-index.ts';
import { createGenerations, type Generations, type GenerationsOptions } from './files.ts';

/*
 * An index of one file, made rebuildable: it is the file in use, and, while a rebuild goes on, writes go to the new
 * file as well. They go there first: should it be promoted in between, the write that follows reaches it as the one
 * in use. The other way round, what was written to the old one only would be lost.
 */

/** The text index over files that `open` opens one of. */
export async function createRebuildableSearch(
  options: GenerationsOptions<SearchIndex>,
): Promise<SearchIndex & Rebuildable<SearchIndexInMaking>> {
  const files = createGenerations(options);
  await files.onLive(async () => {});
  const write = (work: (index: SearchIndex) => Promise<void>) => writeBoth(files, work);
  return {
    upsert: (documents) => write((index) => index.upsert(documents)),
    remove: (ids) => write((index) => index.remove(ids)),
    search: (query) => files.onLive((index) => index.search(query)),
    facets: () => files.onLive((index) => index.facets()),
    count: () => files.onLive((index) => index.count()),
    list: (after, limit) => files.onLive((index) => index.list(after, limit)),
    close: () => files.close(),
    rebuild: async () =>
      rebuildFile(files, (onNew) => ({
        upsert: (documents) => onNew((index) => index.upsert(documents)),
        remove: (ids) => onNew((index) => index.remove(ids)),
        search: (query) => onNew((index) => index.search(query)),
        count: () => onNew((index) => index.count()),
        list: (after, limit) => onNew((index) => index.list(after, limit)),
      })),
  };
}

/**
 * The vectors over files that `open` opens one of.
 * Throws ConfigurationError when `open` does, as it does for vectors of another recipe, unless `forRebuild`: then only
 * calls other than `rebuild` fail.
 */
export async function createRebuildableVectors({
  forRebuild = false,
  ...options
}: GenerationsOptions<VectorIndex> & { forRebuild?: boolean }): Promise<
  VectorIndex & Rebuildable<VectorIndexInMaking>
> {
  const files = createGenerations(options);
  if (!forRebuild) await files.onLive(async () => {});
  const read = <T>(work: (index: VectorIndex) => Promise<T>) => attempt(() => files.onLive(work));
  const write = (work: (index: VectorIndex) => Promise<void>) => attempt(() => writeBoth(files, work));
  return {
    upsert: (points) => write((index) => index.upsert(points)),
    remove: (screenIds) => write((index) => index.remove(screenIds)),
    query: (query) => read((index) => index.query(query)),
    vector: (screenId, space) => read((index) => index.vector(screenId, space)),
    count: () => read((index) => index.count()),
    list: (after, limit) => read((index) => index.list(after, limit)),
    close: () => files.close(),
    rebuild: async () =>
      rebuildFile(files, (onNew) => ({
        upsert: (points) => onNew((index) => index.upsert(points)),
        remove: (screenIds) => onNew((index) => index.remove(screenIds)),
        query: (query) => onNew((index) => index.query(query)),
        count: () => onNew((index) => index.count()),
        list: (after, limit) => onNew((index) => index.list(after, limit)),
      })),
  };
}

async function writeBoth<Index>(
  files: Generations<Index>,
  work: (index: Index) => Promise<void>,
): Promise<void> {
  await files.onNext(work);
  await files.onLive(work);
}

/** Vectors of another model may be put in use while a process runs. It cannot use them; the rest of it goes on. */
async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new EngineUnavailableError('The vector index', { cause: error });
  }
}

function rebuildFile<Index, InMaking>(
  files: Generations<Index>,
  toNext: (onNew: <T>(work: (index: Index) => Promise<T>) => Promise<T>) => InMaking,
): IndexRebuild<InMaking> {
  const { file, resumed } = files.begin();
  let promoted = false;
  return {
    resumed,
    next: toNext((work) => files.onFile(file, work)),
    async promote() {
      files.promote(file);
      promoted = true;
    },
    async close() {
      if (promoted) files.dropUnused();
    },
  };
}
