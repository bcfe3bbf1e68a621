import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { InvalidArgumentError } from './domain/errors.ts';
import { decode, sharpOf, type RawImage } from './ingest/decode.ts';
import { layoutOf } from './ingest/layout.ts';
import { RejectedImageError } from './ingest/source-file.ts';
import type { ImageAnalyser } from './ports/image-analyser.ts';
import type { TextReader } from './ports/text-reader.ts';

/** As sharp as screens are read at ingest; more pixels only take longer. */
const MAX_READ_SIDE_PX = 2000;

/** Whoever asks for the next page of an answer sends the picture again. */
const REMEMBERED_TEXTS = 100;
const REMEMBERED_MS = 10 * 60_000;

/**
 * Pictures from outside, decoded by the same code as those of an ingest. Text recognition starts with the first picture
 * whose text is wanted.
 */
export function createImageAnalyser(
  openTextReader: () => Promise<TextReader>,
): ImageAnalyser & { close(): Promise<void> } {
  let opening: Promise<TextReader> | undefined;
  const texts = new LRUCache<string, string>({ max: REMEMBERED_TEXTS, ttl: REMEMBERED_MS });
  return {
    async layout(image) {
      const layout = await layoutOf(await decodeGiven(image));
      return layout.some((value) => value !== 0) ? Float32Array.from(layout) : null;
    },
    async text(image, signal) {
      const digest = createHash('sha256').update(image).digest('base64url');
      const remembered = texts.get(digest);
      if (remembered !== undefined) return remembered;
      const size = { width: MAX_READ_SIDE_PX, height: MAX_READ_SIDE_PX };
      const readable = await sharpOf(await decodeGiven(image))
        .resize({ ...size, fit: 'inside', withoutEnlargement: true })
        .png({ compressionLevel: 1 })
        .toBuffer();
      opening ??= openTextReader();
      const reader = await opening.catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      const { text } = await reader.read(readable, signal);
      texts.set(digest, text);
      return text;
    },
    async close() {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}

async function decodeGiven(image: Uint8Array): Promise<RawImage> {
  try {
    return await decode(image);
  } catch (error) {
    if (!(error instanceof RejectedImageError)) throw error;
    throw new InvalidArgumentError([
      { parameter: 'image', detail: `The image cannot be used: it ${error.message}.` },
    ]);
  }
}
