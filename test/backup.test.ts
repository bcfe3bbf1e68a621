import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFolder } from './ingest/folder.ts';
import { environmentWith } from './support/environment.ts';

const ROOT = join(import.meta.dirname, '..');

/** As an operator does it: each command a process of its own. */
describe('npm run backup and npm run restore', () => {
  let dir: string;
  let file: string;
  const data = (name: string) => join(dir, name);

  async function run(dataDir: string, script: string, ...args: string[]) {
    const env = environmentWith({ DATA_DIR: data(dataDir), LOG_LEVEL: 'silent' });
    try {
      const output = await promisify(execFile)(process.execPath, [`scripts/${script}.ts`, ...args], {
        cwd: ROOT,
        env,
      });
      return { code: 0, ...output };
    } catch (error) {
      return error as { code: number; stdout: string; stderr: string };
    }
  }

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'vitrine-backup-'));
    file = join(dir, 'backup.tar');
    await writeFolder(join(dir, 'folder'), 5, 'kept');
    expect((await run('source', 'ingest', join(dir, 'folder'))).code).toBe(0);
    expect((await run('source', 'users', 'add', 'mira@example.com', '--plan', 'pro')).code).toBe(0);
    await run('source', 'clients', 'approve', 'https://app.example.com/callback');
    await run('source', 'token', '--user', 'mira@example.com', '--resource', 'api');
    expect((await run('source', 'backup', file)).stderr).not.toContain('Error');
  });
  afterAll(() => rm(dir, { recursive: true }));

  it('puts accounts, keys, approvals, screens and images where nothing was, indexed and in order', async () => {
    const restored = await run('target', 'restore', file);
    expect({ code: restored.code, out: restored.stdout }).toEqual({
      code: 0,
      out: `${file}: 5 screens, 15 images.\n`,
    });
    for (const [script, ...args] of [
      ['users', 'list'],
      ['keys', 'list'],
      ['clients', 'approved'],
    ] as const) {
      expect((await run('target', script, ...args)).stdout).toBe(
        (await run('source', script, ...args)).stdout,
      );
    }
    const doctor = await run('target', 'doctor');
    expect(doctor.stdout).toContain('No difference');

    // Once around: the same again.
    const again = join(dir, 'again.tar');
    await run('target', 'backup', again);
    expect((await run('third', 'restore', again)).code).toBe(0);
  });

  it('is for its owner alone', async () => {
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  it('keeps what is there unless it is told to replace it', async () => {
    await run('used', 'users', 'add', 'oscar@example.com', '--plan', 'free');
    const refused = await run('used', 'restore', file);
    expect(refused.code).toBe(64);
    expect(refused.stderr).toContain('--force');
    expect((await run('used', 'users', 'list')).stdout).toContain('oscar@example.com');

    expect((await run('used', 'restore', file, '--force')).code).toBe(0);
    const users = (await run('used', 'users', 'list')).stdout;
    expect(users).toContain('mira@example.com');
    expect(users).not.toContain('oscar@example.com');
    expect((await run('used', 'doctor')).stdout).toContain('No difference');
  });

  it('takes nothing from a backup that is cut off, changed, something else or not there', async () => {
    const damages: [(path: string) => Promise<void>, string][] = [
      [async (path) => truncate(path, (await stat(path)).size - 2048), 'cut off'],
      [changeOneByte, 'is damaged: images/'],
      [(path) => writeFile(path, 'hello'), 'no backup'],
      [(path) => rm(path), 'no file'],
    ];
    for (const [damage, named] of damages) {
      const damaged = join(dir, 'damaged.tar');
      await writeFile(damaged, await readFile(file));
      await damage(damaged);
      const { code, stderr } = await run('empty', 'restore', damaged);
      expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 64, lines: 2 });
      expect(stderr).toContain(named);
    }
    expect((await run('empty', 'users', 'list')).stdout).toBe('');
  });
});

/** In the middle of the pictures, which are most of it. */
async function changeOneByte(path: string): Promise<void> {
  const body = await readFile(path);
  const at = body.indexOf('RIFF', body.length / 2) + 40;
  body[at] = (body[at] ?? 0) ^ 1;
  await writeFile(path, body);
}
