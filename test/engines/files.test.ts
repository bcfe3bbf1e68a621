import { mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFileImages, type FileImages } from '../../src/engines/files/file-images.ts';
import { describeImageStore } from '../contract/image-store.ts';

const SECRET = new TextEncoder().encode('a secret of the test');

/** Serves a store as its addresses promise, over HTTP. */
async function serveImages(dir: string) {
  let images: FileImages;
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const resolved = images.resolve(url.pathname.replace('/files/', ''), url.searchParams, new Date());
      if (resolved === undefined) return response.writeHead(404).end();
      if (resolved.kind === 'refused') return response.writeHead(403).end(resolved.reason);
      const stored = await images.get(resolved.key);
      if (stored === undefined) return response.writeHead(404).end();
      const headers: Record<string, string> = { 'content-type': resolved.contentType };
      if (resolved.kind === 'download') {
        headers['content-disposition'] = `attachment; filename="${resolved.filename}"`;
      }
      return response.writeHead(200, headers).end(stored.body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  images = createFileImages({ dir, storageUrl: `${origin}/files`, secret: SECRET });
  return {
    images,
    async fetch(url: string) {
      const answer = await fetch(url);
      return {
        status: answer.status,
        body: new Uint8Array(await answer.arrayBuffer()),
        headers: answer.headers,
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(dir, { recursive: true });
    },
  };
}

describeImageStore('a folder of files', async () =>
  serveImages(await mkdtemp(join(tmpdir(), 'vitrine-files-'))),
);

describe('image files', () => {
  const key = 'originals/0a/0a1b.png';
  let dir: string;
  let images: FileImages;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'vitrine-files-'));
    images = createFileImages({ dir, storageUrl: 'https://img.example.com', secret: SECRET });
  });
  afterEach(() => rm(dir, { recursive: true }));

  const keysOf = async (store: FileImages): Promise<string[]> => {
    const keys: string[] = [];
    for await (const found of store.list()) keys.push(found);
    return keys;
  };

  const parts = (url: string): [string, URLSearchParams] => {
    const { pathname, searchParams } = new URL(url);
    return [pathname.slice(1), searchParams];
  };

  test('lie at their key below the folder, with nothing else beside them', async () => {
    await images.put(key, new Uint8Array([1, 2, 3]), 'image/png');
    expect([...(await readFile(join(dir, key)))]).toEqual([1, 2, 3]);
    expect(await readdir(join(dir, '.unfinished'))).toEqual([]);
  });

  test('list nothing before the folder exists, and none of the half-written or foreign files in it', async () => {
    const absent = createFileImages({ dir: join(dir, 'none'), storageUrl: '', secret: SECRET });
    expect(await keysOf(absent)).toEqual([]);
    await images.put(key, new Uint8Array([1]), 'image/png');
    await writeFile(join(dir, '.unfinished', 'half'), 'half');
    await writeFile(join(dir, 'README.txt'), 'foreign');
    expect(await keysOf(images)).toEqual([key]);
  });

  test('that a dead process left half-written are removed after an hour, those being written are not', async () => {
    const unfinished = join(dir, '.unfinished');
    await mkdir(unfinished);
    await writeFile(join(unfinished, 'old'), 'half');
    await writeFile(join(unfinished, 'new'), 'half');
    const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await utimes(join(unfinished, 'old'), twoHoursAgo, twoHoursAgo);
    await images.put(key, new Uint8Array([1]), 'image/png');
    expect(await readdir(unfinished)).toEqual(['new']);
  });

  test('leave no half-written file when the write fails', async () => {
    await writeFile(join(dir, 'originals'), 'a file where a folder should be');
    await expect(images.put(key, new Uint8Array([1]), 'image/png')).rejects.toThrow(/EEXIST|ENOTDIR/);
    await expect(images.get(key)).resolves.toBeUndefined();
    expect(await readdir(join(dir, '.unfinished'))).toEqual([]);
  });

  test('resolve to the object, the name and the type that were signed, until the time is over', async () => {
    const expiresAt = new Date('2026-03-01T10:05:00.900Z');
    const filename = 'a "b" & ü.png';
    const [path, query] = parts(
      await images.signedUrl(key, { expiresAt, filename, contentType: 'image/png' }),
    );
    expect(images.resolve(path, query, new Date('2026-03-01T10:04:59.999Z'))).toEqual({
      kind: 'download',
      key,
      filename,
      contentType: 'image/png',
    });
    const expired = { kind: 'refused', reason: 'expired' };
    expect(images.resolve(path, query, new Date('2026-03-01T10:05:00.000Z'))).toEqual(expired);
  });

  test('are refused as invalid, not as expired, when a later time is written into the address', async () => {
    const expiresAt = new Date('2026-03-01T10:05:00Z');
    const [path, query] = parts(
      await images.signedUrl(key, { expiresAt, filename: 'a.png', contentType: 'image/png' }),
    );
    const invalid = { kind: 'refused', reason: 'invalid' };
    query.set('expires', String(Number(query.get('expires')) + 60));
    expect(images.resolve(path, query, new Date('2026-03-01T10:05:30Z'))).toEqual(invalid);
    expect(images.resolve(path, new URLSearchParams('signature='), expiresAt)).toEqual(invalid);
    expect(images.resolve(path, new URLSearchParams(), expiresAt)).toEqual(invalid);
  });

  test('signed with another secret are refused', async () => {
    const other = createFileImages({
      dir,
      storageUrl: 'https://img.example.com',
      secret: new Uint8Array(32),
    });
    const expiresAt = new Date(Date.now() + 60_000);
    const [path, query] = parts(
      await other.signedUrl(key, { expiresAt, filename: 'a.png', contentType: 'image/png' }),
    );
    expect(images.resolve(path, query, new Date())).toEqual({ kind: 'refused', reason: 'invalid' });
  });

  test('resolve by key alone where they are public, and not at all where the path is no key', () => {
    const now = new Date();
    expect(images.resolve('thumbs/0a/0a1b.webp', new URLSearchParams('v=2'), now)).toEqual({
      kind: 'public',
      key: 'thumbs/0a/0a1b.webp',
      contentType: 'image/webp',
    });
    for (const path of [
      '',
      'thumbs/../originals/0a.png',
      'thumbs/%2e%2e/a.png',
      '.unfinished/a.png',
      'a.txt',
    ]) {
      expect(images.resolve(path, new URLSearchParams(), now), path).toBeUndefined();
    }
  });
});
