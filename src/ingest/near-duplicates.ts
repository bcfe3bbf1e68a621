import sharp from 'sharp';
import { labOf, type LabColor } from '../domain/color.ts';
import type { ScreenRecord } from '../domain/screen.ts';
import { analyze } from '../domain/text.ts';
import type { Catalogue, NearDuplicate } from '../ports/catalogue.ts';
import type { ImageStore } from '../ports/image-store.ts';
import { hammingDistance, hashWords, type HashWords } from './perceptual-hash.ts';

/** Bits of 64. Beyond it two pictures are hardly ever the same; within it they are only candidates. */
const MAX_HASH_DISTANCE = 8;
/** Screens of one template agree in their hash by the thousand; a duplicate is among the nearest. */
const MAX_CANDIDATES = 50;
const GRID_COLUMNS = 8;
const GRID_ROWS = 16;
/** Mean distance of the cells' colours, and that of the cell that differs most; black and white are 100 apart. */
const MAX_MEAN_DISTANCE = 2;
const MAX_CELL_DISTANCE = 16;
/** Part of all different words that both screens show. */
const MIN_SHARED_WORDS = 0.85;

const UNITS_PER_DISTANCE = 1000;

interface Fingerprint {
  id: string;
  sha256: string;
  hash?: HashWords;
}

export interface DuplicateFinder {
  /**
   * Links of these records with each other and with everything in the catalogue. Each is remembered for the calls after
   * it. To be called before the records are saved, and once their thumbnails are stored.
   */
  add(records: readonly ScreenRecord[]): Promise<NearDuplicate[]>;
}

/**
 * Finds screens that show the same thing. The same file is `identical`. A near perceptual hash alone proves nothing:
 * different screens of one design can have equal hashes. So `near` means that the colours of a coarse grid and the words
 * agree as well.
 */
export async function createDuplicateFinder(
  catalogue: Catalogue,
  images: ImageStore,
): Promise<DuplicateFinder> {
  const known = new Map((await catalogue.fingerprints()).map((found) => [found.id, fingerprintOf(found)]));

  async function linksOf(
    record: ScreenRecord,
    fresh: ReadonlyMap<string, ScreenRecord>,
  ): Promise<NearDuplicate[]> {
    const candidates = nearest(record, known.values());
    const stored = candidates.filter(({ id }) => !fresh.has(id)).map(({ id }) => id);
    const records = new Map((await catalogue.screens(stored)).map((found) => [found.id, found]));
    const links: NearDuplicate[] = [];
    for (const { id } of candidates) {
      const other = fresh.get(id) ?? records.get(id);
      if (other === undefined) continue;
      const kind = await compare(record, other, images);
      const [screenId, otherId] = record.id < id ? [record.id, id] : [id, record.id];
      if (kind !== undefined) links.push({ screenId, otherId, kind });
    }
    return links;
  }

  return {
    async add(records) {
      const fresh = new Map(records.map((record) => [record.id, record]));
      const links = new Map<string, NearDuplicate>();
      for (const record of records) known.set(record.id, fingerprintOf(record));
      for (const record of records) {
        for (const link of await linksOf(record, fresh)) links.set(JSON.stringify(link), link);
      }
      return [...links.values()];
    },
  };
}

function fingerprintOf({ id, sha256, pHash }: { id: string; sha256: string; pHash?: string }): Fingerprint {
  return { id, sha256, ...(pHash === undefined ? {} : { hash: hashWords(pHash) }) };
}

function nearest(record: ScreenRecord, known: Iterable<Fingerprint>): Fingerprint[] {
  const { id, sha256, hash } = fingerprintOf(record);
  const found: { fingerprint: Fingerprint; distance: number }[] = [];
  for (const fingerprint of known) {
    if (fingerprint.id === id) continue;
    if (fingerprint.sha256 === sha256) found.push({ fingerprint, distance: -1 });
    else if (hash !== undefined && fingerprint.hash !== undefined) {
      const distance = hammingDistance(hash, fingerprint.hash);
      if (distance <= MAX_HASH_DISTANCE) found.push({ fingerprint, distance });
    }
  }
  return found
    .toSorted((a, b) => a.distance - b.distance || (a.fingerprint.id < b.fingerprint.id ? -1 : 1))
    .slice(0, MAX_CANDIDATES)
    .map(({ fingerprint }) => fingerprint);
}

async function compare(
  one: ScreenRecord,
  other: ScreenRecord,
  images: ImageStore,
): Promise<NearDuplicate['kind'] | undefined> {
  if (one.sha256 === other.sha256) return 'identical';
  if (!shareWords(one.ocrText ?? '', other.ocrText ?? '')) return undefined;
  const [grid, otherGrid] = [await colorGrid(one, images), await colorGrid(other, images)];
  if (grid === undefined || otherGrid === undefined) return undefined;
  return lookAlike(grid, otherGrid) ? 'near' : undefined;
}

function shareWords(text: string, otherText: string): boolean {
  const [words, otherWords] = [text, otherText].map(
    (some) => new Set(analyze(some).map(({ token }) => token)),
  );
  const all = words!.union(otherWords!);
  return words!.intersection(otherWords!).size >= MIN_SHARED_WORDS * all.size;
}

async function colorGrid({ thumbKey }: ScreenRecord, images: ImageStore): Promise<LabColor[] | undefined> {
  const thumbnail = await images.get(thumbKey);
  if (thumbnail === undefined) return undefined;
  const pixels = await sharp(thumbnail.body)
    .resize(GRID_COLUMNS, GRID_ROWS, { fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer();
  return Array.from({ length: GRID_COLUMNS * GRID_ROWS }, (_, cell) =>
    labOf(`#${pixels.toString('hex', cell * 3, cell * 3 + 3)}`),
  );
}

function lookAlike(grid: readonly LabColor[], otherGrid: readonly LabColor[]): boolean {
  const distances = grid.map(({ l, a, b }, cell) => {
    const other = otherGrid[cell]!;
    return Math.hypot(l - other.l, a - other.a, b - other.b) / UNITS_PER_DISTANCE;
  });
  const mean = distances.reduce((sum, distance) => sum + distance, 0) / distances.length;
  return mean <= MAX_MEAN_DISTANCE && Math.max(...distances) <= MAX_CELL_DISTANCE;
}
