import { execFile as execFileCallback } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { EngineUnavailableError } from '../../src/domain/errors.ts';
import { parseQuery } from '../../src/domain/text.ts';
import { createElasticsearchSearch } from '../../src/engines/elasticsearch/index.ts';
import type { ScreenDocument, SearchIndex } from '../../src/ports/search-index.ts';
import { searchIndexContract } from '../contract/search-index.ts';
import { screenDocument } from '../support/screen-document.ts';
import {
  askJson,
  dropIndexes,
  elasticsearchUrl,
  freshIndexName,
  indexesOf,
} from '../support/elasticsearch.ts';

const execFile = promisify(execFileCallback);
const WRITE_DOCUMENTS = join(import.meta.dirname, '../support/write-documents.ts');

async function open() {
  const url = elasticsearchUrl();
  const name = freshIndexName();
  const openIndex = () => createElasticsearchSearch({ url, index: name });
  const index = openIndex();
  return {
    name,
    index,
    another: async () => openIndex(),
    async writeElsewhere(documents: readonly ScreenDocument[]) {
      const json = documents.map((document) => JSON.stringify(document));
      await execFile(process.execPath, [WRITE_DOCUMENTS, `${url}/${name}`, ...json]);
    },
    async close() {
      await index.close();
      await dropIndexes(name);
    },
  };
}

searchIndexContract('elasticsearch', open);

