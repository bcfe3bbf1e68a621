import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { decode, sniffFormat } from '../../src/ingest/decode.ts';
import { RejectedImageError } from '../../src/ingest/source-file.ts';

/** Too noisy to be compressed to nothing. */
const noise = (): Sharp => {
  const pixels = Buffer.from(
    Array.from({ length: 300 * 200 * 3 }, (_, at) => (at * 7919 + (at >> 3) * 104_729) % 256),
  );
  return sharp(pixels, { raw: { width: 300, height: 200, channels: 3 } });
};
const plain = (background: string, channels: 3 | 4 = 3): Sharp =>
  sharp({ create: { width: 30, height: 20, channels, background } });
/** A PNG of one bit a pixel; small, because it never changes. */
function pngOfZeros(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(content));
    return Buffer.concat([length, content, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  const rows = deflateSync(Buffer.alloc((1 + width / 8) * height));
  const signature = Buffer.from('\x89PNG\r\n\x1A\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
const rejection = async (bytes: Uint8Array): Promise<string> => {
  const error: unknown = await decode(bytes).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RejectedImageError);
  return (error as Error).message;
};
const firstPixel = async (bytes: Uint8Array): Promise<number[]> => [
  ...(await decode(bytes)).data.subarray(0, 3),
];

describe('decoding an image', () => {
  test('gives the pixels of JPEG, PNG and WebP, whatever the file is called', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const bytes = await noise().toFormat(format).toBuffer();
      expect(sniffFormat(bytes)).toBe(format);
      const { data, width, height } = await decode(bytes);
      expect([width, height, data.length]).toEqual([300, 200, 300 * 200 * 3]);
    }
  });

  test('turns it as it is displayed', async () => {
    const bytes = await plain('#0080ff').withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { width, height } = await decode(bytes);
    expect([width, height]).toEqual([20, 30]);
  });

  test('makes sRGB with three channels of 8 bits out of grey, palettes, 16 bits and transparency', async () => {
    expect(await firstPixel(await plain('#808080').toColourspace('b-w').png().toBuffer())).toEqual([
      128, 128, 128,
    ]);
    expect(await firstPixel(await plain('#0080ff').png({ palette: true }).toBuffer())).toEqual([0, 128, 255]);
    expect(await firstPixel(await plain('#808080').toColourspace('rgb16').png().toBuffer())).toEqual([
      128, 128, 128,
    ]);
    expect(await firstPixel(await plain('rgba(255,0,0,0)', 4).png().toBuffer())).toEqual([255, 255, 255]);
  });

  test.each(['jpeg', 'png', 'webp'] as const)('refuses a truncated %s', async (format) => {
    const bytes = await noise().toFormat(format).toBuffer();
    expect(await rejection(bytes.subarray(0, bytes.length / 2))).toMatch(/damaged or incomplete/);
  });

  test('refuses a picture of 400 megapixels by its size', async () => {
    const bomb = pngOfZeros(20_000, 20_000);
    expect(bomb.length).toBeLessThan(100_000);
    expect(await rejection(bomb)).toMatch(/20000 × 20000 pixels; at most 40 megapixels/);
  });

  test.each([
    ['an SVG', '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['a GIF', 'GIF89a\x01\x00\x01\x00'],
    ['text', 'this is no picture'],
    ['a PDF', '%PDF-1.7'],
    ['no picture of a known format', '\x00\x01\x02\x03'],
  ])('says of %s that it is one', async (name, content) => {
    expect(await rejection(Buffer.from(content, 'latin1'))).toBe(`is ${name}; JPEG, PNG and WebP are taken`);
  });

  test('refuses a file that only begins like an image', async () => {
    expect(await rejection(Buffer.from('\xFF\xD8\xFF\xE0 and no more', 'latin1'))).toMatch(
      /damaged or incomplete JPEG/,
    );
  });
});
