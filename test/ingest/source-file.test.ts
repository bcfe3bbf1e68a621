import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSourceFile, RejectedImageError } from '../../src/ingest/source-file.ts';

let outside: string;
let folder: string;
beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), 'vitrine-source-'));
  folder = join(outside, 'library');
  await mkdir(join(folder, 'images'), { recursive: true });
  await writeFile(join(outside, 'secret.png'), 'secret');
  await writeFile(join(folder, 'images/a.png'), 'picture');
});
afterEach(() => rm(outside, { recursive: true }));

const rejection = async (file: string): Promise<string> => {
  const error: unknown = await readSourceFile(folder, file).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RejectedImageError);
  return (error as Error).message;
};

describe('an image file that a manifest names', () => {
  test('is read below the folder, also through a link that stays in it', async () => {
    await symlink('a.png', join(folder, 'images/link.png'));
    for (const file of ['images/a.png', './images/a.png', 'images/link.png']) {
      expect((await readSourceFile(folder, file)).toString()).toBe('picture');
    }
  });

  test.each(['../secret.png', 'images/../../secret.png', '/etc/hostname', 'C:/a.png', '..\\secret.png'])(
    'is refused where its path leaves the folder: %s',
    async (file) => expect(await rejection(file)).toMatch(/below the folder/),
  );

  test('is refused where a link leads out of the folder, to a file or by way of a folder', async () => {
    await symlink(join(outside, 'secret.png'), join(folder, 'link.png'));
    await symlink(outside, join(folder, 'up'));
    expect(await rejection('link.png')).toMatch(/link to outside/);
    expect(await rejection('up/secret.png')).toMatch(/link to outside/);
  });

  test('is refused where there is none, an empty one, or something else of that name', async () => {
    await writeFile(join(folder, 'empty.png'), '');
    await symlink('nowhere.png', join(folder, 'dangling.png'));
    expect(await rejection('none.png')).toBe('does not exist');
    expect(await rejection('images/a.png/b.png')).toBe('does not exist');
    expect(await rejection('dangling.png')).toBe('does not exist');
    expect(await rejection('images')).toBe('is not a file');
    expect(await rejection('empty.png')).toBe('is empty');
    expect(await rejection('images\\a.png')).toMatch(/\//);
  });

  test.skipIf(process.platform === 'win32')('does not wait for a named pipe', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe.png')]);
    expect(await rejection('pipe.png')).toBe('is not a file');
  });

  test('is refused above 64 MB', async () => {
    await writeFile(join(folder, 'large.png'), '');
    await truncate(join(folder, 'large.png'), 65_000_000);
    expect(await rejection('large.png')).toMatch(/65 MB.*64 MB/);
  });
});