describe('elasticsearch search', () => {
  const found = async (index: Pick<SearchIndex, 'search'>, q: string) => {
    const order = { by: 'newest' } as const;
    const { hits } = await index.search({ terms: parseQuery(q), filter: {}, limit: 100, order });
    return hits.map((hit) => hit.id).toSorted();
  };
  const ranking = async (index: SearchIndex, q: string) => {
    const order = { by: 'relevance', offset: 0 } as const;
    return (await index.search({ terms: parseQuery(q), filter: {}, limit: 100, order })).hits;
  };
  const captions = (count: number, caption: string) =>
    Array.from({ length: count }, (_, number) => screenDocument(`${caption}-${number}`, { caption }));
  it('takes a misspelt word for the likeliest one before the rare ones', async () => {
    const { index, close } = await open();
    await index.upsert([...captions(5, 'settings'), ...captions(1, 'sittings'), ...captions(20, 'profile')]);
    const hits = await ranking(index, 'setttings');
    expect(hits.slice(0, 5).every(({ id }) => id.startsWith('settings'))).toBe(true);
    expect(hits.at(-1)?.id).toBe('sittings-0');
    await close();
  });

  it('puts screens first where the words stand next to each other, and where the word is the whole text', async () => {
    const { index, close } = await open();
    await index.upsert([
      screenDocument('apart', { caption: 'sign up to get more in less time than ever' }),
      screenDocument('together', { caption: 'here you can sign in to get more of your time' }),
      screenDocument('whole', { caption: 'Sign in' }),
      ...captions(20, 'profile'),
    ]);
    const hits = await ranking(index, 'sign in');
    expect(hits.map(({ id }) => id)).toEqual(['whole', 'together', 'apart']);
    await close();
  });

  it('names the screen that Elasticsearch refuses, writes the others, and takes all of them again', async () => {
    const { index, close } = await open();
    const batch = [
      screenDocument('a'),
      screenDocument('b', { appId: 'x'.repeat(40_000) }),
      screenDocument('c'),
    ];
    await expect(index.upsert(batch)).rejects.toThrow(/^Elasticsearch refused the screen b: .*immense term/);
    await index.upsert([screenDocument('a'), screenDocument('b'), screenDocument('c')]);
    expect(await index.count()).toBe(3);
    await close();
  });

  it('takes back at once what was removed, in whatever version', async () => {
    const { index, close } = await open();
    for (let round = 0; round < 10; round += 1) {
      await index.upsert([screenDocument('a', { version: 9 }), screenDocument('b')]);
      await index.remove(['a']);
      await index.upsert([screenDocument('a', { version: 1, caption: 'back' }), screenDocument('b')]);
      expect(await found(index, 'back')).toEqual(['a']);
      await index.remove(['a']);
    }
    await close();
  });

  it('writes and removes more than one request takes', async () => {
    const { index, close } = await open();
    const words = Array.from({ length: 2000 }, (_, number) => `word${number}`).join(' ');
    const batch = Array.from({ length: 700 }, (_, number) =>
      screenDocument(`s${number}`, { caption: `${words} own${number}` }),
    );
    await index.upsert(batch);
    expect(await index.count()).toBe(700);
    expect(await found(index, 'own699')).toEqual(['s699']);
    await index.remove(batch.slice(1).map(({ id }) => id));
    expect((await index.list(undefined, 10)).map(({ id }) => id)).toEqual(['s0']);
    await close();
  });

  it('counts nothing in an index of another version, so that it is filled again', async () => {
    const { name, index, another, close } = await open();
    await index.upsert([screenDocument('a', { caption: 'welcome' })]);
    const [made = ''] = await indexesOf(name);
    await askJson(`/${made}/_mapping`, { method: 'PUT', body: { _meta: { version: 1 } } });
    const reopened = await another();
    expect(await reopened.count()).toBe(0);
    await reopened.upsert([screenDocument('a', { caption: 'welcome' })]);
    expect(await found(index, 'welcome')).toEqual(['a']);
    expect(await indexesOf(name)).toHaveLength(1);
    await reopened.close();
    await close();
  });

  it('makes the index anew after somebody deleted it, and never one without the mapping', async () => {
    const { name, index, close } = await open();
    await index.upsert([screenDocument('a')]);
    await dropIndexes(name);
    await index.upsert([screenDocument('b')]);
    expect((await index.list(undefined, 10)).map(({ id }) => id)).toEqual(['b']);
    await dropIndexes(name);
    expect(await index.count()).toBe(0);
    expect(await found(index, 'anything')).toEqual([]);
    await close();
  });

  it('makes one index when many start at once', async () => {
    const { name, another, close } = await open();
    const handles = await Promise.all(Array.from({ length: 8 }, another));
    await Promise.all(handles.map((handle, number) => handle.upsert([screenDocument(`s${number}`)])));
    expect(await handles[0]?.count()).toBe(8);
    expect(await indexesOf(name)).toHaveLength(1);
    await Promise.all(handles.map((handle) => handle.close()));
    await close();
  });

  it('is unavailable once it is closed; closing twice is no fault', async () => {
    const { index, close } = await open();
    await index.close();
    await expect(index.count()).rejects.toThrow(EngineUnavailableError);
    await close();
  });

  describe('made anew while it serves', () => {
    it('takes writes of every process, is searched by none before it is promoted, and by all after', async () => {
      const { name, index, another, close } = await open();
      const other = await another();
      await index.upsert([
        screenDocument('kept', { caption: 'plan' }),
        screenDocument('gone', { caption: 'plan' }),
      ]);
      const rebuild = await index.rebuild();
      expect(rebuild.resumed).toBe(false);
      expect(await rebuild.next.count()).toBe(0);
      await rebuild.next.upsert([screenDocument('kept', { caption: 'plan' }), screenDocument('gone')]);
      await other.upsert([
        screenDocument('new', { caption: 'plan' }),
        screenDocument('kept', { version: 2, caption: 'plan b' }),
      ]);
      await other.remove(['gone']);
      // An older version that was read before the write does not come through.
      await rebuild.next.upsert([screenDocument('kept', { version: 1, caption: 'plan' })]);
      expect(await rebuild.next.list(undefined, 10)).toEqual([
        { id: 'kept', version: 2 },
        { id: 'new', version: 1 },
      ]);
      await rebuild.next.remove(['new']);
      expect(await found(rebuild.next, 'plan')).toEqual(['kept']);
      expect(await found(other, 'plan')).toEqual(['kept', 'new']);

      await rebuild.promote();
      expect(await found(other, 'plan')).toEqual(['kept']);
      await rebuild.next.upsert([screenDocument('last', { caption: 'plan' })]);
      await other.upsert([screenDocument('after', { caption: 'plan' })]);
      expect(await rebuild.next.count()).toBe(3);
      expect(await found(index, 'plan')).toEqual(['after', 'kept', 'last']);
      await rebuild.close();
      expect(await indexesOf(name)).toHaveLength(1);
      expect(await found(index, 'plan')).toEqual(['after', 'kept', 'last']);
      await other.close();
      await close();
    });

    it('is taken up where it stopped, unless it is of another version', async () => {
      const { name, index, another, close } = await open();
      const first = await index.rebuild();
      await first.next.upsert([screenDocument('a')]);
      await first.close();
      const second = await (await another()).rebuild();
      expect(second.resumed).toBe(true);
      expect(await second.next.count()).toBe(1);
      const [next = ''] = Object.keys(await askJson(`/_alias/${name}-next`));
      await askJson(`/${next}/_mapping`, { method: 'PUT', body: { _meta: { version: 1 } } });
      const third = await index.rebuild();
      expect(third.resumed).toBe(false);
      expect(await third.next.count()).toBe(0);
      await third.promote();
      await expect(second.next.upsert([screenDocument('b')])).rejects.toThrow(/another process finished/);
      await third.close();
      await close();
    });

    it('fails no search and loses no write while indexes are swapped', async () => {
      const { index, another, close } = await open();
      const writer = await another();
      await index.upsert([screenDocument('always', { caption: 'plan' })]);
      const load = { on: true };
      let searches = 0;
      const searching = (async () => {
        for (; load.on; searches += 1) expect(await found(index, 'plan')).toContain('always');
      })();
      let written = 0;
      const writing = (async () => {
        for (; load.on; written += 1) await writer.upsert([screenDocument(`w${written}`)]);
      })();
      for (let round = 0; round < 5; round += 1) {
        const rebuild = await index.rebuild();
        // The catalogue of this test: what was written when the rebuild had begun.
        const known = Array.from({ length: written + 1 }, (_, number) => screenDocument(`w${number}`));
        await rebuild.next.upsert([screenDocument('always', { caption: 'plan' }), ...known]);
        await rebuild.promote();
        await rebuild.close();
      }
      load.on = false;
      await Promise.all([searching, writing]);
      expect(searches).toBeGreaterThan(0);
      expect(await index.count()).toBe(1 + written);
      await writer.close();
      await close();
    });
  });
});
