import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { decode, type RawImage } from '../../src/ingest/decode.ts';
import { dominantColors } from '../../src/ingest/dominant-colors.ts';
import { LAYOUT_SIZE, layoutOf } from '../../src/ingest/layout.ts';
import { hammingDistance, hashWords, perceptualHash } from '../../src/ingest/perceptual-hash.ts';

interface Block {
  color: string;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A screen drawn of rectangles. */
async function draw(
  background: string,
  blocks: readonly Block[],
  size = { width: 390, height: 844 },
): Promise<RawImage> {
  const composites = blocks.map(({ color, left, top, width, height }) => ({
    input: { create: { width, height, channels: 3 as const, background: color } },
    left,
    top,
  }));
  const image = sharp({ create: { ...size, channels: 3, background } }).composite(composites);
  return decode(await image.png().toBuffer());
}

const HEADER: Block = { color: '#1A73E8', left: 0, top: 0, width: 390, height: 120 };
const CARD: Block = { color: '#E8F0FE', left: 20, top: 160, width: 350, height: 200 };
const BUTTON: Block = { color: '#D93025', left: 120, top: 740, width: 150, height: 40 };

const cosine = (one: Int8Array, other: Int8Array): number => {
  const dot = (a: Int8Array, b: Int8Array): number => a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
};

describe('dominant colours', () => {
  test('are those of the design, largest first, exact, with their shares of the area', async () => {
    const colors = dominantColors(await draw('#FFFFFF', [HEADER, CARD, BUTTON]));
    expect(colors.map(({ hex }) => hex)).toEqual(['#FFFFFF', '#E8F0FE', '#1A73E8', '#D93025']);
    const area = (block: Block): number => (block.width * block.height) / (390 * 844);
    for (const [index, block] of [CARD, HEADER, BUTTON].entries()) {
      expect(Math.abs(colors[index + 1]!.share - area(block))).toBeLessThan(0.02);
    }
    expect(colors.reduce((sum, { share }) => sum + share, 0)).toBeLessThanOrEqual(1.0001);
  });

  test('of a plain picture is one, also of a single pixel', async () => {
    expect(dominantColors(await draw('#123456', []))).toEqual([{ hex: '#123456', share: 1 }]);
    expect(dominantColors({ data: Uint8Array.of(1, 2, 3), width: 1, height: 1 })).toEqual([
      { hex: '#010203', share: 1 },
    ]);
  });

  test('are at most eight, all of them pixels of the picture, and the same every time', async () => {
    const data = Uint8Array.from({ length: 200 * 100 * 3 }, (_, at) => (at * 7919) % 256);
    const image = { data, width: 200, height: 100 };
    const colors = dominantColors(image);
    expect(colors.length).toBeLessThanOrEqual(8);
    const pixels = new Set(
      Array.from({ length: 200 * 100 }, (_, at) =>
        Buffer.from(data.subarray(at * 3, at * 3 + 3))
          .toString('hex')
          .toUpperCase(),
      ),
    );
    for (const { hex } of colors) expect(pixels).toContain(hex.slice(1));
    expect(dominantColors(image)).toEqual(colors);
  });
});

describe('the layout vector', () => {
  test('has 576 values of 0…127, and is zero where nothing is drawn', async () => {
    const layout = await layoutOf(await draw('#FFFFFF', [HEADER, CARD]));
    expect(layout).toHaveLength(LAYOUT_SIZE);
    expect(Math.max(...layout)).toBe(127);
    expect(Math.min(...layout)).toBeGreaterThanOrEqual(0);
    expect((await layoutOf(await draw('#FFFFFF', []))).every((value) => value === 0)).toBe(true);
  });

  test('is nearly the same in other colours and sizes, and not in another arrangement', async () => {
    const light = await layoutOf(await draw('#FFFFFF', [HEADER, CARD, BUTTON]));
    const dark = [HEADER, CARD, BUTTON].map((block) => ({ ...block, color: '#EEEEEE' }));
    const scaled = [HEADER, CARD, BUTTON].map(({ color, left, top, width, height }) => ({
      color,
      left: left * 2,
      top: top * 2,
      width: width * 2,
      height: height * 2,
    }));
    const other = [
      { ...CARD, top: 400, height: 60 },
      { ...CARD, top: 500, height: 60 },
      { ...HEADER, top: 700 },
    ];
    expect(cosine(light, await layoutOf(await draw('#101010', dark)))).toBeGreaterThan(0.85);
    expect(
      cosine(light, await layoutOf(await draw('#FFFFFF', scaled, { width: 780, height: 1688 }))),
    ).toBeGreaterThan(0.95);
    expect(cosine(light, await layoutOf(await draw('#FFFFFF', other)))).toBeLessThan(0.6);
  });
});

describe('the perceptual hash', () => {
  test('is 16 hexadecimal digits, near for the same picture at another size, far for another one', async () => {
    const one = await draw('#FFFFFF', [HEADER, CARD, BUTTON]);
    const small = await sharp(one.data, { raw: { width: 390, height: 844, channels: 3 } })
      .resize(195)
      .jpeg()
      .toBuffer();
    const [hash, same, other] = await Promise.all(
      [one, await decode(small), await draw('#101010', [{ ...CARD, top: 500 }, BUTTON])].map(perceptualHash),
    );
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    expect(hammingDistance(hashWords(hash!), hashWords(same!))).toBeLessThanOrEqual(4);
    expect(hammingDistance(hashWords(hash!), hashWords(other!))).toBeGreaterThan(12);
  });

  test('distance counts differing bits', () => {
    const distance = (one: string, other: string): number =>
      hammingDistance(hashWords(one), hashWords(other));
    expect(distance('0000000000000000', 'ffffffffffffffff')).toBe(64);
    expect(distance('8000000000000001', '0000000000000000')).toBe(2);
    expect(distance('0123456789abcdef', '0123456789abcdef')).toBe(0);
  });
});
