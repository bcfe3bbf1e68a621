import { captionTextOf, type Screen, type ScreenRecord } from '../domain/screen.ts';
import type { ImageStore } from '../ports/image-store.ts';

/** The screen as the API answers it, with the addresses of its public renditions. */
export function presentScreen(record: ScreenRecord, images: Pick<ImageStore, 'publicUrl'>): Screen {
  const captionText = captionTextOf(record);
  return {
    id: record.id,
    appId: record.appId,
    pattern: record.pattern,
    platform: record.platform,
    imageUrl: images.publicUrl(record.imageKey),
    thumbUrl: images.publicUrl(record.thumbKey),
    width: record.width,
    height: record.height,
    dominantColors: record.colors.map((color) => color.hex),
    ...(captionText === undefined ? {} : { captionText }),
    ...(record.pHash === undefined ? {} : { pHash: record.pHash }),
    ...(record.embeddingId === undefined ? {} : { embeddingId: record.embeddingId }),
    capturedAt: record.capturedAt,
  };
}
