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

type Settings = Record<string, string>;

const EMBEDDED: Settings = {};

let opened: (TestEngines | QdrantStub)[];
let dir: string;
beforeAll(async () => {
  opened = [];
  dir = await mkdtemp(join(tmpdir(), 'vitrine-outside-'));
});
afterAll(async () => {
  for (const { close } of opened) await close();
  await rm(dir, { recursive: true });
});

/** A library of its own on the servers of the run. */
async function outside(): Promise<{ settings: Settings; qdrant: QdrantStub }> {
  const [engines, qdrant] = await Promise.all([openTestEngines(), startQdrantStub()]);
  opened.push(engines, qdrant);
  return { settings: { ...S3_CREDENTIALS, ...engines.settings, QDRANT_URL: qdrant.url }, qdrant };
}

/** A command with a data folder of its own, as on a machine of its own. */
async function run(machine: string, settings: Settings, script: string, ...args: string[]) {
  const child = spawn(process.execPath, [`scripts/${script}.ts`, ...args], {
    cwd: ROOT,
    env: environmentWith({ ...settings, DATA_DIR: join(dir, machine), LOG_LEVEL: 'silent' }),
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
    const { settings, qdrant } = await outside();
    const ids: string[] = [];
    for (const name of FOLDERS) ids.push(...(await writeFolder(join(dir, name), SCREENS, name)));

    const ingest = async (machine: string, folders: string[]) => {
      for (const folder of folders) {
        const { code, output } = await run(machine, settings, 'ingest', join(dir, folder));
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
    expect(await run('third', settings, 'doctor')).toEqual({ code: 0, output: 'No difference.\n' });
    expect(qdrant.unrecorded).toEqual([]);
  },
);

it('moves outside and back by a backup that is restored there, whole', { timeout: 300_000 }, async () => {
  await writeFolder(join(dir, 'moved'), SCREENS, 'moved');
  const { settings } = await outside();
  const done = async (machine: string, where: Settings, script: string, ...args: string[]) => {
    const { code, output } = await run(machine, where, script, ...args);
    expect(code, output).toBe(0);
    return output;
  };
  await done('before', EMBEDDED, 'ingest', join(dir, 'moved'));
  await done('before', EMBEDDED, 'users', 'add', 'mira@example.com', '--plan', 'pro');
  await done('before', EMBEDDED, 'backup', join(dir, 'there.tar'));
  await done('outside', settings, 'restore', join(dir, 'there.tar'));
  expect(await done('outside', settings, 'doctor')).toBe('No difference.\n');
  await done('outside', settings, 'backup', join(dir, 'back.tar'));
  await done('after', EMBEDDED, 'restore', join(dir, 'back.tar'));
  expect(await done('after', EMBEDDED, 'users', 'list')).toBe(
    await done('before', EMBEDDED, 'users', 'list'),
  );

  const libraries = await Promise.all(
    ['before', 'after'].map((machine) => openLibrary(readConfig({ DATA_DIR: join(dir, machine) }))),
  );
  const [before, after] = await Promise.all(
    libraries.map(async ({ stores: { catalogue } }) => {
      const ids = (await catalogue.list(undefined, 100)).map(({ id }) => id);
      return { screens: await catalogue.screens(ids), flows: await catalogue.flows({}, { limit: 10 }) };
    }),
  );
  expect(before?.screens).toHaveLength(SCREENS);
  expect(after).toEqual(before);
  for (const { close } of libraries) await close();
});
