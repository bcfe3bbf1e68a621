import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { buffer } from 'node:stream/consumers';
import { extract, pack, type Header } from 'tar-stream';
import { z } from 'zod';
import { UsageError } from '../command.ts';

/** A file of a backup. */
export interface ArchiveEntry {
  name: string;
  body: Uint8Array;
}

/** The backup is not one, is cut off, or was changed. */
export class DamagedBackupError extends UsageError {
  override readonly name: string = 'DamagedBackupError';
}

/** The last entry: nothing was lost before it, and each entry is what was written. */
const CLOSING = 'checksums.json';
const closingSchema = z.object({ format: z.literal(1), sha256: z.record(z.string(), z.string()) });
/** It holds password hashes and signing keys. */
const OWNER_ONLY = 0o600;

/** Writes a tar file; it appears under its name when it is whole. */
export async function writeArchive(file: string, entries: AsyncIterable<ArchiveEntry>): Promise<void> {
  const unfinished = `${file}.unfinished`;
  const archive = pack();
  const written = pipeline(archive, createWriteStream(unfinished, { mode: OWNER_ONLY }));
  try {
    const sha256: Record<string, string> = {};
    for await (const entry of entries) {
      sha256[entry.name] = hash(entry.body);
      await add(archive, entry);
    }
    await add(archive, { name: CLOSING, body: Buffer.from(JSON.stringify({ format: 1, sha256 })) });
    archive.finalize();
    await written;
    await rename(unfinished, file);
  } catch (error) {
    archive.destroy();
    await written.catch(() => {});
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Reads a tar file, entry by entry, in the order of writing; the closing entry is left out. */
export async function* readArchive(file: string): AsyncGenerator<ArchiveEntry> {
  for await (const entry of entriesOf(file)) if (entry.name !== CLOSING) yield entry;
}

/**
 * Reads all of it and compares checksums. Returns how many entries there are.
 * Throws DamagedBackupError.
 */
export async function verifyArchive(file: string): Promise<number> {
  const found = new Map<string, string>();
  let closing: unknown;
  for await (const { name, body } of entriesOf(file)) {
    if (name === CLOSING) closing = JSON.parse(Buffer.from(body).toString());
    else found.set(name, hash(body));
  }
  const parsed = closingSchema.safeParse(closing);
  if (!parsed.success) throw new DamagedBackupError(`${file} is cut off, or no backup of Vitrine.`);
  const expected = Object.entries(parsed.data.sha256);
  const wrong = expected.find(([name, sha256]) => found.get(name) !== sha256);
  if (wrong !== undefined)
    throw new DamagedBackupError(`${file} is damaged: ${wrong[0]} is not what was written.`);
  return expected.length;
}

async function* entriesOf(file: string): AsyncGenerator<ArchiveEntry> {
  const archive = extract();
  const read = pipeline(createReadStream(file), archive);
  read.catch(() => {});
  try {
    for await (const entry of archive as AsyncIterable<Readable & { header: Header }>) {
      yield { name: entry.header.name, body: await buffer(entry) };
    }
    await read;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new DamagedBackupError(`There is no file ${file}.`);
    }
    throw new DamagedBackupError(`${file} cannot be read: it is cut off, or no backup of Vitrine.`, {
      cause: error,
    });
  }
}

function add(archive: ReturnType<typeof pack>, { name, body }: ArchiveEntry): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  archive.entry({ name, mode: OWNER_ONLY }, Buffer.from(body), (error) =>
    error ? reject(error) : resolve(),
  );
  return promise;
}

function hash(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}
