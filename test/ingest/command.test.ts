import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { environmentWith } from '../support/environment.ts';
import { writeFolder } from './folder.ts';

const ROOT = join(import.meta.dirname, '../..');

let dir: string;
let dataDir: string;
let folder: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vitrine-ingest-'));
  dataDir = join(dir, 'data');
  folder = join(dir, 'folder');
});
afterEach(() => rm(dir, { recursive: true }));

function start(script: string, ...args: string[]) {
  const env = environmentWith({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  return { child, ended };
}

const run = (script: string, ...args: string[]) => start(script, ...args).ended;

describe('npm run ingest', () => {
  it(
    'takes a folder in, does nothing the second time, and takes over what changed',
    { timeout: 240_000 },
    async () => {
      await writeFolder(folder, 5);
      const first = await run('scripts/ingest.ts', folder);
      expect(first.output).toContain('screens: 5 added, 0 updated, 0 unchanged, 0 rejected');
      expect(first.output).toContain('flows: 1 added');
      expect(first.code).toBe(0);
      const second = await run('scripts/ingest.ts', folder);
      expect(second.output).toContain('screens: 0 added, 0 updated, 5 unchanged, 0 rejected');
      expect(second.output).toContain('flows: 0 added, 0 updated, 1 unchanged');

      const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
        screens: { pattern: string[] }[];
      };
      manifest.screens[2]!.pattern = ['paywall'];
      await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
      const third = await run('scripts/ingest.ts', folder);
      expect(third.output).toContain('screens: 0 added, 1 updated, 4 unchanged');
      expect(await run('scripts/doctor.ts')).toMatchObject({ code: 0, output: 'No difference.\n' });
    },
  );

  it('checks without writing when it is asked to', { timeout: 120_000 }, async () => {
    await writeFolder(folder, 2);
    expect((await run('scripts/ingest.ts', folder, '--dry-run')).output).toContain('0 faults');
    expect((await run('scripts/ingest.ts', folder)).output).toContain('2 added');
  });

  it(
    'rejects what is faulty by name and place, takes the rest, and lists the rejects',
    { timeout: 120_000 },
    async () => {
      await writeFolder(folder, 3);
      await writeFile(join(folder, 'images/made-1.png'), 'this is a text file');
      const { code, output } = await run('scripts/ingest.ts', folder);
      expect(code).toBe(1);
      expect(output).toContain('screens[1].file');
      expect(output).toContain('images/made-1.png');
      expect(output).toContain('screens: 2 added, 0 updated, 0 unchanged, 1 rejected');
      expect(output).toContain('flows: 0 added, 0 updated, 0 unchanged, 1 rejected');
      const rejects = (await readFile(join(dataDir, 'rejects.jsonl'), 'utf8')).trim().split('\n');
      expect(rejects.map((line) => (JSON.parse(line) as { place: string }).place)).toEqual([
        'screens[1].file',
        'flows[0].screenIds[1]',
      ]);
    },
  );

  it('ends with 64 when the folder or the command line is no good', async () => {
    expect(await run('scripts/ingest.ts')).toMatchObject({ code: 64 });
    const missing = await run('scripts/ingest.ts', join(dir, 'nowhere'));
    expect(missing.code).toBe(64);
    expect(missing.output).toContain('manifest.json');
  });

  it(
    'loses nothing and leaves nothing behind when it is killed ten times at random',
    { timeout: 400_000 },
    async () => {
      const ids = await writeFolder(folder, 40);
      let killed = 0;
      for (let attempt = 0; attempt < 10; attempt += 1) {
        const { child, ended } = start('scripts/ingest.ts', folder);
        const delay = 600 + Math.random() * 2500;
        const timer = setTimeout(() => child.kill('SIGKILL'), delay);
        if ((await ended).code === null) killed += 1;
        clearTimeout(timer);
      }
      expect(killed).toBeGreaterThan(0);
      const last = await run('scripts/ingest.ts', folder);
      expect(last.code).toBe(0);
      const [, added, updated, unchanged] = /screens: (\d+) added, (\d+) updated, (\d+) unchanged/
        .exec(last.output)!
        .map(Number);
      expect(added! + updated! + unchanged!).toBe(ids.length);
      expect(await run('scripts/doctor.ts')).toMatchObject({ code: 0, output: 'No difference.\n' });
    },
  );
});
