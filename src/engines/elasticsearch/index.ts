import { EngineUnavailableError } from '../../domain/errors.ts';
import type { Rebuildable } from '../../ports/index-rebuild.ts';
import type { SearchIndex, SearchIndexInMaking } from '../../ports/search-index.ts';
import { MissingAliasError, toWrite, writeAll, type Write } from './bulk.ts';
import { attempt, createClient, type ElasticsearchSettings } from './client.ts';
import { createIndexes } from './indexes.ts';
import { createRebuild } from './rebuild.ts';
import { createSearcher } from './searcher.ts';

/**
 * The text index in Elasticsearch 9, behind an alias. Several processes may read and write it at once. Nothing is asked of
 * Elasticsearch before the first call, so a process starts without it; every call goes to it anew, so it may come and go.
 * An index written by another version of this engine gives way to an empty one.
 * @param index the alias, and the beginning of the names of the indexes behind it
 */
export function createElasticsearchSearch({
  index: name,
  ...settings
}: ElasticsearchSettings & { index: string }): SearchIndex & Rebuildable<SearchIndexInMaking> {
  const client = createClient(settings);
  const indexes = createIndexes(client, name);
  const searcher = createSearcher(client, indexes.current);
  let ready: Promise<void> | undefined;
  let closed = false;

  /** Runs requests once the index is there. */
  async function ask<T>(work: () => Promise<T>): Promise<T> {
    if (closed) throw new EngineUnavailableError('The search index', { cause: new Error('It was closed.') });
    return attempt(async () => {
      ready ??= indexes.ensure();
      try {
        await ready;
        return await work();
      } catch (error) {
        // Somebody may have deleted the index: then the next request makes it anew.
        ready = undefined;
        throw error;
      }
    });
  }

  /** To the index in use, and to the one that is being made while there is one. */
  async function write(writes: readonly Write[]): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const aliases = [indexes.current, ...((await indexes.isRebuilding()) ? [indexes.next] : [])];
      try {
        return await writeAll(client, writes, { aliases, visible: true });
      } catch (error) {
        if (!(error instanceof MissingAliasError)) throw error;
        if (tries === MAX_SWAPS_MET) throw new EngineUnavailableError('The search index', { cause: error });
        await indexes.ensure();
      }
    }
  }

  return {
    upsert: async (documents) => {
      const writes = documents.map(toWrite);
      if (writes.length > 0) await ask(() => write(writes));
    },
    remove: async (ids) => {
      if (ids.length > 0) await ask(() => write(ids.map((id) => ({ id }))));
    },
    search: (query) => ask(() => searcher.search(query)),
    facets: () => ask(() => searcher.facets()),
    count: () => ask(() => searcher.count()),
    list: (after, limit) => ask(() => searcher.list(after, limit)),
    async rebuild() {
      const resumed = await ask(() => indexes.begin());
      return { resumed, ...createRebuild(client, indexes, ask) };
    },
    async close() {
      if (closed) return;
      closed = true;
      await client.close();
    },
  };
}

/** A write meets one swap of the index, hardly a second, never a third. */
const MAX_SWAPS_MET = 3;
