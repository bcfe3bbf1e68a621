/** What the best hit of a looser level is worth at most, as a share of the last hit of the stricter one. */
const LOOSER_SHARE = 0.9;

/**
 * Takes the levels out of scores that `rankedClauses` gave, so that what is left compares as BM25 does: within a level it is
 * BM25, and a looser level is scaled to begin below where the stricter one ended.
 * @param scores descending, all above zero
 * @param step the score of one level
 * @returns descending too; equal where they were equal
 */
export function withoutLevels(scores: readonly number[], step: number): number[] {
  const plain: number[] = [];
  let level: number | undefined;
  let factor = 1;
  for (const score of scores) {
    const own = Math.floor(score / step);
    const rest = score - own * step;
    if (own !== level) {
      const last = plain.at(-1);
      const ceiling = last === undefined ? rest : last * LOOSER_SHARE;
      factor = rest > ceiling ? ceiling / rest : 1;
      level = own;
    }
    plain.push(rest * factor);
  }
  return plain;
}
