import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgresStores } from '../../src/engines/sql/open-postgres.ts';
import { writeFolder } from '../ingest/folder.ts';
import { environmentWith } from '../support/environment.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { S3_CREDENTIALS, S3_REGION, startS3, type TestS3 } from '../support/s3.ts';

const ROOT = join(import.meta.dirname, '../..');

let postgres: TestPostgres;
let s3: TestS3;
let dir: string;
beforeAll(async () => {
  [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  dir = await mkdtemp(join(tmpdir(), 'vitrine-both-'));
});
afterAll(async () => {
  await Promise.all([postgres.close(), s3.close()]);
  await rm(dir, { recursive: true });
});

async function run(
  settings: Record<string, string>,
  script: string,
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    env: environmentWith({ ...settings, LOG_LEVEL: 'silent' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

it('takes in from two processes at once, part of it the same, without a duplicate or a lost row', async () => {
  const database = await postgres.createDatabase();
  const settings = {
    ...S3_CREDENTIALS,
    DATA_DIR: join(dir, 'data'),
    DATABASE_URL: database,
    S3_BUCKET: await s3.createBucket(),
    S3_ENDPOINT: s3.endpoint,
    S3_REGION,
  };
  const [one, other, both] = ['one', 'other', 'shared'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  const ids = [
    ...(await writeFolder(one, 6, 'one')),
    ...(await writeFolder(other, 6, 'other')),
    ...(await writeFolder(both, 6, 'shared')),
  ];

  const inOrder = async (...folders: string[]) => {
    const codes: number[] = [];
    for (const folder of folders) codes.push((await run(settings, 'scripts/ingest.ts', folder)).code);
    return codes;
  };
  expect(await Promise.all([inOrder(both, one), inOrder(both, other)])).toEqual([
    [0, 0],
    [0, 0],
  ]);

  const { catalogue, close } = await openPostgresStores(database);
  const screens = await catalogue.screens(ids);
  expect(screens.map(({ id }) => id)).toEqual(ids);
  expect(await catalogue.countScreens()).toBe(ids.length);
  expect((await catalogue.flows({}, { limit: 10 })).total).toBe(3);
  for (const target of ['text', 'vectors'] as const) expect(await catalogue.pending(target, 1)).toEqual([]);
  await close();
  expect(await run(settings, 'scripts/doctor.ts')).toEqual({ code: 0, output: 'No difference.\n' });
});
