import sharpPhash from 'sharp-phash';
import type { RawImage } from './decode.ts';

// A CommonJS module whose types name a default export that it has not got.
const phash = sharpPhash as unknown as typeof sharpPhash.default;

/** 64-bit perceptual hash (DCT) as 16 hexadecimal digits. */
export async function perceptualHash({ data, width, height }: RawImage): Promise<string> {
  const bits = await phash(Buffer.from(data.buffer, data.byteOffset, data.byteLength), {
    raw: { width, height, channels: 3 },
  });
  return BigInt(`0b${bits}`).toString(16).padStart(16, '0');
}

/** A hash as two 32-bit numbers: what hammingDistance compares fastest. */
export type HashWords = readonly [high: number, low: number];

/** @param hash 16 hexadecimal digits */
export function hashWords(hash: string): HashWords {
  return [Number.parseInt(hash.slice(0, 8), 16), Number.parseInt(hash.slice(8), 16)];
}

/** In how many of the 64 bits two hashes differ. */
export function hammingDistance(one: HashWords, other: HashWords): number {
  return countBits(one[0] ^ other[0]) + countBits(one[1] ^ other[1]);
}

// Henry S. Warren, "Hacker's Delight", figure 5-2.
function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
