import { createHash } from 'node:crypto';
import { z } from 'zod';
import { sharpOf, type RawImage } from './decode.ts';
import type { StepResult, StoredFile } from './step.ts';

/** Of 0 to 6: beyond 2 an image takes twice the time for a few per cent of its size. */
const EFFORT = 2;

export const STORED_FILE = z.object({ key: z.string() });

/** @param prefix with its slash; the first digits of the hash spread the files over 256 folders */
export function keyOf(prefix: string, hash: string, ending: 'webp' | 'png' | 'jpg'): string {
  return `${prefix}${hash.slice(0, 2)}/${hash}.${ending}`;
}

/**
 * A smaller WebP of an image, under the hash of its own bytes: nobody can tell its address without having seen it, nor
 * tell the original's address from it.
 */
export async function renderWebp(
  image: RawImage,
  rendering: { prefix: string; longSide: number; quality: number },
): Promise<StepResult<StoredFile>> {
  const { longSide, quality } = rendering;
  const body = await sharpOf(image)
    .resize(longSide, longSide, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality, effort: EFFORT })
    .toBuffer();
  const hash = createHash('sha256').update(body).digest('hex');
  return {
    result: { key: keyOf(rendering.prefix, hash, 'webp') },
    file: { body, contentType: 'image/webp' },
  };
}
