import { execFile as execFileCallback } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openSqliteStores } from '../../src/engines/sql/open-sqlite.ts';
import { accountsContract } from '../contract/accounts.ts';
import { catalogueContract } from '../contract/catalogue.ts';
import { identitiesContract } from '../contract/identities.ts';
import { ingestJournalContract } from '../contract/ingest-journal.ts';
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
ingestJournalContract('sqlite', open);
