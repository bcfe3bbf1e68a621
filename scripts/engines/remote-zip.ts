import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';

/** Neighbouring entries are fetched together, up to about this much at a time. */
const MAX_REQUEST_BYTES = 16 * 2 ** 20;
/** The end record is 22 bytes and a comment of at most 65,535. */
const MAX_END_BYTES = 22 + 65_535;

const END_SIGNATURE = 0x06054b50;
const LOCAL_HEADER_BYTES = 30;
const DIRECTORY_HEADER_BYTES = 46;
const STORED = 0;
const DEFLATED = 8;

interface Entry {
  name: string;
  method: number;
  crc: number;
  compressedBytes: number;
  /** Where its local header begins, and where the next entry or the directory does. */
  start: number;
  end: number;
}

/**
 * Unpacks one folder of a zip archive on a web server that answers ranges, without fetching the rest of the archive.
 * Field offsets are those of PKWARE's APPNOTE.TXT §4.3; archives over 4 GB are not read.
 * @param prefix the folder within the archive, with a slash at its end; it is left off the names of the files
 * @param onProgress is told how many bytes are there so far, and of how many
 * Throws Error when the server does not answer or what it sends does not fit its checksum.
 */
export async function unpackRemote(
  url: string,
  {
    prefix,
    dir,
    onProgress,
  }: { prefix: string; dir: string; onProgress?: (done: number, of: number) => void },
): Promise<void> {
  const entries = (await directoryOf(url)).filter((entry) => entry.name.startsWith(prefix));
  if (entries.length === 0) throw new Error(`${url} has no folder ${prefix}`);
  const total = entries.reduce((sum, entry) => sum + entry.end - entry.start, 0);
  let done = 0;
  for (const run of neighbours(entries)) {
    const start = run[0]?.start ?? 0;
    const bytes = await fetchRange(url, start, run.at(-1)?.end ?? start);
    for (const entry of run) {
      await save(
        entry,
        bytes.subarray(entry.start - start, entry.end - start),
        join(dir, entry.name.slice(prefix.length)),
      );
    }
    done += bytes.length;
    onProgress?.(done, total);
  }
}

async function directoryOf(url: string): Promise<Entry[]> {
  const tail = await fetchTail(url);
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || tail.readUInt32LE(end) !== END_SIGNATURE) throw new Error(`${url} is no zip archive`);
  const directoryBytes = tail.readUInt32LE(end + 12);
  const directoryStart = tail.readUInt32LE(end + 16);
  const directory = await fetchRange(url, directoryStart, directoryStart + directoryBytes);

  const entries: Entry[] = [];
  for (let at = 0; at < directory.length;) {
    const nameBytes = directory.readUInt16LE(at + 28);
    const skipped = directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    const nameStart = at + DIRECTORY_HEADER_BYTES;
    entries.push({
      name: directory.toString('utf8', nameStart, nameStart + nameBytes),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      compressedBytes: directory.readUInt32LE(at + 20),
      start: directory.readUInt32LE(at + 42),
      end: directoryStart,
    });
    at = nameStart + nameBytes + skipped;
  }
  entries.sort((a, b) => a.start - b.start);
  for (const [index, entry] of entries.entries()) entry.end = entries[index + 1]?.start ?? directoryStart;
  return entries;
}

function neighbours(entries: readonly Entry[]): Entry[][] {
  const runs: Entry[][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    const first = run?.[0];
    const adjacent = run?.at(-1)?.end === entry.start;
    if (
      run === undefined ||
      first === undefined ||
      !adjacent ||
      entry.end - first.start > MAX_REQUEST_BYTES
    ) {
      runs.push([entry]);
    } else run.push(entry);
  }
  return runs;
}

async function save(entry: Entry, bytes: Buffer, file: string): Promise<void> {
  if (entry.name.endsWith('/')) return;
  if (entry.name.split('/').includes('..')) throw new Error(`${entry.name} leads out of its folder`);
  // The local header's extra field differs in length from the directory's.
  const dataStart = LOCAL_HEADER_BYTES + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
  const packed = bytes.subarray(dataStart, dataStart + entry.compressedBytes);
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    throw new Error(
      `${entry.name} is compressed by method ${entry.method}; only stored and deflated are read`,
    );
  }
  const content = entry.method === STORED ? packed : inflateRawSync(packed);
  if (crc32(content) !== entry.crc) throw new Error(`${entry.name} was damaged on its way`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

function fetchTail(url: string): Promise<Buffer> {
  return fetchPart(url, `bytes=-${MAX_END_BYTES}`);
}

/** @param end exclusive */
function fetchRange(url: string, start: number, end: number): Promise<Buffer> {
  return fetchPart(url, `bytes=${start}-${end - 1}`);
}

async function fetchPart(url: string, range: string): Promise<Buffer> {
  const response = await fetch(url, { headers: { range } });
  if (response.status !== 206) throw new Error(`${url} answered ${response.status} to a range, not 206`);
  return Buffer.from(await response.arrayBuffer());
}
