/**
 * Edits that turn one word into the other: insertion, deletion, substitution, or a swap of neighbours, each counting
 * one, and no part edited twice (optimal string alignment, also called restricted Damerau–Levenshtein). Counted in
 * code points.
 *
 * @returns the distance, or `limit + 1` as soon as it is known to be more than `limit`
 */
export function editDistance(word: string, other: string, limit: number): number {
  const from = codePoints(word);
  const to = codePoints(other);
  const tooFar = limit + 1;
  if (Math.abs(from.length - to.length) > limit) return tooFar;

  // Rows of the alignment table: two rows back (for swaps), the last one, and the one being filled.
  let older: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) cost = Math.min(cost, at(older, column - 2) + 1);
      current.push(cost);
      best = Math.min(best, cost);
    }
    // A later row is never less than the least of the two rows before it.
    if (best > limit && Math.min(...previous) > limit) return tooFar;
    older = previous;
    previous = current;
  }
  return Math.min(at(previous, to.length), tooFar);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

/** A string counts in UTF-16 units, which differ from code points only where there are surrogates. */
function codePoints(word: string): string | string[] {
  return /[\ud800-\udfff]/.test(word) ? Array.from(word) : word;
}
