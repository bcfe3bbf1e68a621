import type { Pooling } from './recipe.ts';

/** Shorter than this counts as no vector at all: what is left is rounding, not meaning. */
const SHORTEST_NORM = 1e-8;

/**
 * Pools one text's token vectors into a unit vector.
 * @param hidden the batch's last hidden state, rows × tokens × dims, flattened
 * @param mask rows × tokens, 1 for a token of the text, 0 for padding
 * @returns null when the vector has no length or is not finite
 */
export function pool(
  hidden: Float32Array,
  mask: ArrayLike<number | bigint>,
  row: number,
  shape: { readonly tokens: number; readonly dims: number },
  pooling: Pooling,
): Float32Array | null {
  const { tokens, dims } = shape;
  const present: number[] = [];
  for (let token = 0; token < tokens; token += 1) {
    if (Number(mask[row * tokens + token]) === 1) present.push((row * tokens + token) * dims);
  }
  const used = pooling === 'cls' ? present.slice(0, 1) : pooling === 'last' ? present.slice(-1) : present;
  const vector = new Float32Array(dims).fill(pooling === 'max' ? -Infinity : 0);
  for (const start of used) {
    for (let i = 0; i < dims; i += 1) {
      const value = hidden[start + i]!;
      vector[i] = pooling === 'max' ? Math.max(vector[i]!, value) : vector[i]! + value;
    }
  }
  return toUnitLength(vector);
}

function toUnitLength(vector: Float32Array): Float32Array | null {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const norm = Math.sqrt(squares);
  if (!Number.isFinite(norm) || norm < SHORTEST_NORM) return null;
  return vector.map((value) => value / norm);
}
