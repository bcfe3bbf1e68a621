import { execFile as execFileCallback } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ConfigurationError, EngineUnavailableError } from '../../src/domain/errors.ts';
import { parseQuery } from '../../src/domain/text.ts';
import { createSqliteSearch } from '../../src/engines/sqlite-search/index.ts';
import type { ScreenDocument } from '../../src/ports/search-index.ts';
import { searchIndexContract } from '../contract/search-index.ts';
import { screenDocument } from '../support/screen-document.ts';

const execFile = promisify(execFileCallback);
const WRITE_DOCUMENTS = join(import.meta.dirname, '../support/write-documents.ts');

async function open() {
  const dir = await mkdtemp(join(tmpdir(), 'vitrine-search-'));
  const file = join(dir, 'index.db');
  const index = await createSqliteSearch({ file });
  return {
    file,
    index,
    another: () => createSqliteSearch({ file }),
    async writeElsewhere(documents: readonly ScreenDocument[]) {
      const json = documents.map((document) => JSON.stringify(document));
      await execFile(process.execPath, [WRITE_DOCUMENTS, file, ...json]);
    },
    async close() {
      await index.close();
      await rm(dir, { recursive: true });
    },
  };
}

searchIndexContract('sqlite', open);

describe('sqlite search', () => {
  const ranking = async (index: Awaited<ReturnType<typeof open>>['index'], q: string) => {
    const order = { by: 'relevance', offset: 0 } as const;
    const { hits } = await index.search({ terms: parseQuery(q), filter: {}, limit: 100, order });
    return hits.map((hit) => hit.id);
  };
  const captions = (count: number, caption: string) =>
    Array.from({ length: count }, (_, number) => screenDocument(`${caption}-${number}`, { caption }));

  it('takes a misspelt word for the likeliest one before the rare ones', async () => {
    const { index, close } = await open();
    await index.upsert([...captions(5, 'settings'), ...captions(1, 'sittings'), ...captions(20, 'profile')]);
    const ids = await ranking(index, 'setttings');
    expect(ids.slice(0, 5).every((id) => id.startsWith('settings'))).toBe(true);
    expect(ids.at(-1)).toBe('sittings-0');
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
    expect(await ranking(index, 'sign in')).toEqual(['whole', 'together', 'apart']);
    await close();
  });

  it('counts nothing in an index of another version, so that it is filled again', async () => {
    const { file, index, another, close } = await open();
    await index.upsert([screenDocument('a', { caption: 'welcome' })]);
    await index.close();
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 1');
    database.close();
    const reopened = await another();
    expect(await reopened.count()).toBe(0);
    await reopened.upsert([screenDocument('a', { caption: 'welcome' })]);
    await reopened.close();
    const again = await another();
    expect(await again.count()).toBe(1);
    await again.close();
    await close();
  });

  it('refuses a file that is no database, and leaves it alone', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'vitrine-search-'));
    const file = join(dir, 'index.db');
    await writeFile(file, 'precious '.repeat(200));
    await expect(createSqliteSearch({ file })).rejects.toThrow(ConfigurationError);
    await expect(createSqliteSearch({ file })).rejects.toThrow(/npm run reindex -- --text/);
    await expect(createSqliteSearch({ file: join(dir, 'none', 'index.db') })).rejects.toThrow(
      EngineUnavailableError,
    );
    await rm(dir, { recursive: true });
  });

  it('is unavailable once it is closed; closing twice is no fault', async () => {
    const { index, close } = await open();
    await index.close();
    await expect(index.count()).rejects.toThrow(EngineUnavailableError);
    await close();
  });
});
