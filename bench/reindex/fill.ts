import type { ScreenRecord } from '../../src/domain/screen.ts';
import { indexPending } from '../../src/library/index-pending.ts';
import { INDEX_TARGETS } from '../../src/ports/catalogue.ts';
import type { OpenLibrary } from '../../src/wire.ts';
import { createRandom, generateScreens } from '../generate.ts';

const SCREENS_PER_SAVE = 1000;
const LAYOUT_SIZE = 576;
/** All of these screens share their images: 100,000 would need 300,000 files. */
const SHARED = {
  originalKey: 'originals/shared.png',
  imageKey: 'images/shared.webp',
  thumbKey: 'thumbs/shared.webp',
};

/** A word that no other screen has, and that a search in quotes finds nothing else with. */
export function markerOf(id: string): string {
  return `marker${id.replaceAll(/[^a-z0-9]/g, '')}`;
}

/** A generated screen that can be told from all others by its caption. */
export function markedScreen(screen: ScreenRecord, marker = markerOf(screen.id)): ScreenRecord {
  const random = createRandom(Number.parseInt(screen.sha256.slice(0, 8), 16));
  const layout = Int8Array.from({ length: LAYOUT_SIZE }, () => Math.floor(random() * 255) - 127);
  return { ...screen, ...SHARED, layout, caption: marker };
}

/** Fills an empty library with screens that a search can be checked by. Both indexes know them afterwards. */
export async function fillLibrary({ library, stores, images }: OpenLibrary, count: number): Promise<void> {
  for (const [key, type] of [
    [SHARED.originalKey, 'image/png'],
    [SHARED.imageKey, 'image/webp'],
    [SHARED.thumbKey, 'image/webp'],
  ] as const) {
    await images.put(key, new Uint8Array(1), type);
  }
  await stores.catalogue.save({
    apps: Array.from({ length: 400 }, (_, app) => ({ id: `app-${app}`, name: `App ${app}` })),
  });
  let batch: ScreenRecord[] = [];
  for (const screen of generateScreens(count)) {
    batch.push(markedScreen(screen));
    if (batch.length === SCREENS_PER_SAVE) await stores.catalogue.save({ screens: batch.splice(0) });
  }
  await stores.catalogue.save({ screens: batch });
  batch = [];
  for (const target of INDEX_TARGETS) await indexPending(library, target);
}
