import type { SparseMatrix } from './linear-algebra.ts';

/** Words that stand together, as ids without repeats. */
export interface Context {
  readonly words: Int32Array;
  /** What this context gives each of its words to share out among the others. */
  readonly weight: number;
}

/** Context counts are raised to this power before they are compared (Levy, Goldberg and Dagan, 2015). */
const CONTEXT_SMOOTHING = 0.75;

/**
 * Positive pointwise mutual information of words over the contexts they share: log(p(i,j) / (p(i)·p(j))), nothing
 * where it is negative. Symmetric, with an empty diagonal.
 * @param size number of words; ids in contexts are below it
 */
export function positiveMutualInformation(contexts: readonly Context[], size: number): SparseMatrix {
  const contextsOf = invert(contexts, size);
  const totals = new Float64Array(size);
  for (const { words, weight } of contexts) {
    if (words.length > 1) for (const word of words) totals[word]! += weight;
  }
  const smoothed = totals.map((total) => total ** CONTEXT_SMOOTHING);
  const smoothedSum = smoothed.reduce((sum, value) => sum + value, 0);

  const rowStart = new Int32Array(size + 1);
  const columns: number[] = [];
  const values: number[] = [];
  const shared = new Float64Array(size);
  for (let word = 0; word < size; word += 1) {
    const touched = addShared(contexts, contextsOf[word]!, word, shared).toSorted((a, b) => a - b);
    for (const other of touched) {
      // The mean of both directions keeps the matrix symmetric although only one side is smoothed.
      const forward = Math.log((shared[other]! * smoothedSum) / (totals[word]! * smoothed[other]!));
      const backward = Math.log((shared[other]! * smoothedSum) / (totals[other]! * smoothed[word]!));
      const information = (forward + backward) / 2;
      if (information > 0) {
        columns.push(other);
        values.push(information);
      }
      shared[other] = 0;
    }
    rowStart[word + 1] = columns.length;
  }
  return { size, rowStart, columns: Int32Array.from(columns), values: Float32Array.from(values) };
}

/** Adds up what `word` shares with every other word, and returns the words met. */
function addShared(
  contexts: readonly Context[],
  ids: readonly number[],
  word: number,
  shared: Float64Array,
): number[] {
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
  return touched;
}

function invert(contexts: readonly Context[], size: number): number[][] {
  const contextsOf: number[][] = Array.from({ length: size }, () => []);
  contexts.forEach(({ words }, id) => {
    if (words.length > 1) for (const word of words) contextsOf[word]!.push(id);
  });
  return contextsOf;
}
