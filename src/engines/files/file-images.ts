import { randomUUID } from 'node:crypto';
import { mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isImageKey, type ImageStore, type StoredImage } from '../../ports/image-store.ts';
import { assertContentType, assertImageKey, contentTypeOfKey } from '../../ports/image-key.ts';
import { resolveFile, signDownloadQuery, type ResolvedFile } from './signed-url.ts';

/** Half-written files; no key can begin with a dot. */
const UNFINISHED = '.unfinished';
/** A write takes moments; what lies there this long was left by a process that died. */
const UNFINISHED_KEPT_MS = 60 * 60 * 1000;

export interface FileImages extends ImageStore {
  /** What an address below the storage URL may be answered with; see resolveFile. */
  resolve(path: string, query: URLSearchParams, now: Date): ResolvedFile | undefined;
}

/**
 * Images as files of a folder, which is made when the first is written.
 *
 * @param storageUrl where the folder's files are served, without a trailing slash
 * @param secret signs download addresses; other processes that serve the folder need the same
 */
export function createFileImages(options: {
  dir: string;
  storageUrl: string;
  secret: Uint8Array;
}): FileImages {
  const { dir, storageUrl, secret } = options;
  let swept: Promise<void> | undefined;

  function fileOf(key: string): string {
    assertImageKey(key);
    return join(dir, ...key.split('/'));
  }

  async function has(key: string): Promise<boolean> {
    const found = await unlessMissing(stat(fileOf(key)));
    return found?.isFile() ?? false;
  }

  return {
    has,

    async put(key: string, body: Uint8Array, contentType: string): Promise<void> {
      assertContentType(key, contentType);
      if (await has(key)) return;
      swept ??= removeAbandoned(join(dir, UNFINISHED));
      await swept;
      const unfinished = join(dir, UNFINISHED, randomUUID());
      const file = fileOf(key);
      await makeFolder(dirname(file));
      try {
        await writeDurably(unfinished, body);
        await rename(unfinished, file);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      await syncFolder(dirname(file));
    },

    async get(key: string): Promise<StoredImage | undefined> {
      const body = await unlessMissing(readFile(fileOf(key)));
      return body && { body, contentType: contentTypeOfKey(key) };
    },

    async remove(key: string): Promise<void> {
      await rm(fileOf(key), { force: true });
    },

    async *list(): AsyncIterable<string> {
      const folder = await unlessMissing(opendir(dir, { recursive: true }));
      if (folder === undefined) return;
      for await (const entry of folder) {
        const key = relative(dir, join(entry.parentPath, entry.name)).split(sep).join('/');
        if (entry.isFile() && isImageKey(key)) yield key;
      }
    },

    publicUrl(key: string): string {
      assertImageKey(key);
      return `${storageUrl}/${key}`;
    },

    async signedUrl(key, { expiresAt, filename, contentType }): Promise<string> {
      assertContentType(key, contentType);
      return `${storageUrl}/${key}?${signDownloadQuery(secret, { key, expiresAt, filename, contentType })}`;
    },

    resolve: (path, query, now) => resolveFile(secret, path, query, now),
  };
}

async function unlessMissing<Value>(found: Promise<Value>): Promise<Value | undefined> {
  try {
    return await found;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A key below another key (`a.png/b.png`), or a folder of that name: no such object either.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
    throw error;
  }
}

async function writeDurably(file: string, body: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx');
  try {
    await handle.writeFile(body);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the folder with all above it, so that they outlive a power failure. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** Makes a rename in the folder outlive a power failure (fsync(2): the entry needs a sync of its own). */
async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder for it.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const oldest = Date.now() - UNFINISHED_KEPT_MS;
  for await (const entry of await opendir(folder)) {
    const file = join(folder, entry.name);
    const found = await unlessMissing(stat(file));
    if (found !== undefined && found.mtimeMs < oldest) await rm(file, { force: true });
  }
}
