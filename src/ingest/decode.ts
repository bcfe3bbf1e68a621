import sharp, { type Sharp, type SharpOptions } from 'sharp';
import type { ImageFormat } from '../domain/screen.ts';
import { RejectedImageError } from './source-file.ts';

const MAX_PIXELS = 40e6;

// Formats that nobody hands in as a screen (SVG, TIFF, PDF…) are only more code that untrusted bytes could reach.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] });
// Every image is read once: libvips' cache would only hold memory.
sharp.cache(false);

/** Damage is an error instead of a grey area. */
const INPUT: SharpOptions = { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true };

/** Pixels as displayed: upright, sRGB, transparency on white; three bytes each, row by row. */
export interface RawImage {
  data: Uint8Array;
  width: number;
  height: number;
}

/** The format that the bytes begin as, whatever the file is called. Throws RejectedImageError for any but the three. */
export function sniffFormat(bytes: Uint8Array): ImageFormat {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 512));
  const begins = (signature: string, at = 0): boolean =>
    head.toString('latin1', at, at + signature.length) === signature;
  if (begins('\xFF\xD8\xFF')) return 'jpeg';
  if (begins('\x89PNG\r\n\x1A\n')) return 'png';
  if (begins('RIFF') && begins('WEBP', 8)) return 'webp';
  throw new RejectedImageError(`is ${guess(head, begins)}; JPEG, PNG and WebP are taken`);
}

function guess(head: Buffer, begins: (signature: string, at?: number) => boolean): string {
  if (begins('GIF8')) return 'a GIF';
  if (begins('BM')) return 'a BMP';
  if (begins('II*\0') || begins('MM\0*')) return 'a TIFF';
  if (begins('ftypavif', 4)) return 'an AVIF';
  if (begins('ftyphei', 4)) return 'a HEIC';
  if (begins('%PDF')) return 'a PDF';
  const text = head.toString('utf8').trimStart();
  if (/^(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?(<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/is.test(text)) return 'an SVG';
  return text.includes('\0') || text.includes('\uFFFD') ? 'no picture of a known format' : 'text';
}

/**
 * Decodes an untrusted JPEG, PNG or WebP. Of a moving picture the first frame counts.
 * Throws RejectedImageError for anything else, for damage, and above 40 megapixels (before any pixel is decoded).
 */
export async function decode(bytes: Uint8Array): Promise<RawImage> {
  const format = sniffFormat(bytes);
  try {
    const { width, height } = await sharp(bytes, { ...INPUT, limitInputPixels: false }).metadata();
    if (width * height > MAX_PIXELS) {
      throw new RejectedImageError(
        `has ${width} × ${height} pixels; at most ${MAX_PIXELS / 1e6} megapixels are taken`,
      );
    }
    const { data, info } = await sharp(bytes, INPUT)
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch (error) {
    if (error instanceof RejectedImageError) throw error;
    const message = (error as Error).message.split('\n')[0] ?? '';
    throw new RejectedImageError(`is a damaged or incomplete ${format.toUpperCase()} (${message})`);
  }
}

/** The raw pixels as input of another sharp pipeline. */
export function sharpOf({ data, width, height }: RawImage): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}
