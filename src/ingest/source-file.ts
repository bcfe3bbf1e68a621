import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';

const MAX_FILE_MEGABYTES = 64;

/** The image cannot go in; the message says why, as a sentence without its subject. */
export class RejectedImageError extends Error {
  override readonly name = 'RejectedImageError';
}

/**
 * Reads an image that a manifest names.
 *
 * @param folder the manifest's folder; the file must lie below it, also when links are followed
 * @param file path with `/` between its parts
 * Throws RejectedImageError for a path that leaves the folder, and for anything but a readable, non-empty regular file.
 */
export async function readSourceFile(folder: string, file: string): Promise<Buffer> {
  const leaves = isAbsolute(file) || /^[A-Za-z]:/.test(file) || file.split(/[/\\]/).includes('..');
  if (leaves) throw new RejectedImageError('must be a path below the folder, without ".."');
  if (file.includes('\\')) throw new RejectedImageError('must have / between its parts');
  if (file.includes('\0')) throw new RejectedImageError('must not hold a null character');
  const root = await realpath(folder);
  const path = await follow(join(root, file));
  if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) {
    throw new RejectedImageError('is a link to outside of the folder');
  }
  // Without waiting: a named pipe would otherwise block until somebody writes to it.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(unreadable);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new RejectedImageError('is not a file');
    if (found.size === 0) throw new RejectedImageError('is empty');
    if (found.size > MAX_FILE_MEGABYTES * 1e6) {
      throw new RejectedImageError(
        `has ${Math.ceil(found.size / 1e6)} MB; at most ${MAX_FILE_MEGABYTES} MB are taken`,
      );
    }
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function follow(path: string): Promise<string> {
  return realpath(path).catch(unreadable);
}

function unreadable(error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') throw new RejectedImageError('does not exist');
  throw new RejectedImageError(`cannot be read (${code ?? String(error)})`);
}
