import { execFile as execFileCallback } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openSqliteStores } from '../../src/engines/sql/open.ts';
import { accountsContract } from '../contract/accounts.ts';
import { catalogueContract } from '../contract/catalogue.ts';
import { identitiesContract } from '../contract/identities.ts';
import { oauthStoreContract } from '../contract/oauth-store.ts';

const execFile = promisify(execFileCallback);
const SAVE_SCREENS = join(import.meta.dirname, '../support/save-screens.ts');

async function open() {
  const dir = await mkdtemp(join(tmpdir(), 'vitrine-sql-'));
  const file = join(dir, 'library.db');
  const stores = await openSqliteStores(file);
  return {
    ...stores,
    async saveElsewhere(ids: readonly string[]) {
      await execFile(process.execPath, [SAVE_SCREENS, file, ...ids]);
    },
    async close() {
      await stores.close();
      await rm(dir, { recursive: true });
    },
  };
}

catalogueContract('sqlite', open);
accountsContract('sqlite', open);
identitiesContract('sqlite', open);
oauthStoreContract('sqlite', open);

describe('sqlite', () => {
  it('keeps what an ingest has worked out until it is forgotten', async () => {
    const { journal, close } = await open();
    await journal.write('abc', 'colors', [{ hex: '#FFFFFF', share: 1 }]);
    await journal.write('abc', 'text', 'first');
    await journal.write('abc', 'text', 'second');
    expect(await journal.read('abc')).toEqual({ colors: [{ hex: '#FFFFFF', share: 1 }], text: 'second' });
    expect(await journal.read('other')).toEqual({});
    expect(await journal.images()).toEqual(['abc']);
    await journal.forget('abc');
    expect(await journal.images()).toEqual([]);
    await close();
  });
});
