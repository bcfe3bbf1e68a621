import type { Matrix } from './linear-algebra.ts';

/** Rows of vectors in four bits a number, two numbers a byte, each row with a scale of its own. */
export interface QuantisedRows {
  readonly dims: number;
  /** rows × dims / 2: a byte holds number k in its upper half and number k + dims / 2 in its lower half. */
  readonly bytes: Uint8Array;
  /** One per row: what its whole numbers, less `ZERO_LEVEL`, are multiplied by. */
  readonly scales: Float32Array;
}

/** The whole number that stands for zero; numbers go from 0 to 15, and 0 is not used, for symmetry. */
export const ZERO_LEVEL = 8;
const LARGEST_LEVEL = 7;
/** Cutting off the few largest numbers of a row makes the others finer; the cut with the smallest error is taken. */
const CUTS = [1, 0.9, 0.8, 0.7, 0.6, 0.5];

/** One more row, of zeros, at the end stands for what has no meaning. */
export function quantise({ rows, columns, data }: Matrix): QuantisedRows {
  const half = columns / 2;
  const bytes = new Uint8Array((rows + 1) * half).fill(ZERO_LEVEL * 16 + ZERO_LEVEL);
  const scales = new Float32Array(rows + 1);
  for (let row = 0; row < rows; row += 1) {
    const source = data.subarray(row * columns, (row + 1) * columns);
    const scale = bestScale(source);
    if (scale === 0) continue;
    scales[row] = scale;
    for (let k = 0; k < half; k += 1) {
      bytes[row * half + k] = level(source[k]!, scale) * 16 + level(source[k + half]!, scale);
    }
  }
  return { dims: columns, bytes, scales };
}

function level(value: number, scale: number): number {
  return ZERO_LEVEL + Math.max(-LARGEST_LEVEL, Math.min(LARGEST_LEVEL, Math.round(value / scale)));
}

function bestScale(source: Float32Array): number {
  const largest = source.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  let best = 0;
  let smallestError = Infinity;
  for (const cut of CUTS) {
    const scale = (largest * cut) / LARGEST_LEVEL;
    if (scale === 0) return 0;
    const error = source.reduce(
      (sum, value) => sum + (value - (level(value, scale) - ZERO_LEVEL) * scale) ** 2,
      0,
    );
    if (error < smallestError) [best, smallestError] = [scale, error];
  }
  return best;
}
