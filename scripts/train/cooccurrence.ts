import type { SparseMatrix } from './linear-algebra.ts';

/** Words that stand together, as ids without repeats. */
export interface Context {
  readonly words: Int32Array;
  /** What this context gives each of its words to share out among the others. */
  readonly weight: number;
}

/** Context counts are raised to this power before they are compared (Levy, Goldberg and Dagan, 2015). */
const CONTEXT_SMOOTHING = 0.75;

/** How much of all contexts each word takes part in, by weight. */
export function contextShares(contexts: readonly Context[], size: number): Float64Array {
  const shares = new Float64Array(size);
  for (const { words, weight } of contexts) {
    if (words.length > 1) for (const word of words) shares[word]! += weight;
  }
  return shares;
}

/**
 * Positive pointwise mutual information of words over the contexts they share: log(p(i,j) / (p(i)·p(j))), nothing
 * where it is negative. Symmetric, with an empty diagonal.
 * @param size number of words; ids in contexts are below it
 */
export function positiveMutualInformation(contexts: readonly Context[], size: number): SparseMatrix {
  const contextsOf = invert(contexts, size);
  const totals = contextShares(contexts, size);
  const smoothed = totals.map((total) => total ** CONTEXT_SMOOTHING);
  const logSmoothedSum = Math.log(smoothed.reduce((sum, value) => sum + value, 0));
  // The mean of both directions keeps the matrix symmetric although only one side is smoothed.
  const cost = totals.map((total, word) => (Math.log(total) + Math.log(smoothed[word]!)) / 2);

  const rowStart = new Int32Array(size + 1);
  const columns: Int32Array[] = [];
  const values: Float32Array[] = [];
  const shared = new Float64Array(size);
  for (let word = 0; word < size; word += 1) {
    const touched = addShared(contexts, contextsOf[word]!, word, shared).toSorted();
    const information = new Float32Array(touched.length);
    let kept = 0;
    for (const other of touched) {
      const value = Math.log(shared[other]!) + logSmoothedSum - cost[word]! - cost[other]!;
      if (value > 0) {
        information[kept] = value;
        touched[kept] = other;
        kept += 1;
      }
      shared[other] = 0;
    }
    columns.push(touched.slice(0, kept));
    values.push(information.slice(0, kept));
    rowStart[word + 1] = rowStart[word]! + kept;
  }
  return { size, rowStart, columns: concat(columns, Int32Array), values: concat(values, Float32Array) };
}

/** Adds up what `word` shares with every other word, and returns the words met. */
function addShared(
  contexts: readonly Context[],
  ids: readonly number[],
  word: number,
  shared: Float64Array,
): Int32Array {
  const touched: number[] = [];
  for (const id of ids) {
    const { words, weight } = contexts[id]!;
    const share = weight / (words.length - 1);
    for (const other of words) {
      if (other === word) continue;
      if (shared[other] === 0) touched.push(other);
      shared[other]! += share;
    }
  }
  return Int32Array.from(touched);
}

function invert(contexts: readonly Context[], size: number): number[][] {
  const contextsOf: number[][] = Array.from({ length: size }, () => []);
  contexts.forEach(({ words }, id) => {
    if (words.length > 1) for (const word of words) contextsOf[word]!.push(id);
  });
  return contextsOf;
}

function concat<T extends Int32Array | Float32Array>(
  parts: readonly T[],
  type: new (length: number) => T,
): T {
  const whole = new type(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
