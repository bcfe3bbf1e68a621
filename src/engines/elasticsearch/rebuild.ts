import type { Client } from '@elastic/elasticsearch';
import type { IndexRebuild } from '../../ports/index-rebuild.ts';
import type { SearchIndexInMaking } from '../../ports/search-index.ts';
import { MissingAliasError, toWrite, writeAll, type Write } from './bulk.ts';
import type { Indexes } from './indexes.ts';
import { createSearcher } from './searcher.ts';

/**
 * The index behind the alias `next`, and its way to become the current one.
 * @param ask runs requests and translates their errors
 */
export function createRebuild(
  client: Client,
  indexes: Indexes,
  ask: <T>(work: () => Promise<T>) => Promise<T>,
): Omit<IndexRebuild<SearchIndexInMaking>, 'resumed'> {
  let alias = indexes.next;
  /** Writes are shown when something is read, not one by one: making them visible takes longer than writing them. */
  let hidden = true;

  async function write(writes: readonly Write[]): Promise<void> {
    hidden = true;
    try {
      await ask(() => writeAll(client, writes, { aliases: [alias], visible: false }));
    } catch (error) {
      if (!(error instanceof MissingAliasError)) throw error;
      throw new Error(
        'The index that was being made is there no more: another process finished or dropped it.',
        {
          cause: error,
        },
      );
    }
  }

  function read<T>(work: (searcher: ReturnType<typeof createSearcher>) => Promise<T>): Promise<T> {
    return ask(async () => {
      if (hidden) await client.indices.refresh({ index: alias });
      hidden = false;
      return work(createSearcher(client, alias));
    });
  }

  return {
    next: {
      upsert: async (documents) => write(documents.map(toWrite)),
      remove: (ids) => write(ids.map((id) => ({ id }))),
      search: (query) => read((searcher) => searcher.search(query)),
      count: () => read((searcher) => searcher.count()),
      list: (after, limit) => read((searcher) => searcher.list(after, limit)),
    },
    async promote() {
      await ask(async () => {
        // Searches must not meet it half visible.
        await client.indices.refresh({ index: indexes.next });
        await indexes.promote();
      });
      alias = indexes.current;
    },
    async close() {
      if (alias === indexes.current) await ask(() => indexes.dropUnused());
    },
  };
}
