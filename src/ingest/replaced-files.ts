import type { ScreenRecord } from '../domain/screen.ts';
import type { Catalogue } from '../ports/catalogue.ts';
import type { ImageStore } from '../ports/image-store.ts';
import type { IngestJournal } from '../ports/ingest-journal.ts';
import { z } from 'zod';

/** Journal entry of an image that a screen no longer shows: the files that may have to go. */
const REPLACED = 'replaced';
const ENTRY = z.array(z.string());

/** Notes, before the new record is saved, that the files of the old one may then be nobody's. */
export async function noteReplaced(record: ScreenRecord, journal: IngestJournal): Promise<void> {
  await journal.write(record.sha256, REPLACED, [record.originalKey, record.imageKey, record.thumbKey]);
}

/**
 * Removes the files that were noted, of this run and of interrupted ones, where no record and no unfinished image refers
 * to them.
 */
export async function removeReplaced(tools: {
  catalogue: Catalogue;
  images: ImageStore;
  journal: IngestJournal;
}): Promise<void> {
  const { catalogue, images, journal } = tools;
  const noted = new Map<string, string[]>();
  for (const sha256 of await journal.images()) {
    const { [REPLACED]: keys, ...steps } = await journal.read(sha256);
    // An image that is being ingested anew will have its files again.
    if (keys !== undefined && Object.keys(steps).length === 0) noted.set(sha256, ENTRY.catch([]).parse(keys));
  }
  if (noted.size === 0) return;
  const referred = new Set(await catalogue.imageKeys());
  for (const [sha256, keys] of noted) {
    for (const key of keys) if (!referred.has(key)) await images.remove(key);
    await journal.forget(sha256);
  }
}
