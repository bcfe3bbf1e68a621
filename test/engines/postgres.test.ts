import { execFile as execFileCallback } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigurationError, EngineUnavailableError } from '../../src/domain/errors.ts';
import { openPostgresStores } from '../../src/engines/sql/open-postgres.ts';
import { accountsContract } from '../contract/accounts.ts';
import { catalogueContract } from '../contract/catalogue.ts';
import { identitiesContract } from '../contract/identities.ts';
import { ingestJournalContract } from '../contract/ingest-journal.ts';
import { oauthStoreContract } from '../contract/oauth-store.ts';
import { environmentWith } from '../support/environment.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { screenRecord } from '../support/screen-record.ts';

const execFile = promisify(execFileCallback);
const ROOT = join(import.meta.dirname, '../..');
const SAVE_SCREENS = join(import.meta.dirname, '../support/save-screens.ts');

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

async function open() {
  const url = await postgres.createDatabase();
  return {
    ...(await openPostgresStores(url)),
    async saveElsewhere(ids: readonly string[]) {
      await execFile(process.execPath, [SAVE_SCREENS, url, ...ids]);
    },
  };
}

catalogueContract('postgres', open);
accountsContract('postgres', open);
identitiesContract('postgres', open);
oauthStoreContract('postgres', open);
ingestJournalContract('postgres', open);

describe('postgres', () => {
  it('brings the schema up to date once, however many processes start at the same time', async () => {
    const url = await postgres.createDatabase();
    const opened = await Promise.all(Array.from({ length: 4 }, () => openPostgresStores(url)));
    for (const { catalogue } of opened) expect(await catalogue.countScreens()).toBe(0);
    await Promise.all(opened.map((stores) => stores.close()));
  });

  it('tells a refused password and an absent database from a server that is away', async () => {
    const url = await postgres.createDatabase();
    const refused = openPostgresStores(postgres.withPassword(url, 'wrong'));
    await expect(refused).rejects.toThrow(ConfigurationError);
    await expect(refused).rejects.toThrow(/DATABASE_URL/);
    await expect(openPostgresStores(`${url}_none`)).rejects.toThrow(ConfigurationError);
    const away = openPostgresStores('postgres://vitrine@127.0.0.1:9/library');
    await expect(away).rejects.toThrow(EngineUnavailableError);
  });

  it('is named in one line, without the password, by a command and a server that cannot reach it', async () => {
    const address = 'postgres://vitrine:a-password@127.0.0.1:9/library';
    const env = environmentWith({ DATABASE_URL: address, DATA_DIR: tmpdir() });
    for (const program of [['scripts/users.ts', 'list'], ['src/main.ts']]) {
      const ended = execFile(process.execPath, program, { cwd: ROOT, env });
      await expect(ended).rejects.toMatchObject({
        code: 1,
        stderr: 'Postgres cannot be reached at the moment. (connect ECONNREFUSED 127.0.0.1:9)\n',
      });
    }
  });

  it('finds nothing under an id with a character that its text cannot hold, and stores the rest of such a text', async () => {
    const { catalogue, close } = await open();
    expect(await catalogue.screen('a\0b')).toBeUndefined();
    await catalogue.save({ screens: [screenRecord('a', { caption: 'one\0two' })] });
    expect((await catalogue.screen('a'))?.caption).toBe('one\uFFFDtwo');
    await close();
  });

  it('orders by code points, whatever the locale', async () => {
    const { catalogue, close } = await open();
    const ids = ['b', 'B', 'a-b', 'aB', 'é', 'z', '_'];
    await catalogue.save({ screens: ids.map((id) => screenRecord(id)) });
    const listed = (await catalogue.list(undefined, 10)).map(({ id }) => id);
    expect(listed).toEqual(ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    await close();
  });
});
