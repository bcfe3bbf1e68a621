import type { ImageStore } from '../../src/ports/image-store.ts';
import type { Snapshot, SnapshotPart, SnapshotRow } from '../../src/ports/snapshot.ts';
import type { ArchiveEntry } from './archive.ts';

const TABLES = 'tables/';
const IMAGES = 'images/';

/** Rows first, so that every image they name was there before it is copied. */
export async function* entriesOf(
  snapshot: Pick<Snapshot, 'read'>,
  images: Pick<ImageStore, 'list' | 'get'>,
  onImage: () => void,
): AsyncGenerator<ArchiveEntry> {
  let part = 0;
  for await (const { table, rows } of snapshot.read()) {
    part += 1;
    const name = `${TABLES}${String(part).padStart(6, '0')}-${table}.jsonl`;
    yield { name, body: Buffer.from(rows.map((row) => `${JSON.stringify(encode(row))}\n`).join('')) };
  }
  for await (const key of images.list()) {
    const image = await images.get(key);
    // Removed since it was listed, with its screen.
    if (image === undefined) continue;
    yield { name: `${IMAGES}${key}`, body: image.body };
    onImage();
  }
}

/** Undefined for entries that are no rows. */
export function toPart({ name, body }: ArchiveEntry): SnapshotPart | undefined {
  const table = /^tables\/\d+-(\w+)\.jsonl$/.exec(name)?.[1];
  if (table === undefined) return undefined;
  const lines = Buffer.from(body).toString().split('\n');
  return {
    table,
    rows: lines.filter((line) => line !== '').map((line) => decode(JSON.parse(line) as JsonRow)),
  };
}

/** Undefined for entries that are no images. */
export function toImageKey({ name }: ArchiveEntry): string | undefined {
  return name.startsWith(IMAGES) ? name.slice(IMAGES.length) : undefined;
}

type JsonRow = Record<string, string | number | null | { base64: string }>;

function encode(row: SnapshotRow): JsonRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value,
    ]),
  );
}

function decode(row: JsonRow): SnapshotRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null
        ? new Uint8Array(Buffer.from(value.base64, 'base64'))
        : value,
    ]),
  );
}
