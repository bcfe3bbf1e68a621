/** A step as alignment sees it: only what it is for. */
export interface Step {
  patterns: readonly string[];
}

/** One row of the comparison: for each flow the index of its step, or null where it has none like it. */
export type AlignedRow = (number | null)[];

/**
 * Steps of several flows side by side: in every flow's own order, steps that share patterns in one row, as much shared
 * as possible. Pairs are aligned by dynamic programming (Needleman and Wunsch, 1970), with the overlap of two sets of
 * patterns (weighted Jaccard) as the worth of a pair and gaps for free; each further flow is aligned with the rows so far.
 */
export function alignFlows(flows: readonly (readonly Step[])[]): AlignedRow[] {
  let rows: AlignedRow[] = [];
  for (const [added, steps] of flows.entries()) {
    const known = rows.map((row) => patternsOf(row, flows));
    rows = alignPair(
      known,
      steps.map((step) => step.patterns),
    ).map(([row, step]) => {
      const before = row === null ? Array.from({ length: added }, () => null) : (rows[row] ?? []);
      return [...before, step];
    });
  }
  return rows;
}

function patternsOf(row: AlignedRow, flows: readonly (readonly Step[])[]): string[] {
  return row.flatMap((step, flow) => (step === null ? [] : (flows[flow]?.[step]?.patterns ?? [])));
}

/** Index pairs in order, null for the side that has nothing there. */
function alignPair(
  left: readonly (readonly string[])[],
  right: readonly (readonly string[])[],
): [number | null, number | null][] {
  // best[i][j]: the most that the first i of left and the first j of right can share.
  const best = Array.from({ length: left.length + 1 }, () => new Float64Array(right.length + 1));
  const at = (i: number, j: number): number => best[i]?.[j] ?? 0;
  const worth = (i: number, j: number): number => overlap(left[i - 1] ?? [], right[j - 1] ?? []);
  for (let i = 1; i <= left.length; i += 1) {
    for (let j = 1; j <= right.length; j += 1) {
      best[i]![j] = Math.max(at(i - 1, j), at(i, j - 1), at(i - 1, j - 1) + worth(i, j));
    }
  }
  const pairs: [number | null, number | null][] = [];
  let i = left.length;
  let j = right.length;
  while (i > 0 || j > 0) {
    if (i > 0 && j > 0 && worth(i, j) > 0 && at(i, j) === at(i - 1, j - 1) + worth(i, j)) {
      pairs.push([--i, --j]);
    } else if (j > 0 && (i === 0 || at(i, j) === at(i, j - 1))) {
      pairs.push([null, --j]);
    } else {
      pairs.push([--i, null]);
    }
  }
  return pairs.toReversed();
}

/** Words for how a screen is built. They say little about what it is for. */
const STRUCTURAL_PATTERNS: ReadonlySet<string> = new Set([
  'dark-mode',
  'detail',
  'form',
  'list',
  'modal',
  'navigation-menu',
  'table',
  'tabs',
]);
const STRUCTURAL_WEIGHT = 0.2;

function overlap(one: readonly string[], other: readonly string[]): number {
  const all = weightOf(new Set([...one, ...other]));
  return all === 0 ? 0 : weightOf(new Set(one).intersection(new Set(other))) / all;
}

function weightOf(patterns: ReadonlySet<string>): number {
  return [...patterns].reduce(
    (sum, pattern) => sum + (STRUCTURAL_PATTERNS.has(pattern) ? STRUCTURAL_WEIGHT : 1),
    0,
  );
}
