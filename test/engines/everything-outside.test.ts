import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openLibrary } from '../../src/wire.ts';
import { writeFolder } from '../ingest/folder.ts';
import { openTestEngines, type TestEngines } from '../support/engines.ts';
import { environmentWith } from '../support/environment.ts';
import { startQdrantStub, type QdrantStub } from '../support/qdrant-stub.ts';
import { S3_CREDENTIALS } from '../support/s3.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['one', 'other', 'shared'];
const SCREENS = 6;

let engines: TestEngines;
let qdrant: QdrantStub;
let settings: Record<string, string>;
let dir: string;
beforeAll(async () => {
  [engines, qdrant] = await Promise.all([openTestEngines(), startQdrantStub()]);
  settings = { ...S3_CREDENTIALS, ...engines.settings, QDRANT_URL: qdrant.url, LOG_LEVEL: 'silent' };
  dir = await mkdtemp(join(tmpdir(), 'vitrine-outside-'));
});
afterAll(async () => {
  await Promise.all([engines.close(), qdrant.close()]);
  await rm(dir, { recursive: true });
});

/** A command with a data folder of its own, as on a machine of its own. */
async function run(machine: string, script: string, ...args: string[]) {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    env: environmentWith({ ...settings, DATA_DIR: join(dir, machine) }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

it(
  'takes in from two machines at once, part of it the same, without a duplicate or a lost row',
  { timeout: 300_000 },
  async () => {
    const ids: string[] = [];
    for (const name of FOLDERS) ids.push(...(await writeFolder(join(dir, name), SCREENS, name)));

    const ingest = async (machine: string, folders: string[]) => {
      for (const folder of folders) {
        const { code, output } = await run(machine, 'scripts/ingest.ts', join(dir, folder));
        expect(code, output).toBe(0);
      }
    };
    await Promise.all([ingest('first', ['shared', 'one']), ingest('second', ['shared', 'other'])]);

    const { stores, library, close } = await openLibrary(
      readConfig({ ...settings, DATA_DIR: join(dir, 'third') }),
    );
    const screens = await stores.catalogue.screens(ids);
    expect(screens.map(({ id }) => id)).toEqual(ids);
    expect(await stores.catalogue.countScreens()).toBe(ids.length);
    expect((await stores.catalogue.flows({}, { limit: 10 })).total).toBe(FOLDERS.length);
    expect(await library.search.count()).toBe(ids.length);
    expect(await library.vectors.count()).toBe(ids.length);
    for (const target of ['text', 'vectors'] as const) {
      expect(await stores.catalogue.pending(target, 1)).toEqual([]);
    }
    await close();
    expect(await run('third', 'scripts/doctor.ts')).toEqual({ code: 0, output: 'No difference.\n' });
    expect(qdrant.unrecorded).toEqual([]);
  },
);
