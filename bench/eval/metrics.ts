import type { Grades } from './judged.ts';

/** One place of a ranking: a screen and the near-duplicates that were folded into it. */
export interface Place {
  id: string;
  alike: readonly string[];
}

const NDCG_DEPTH = 10;
const RECALL_DEPTH = 20;

export interface QueryScores {
  /** Normalised discounted cumulative gain of the first ten places, 0–1. */
  ndcg10: number;
  /** 1 when the first place is of use, else 0. */
  precision1: number;
  /** Share of the useful screens that are among the first twenty places, 0–1. */
  recall20: number;
  /** 1 when nothing was found, else 0. */
  empty: number;
}

/**
 * Scores of one ranking against grades, of which there must be at least one. A place is worth the best grade of its
 * screen and of those folded into it; so that folding neither wins nor loses, screens folded together count once in
 * the ideal ranking too. Gain 2^grade − 1, discount log2(place + 1) (Burges et al., Learning to rank using gradient
 * descent, 2005).
 */
export function scoreRanking(ranking: readonly Place[], grades: Grades): QueryScores {
  if (grades.size === 0) throw new RangeError('A query that nothing answers has no such scores');
  const grouped = ranking.map(({ id, alike }) => [id, ...alike]);
  const worth = (ids: readonly string[]) => Math.max(0, ...ids.map((id) => grades.get(id) ?? 0));
  const folded = new Set(grouped.flat());
  const alone = [...grades].filter(([id]) => !folded.has(id)).map(([, grade]) => grade);
  const ideal = [...grouped.map(worth), ...alone].toSorted((a, b) => b - a);
  const early = new Set(grouped.slice(0, RECALL_DEPTH).flat());
  return {
    ndcg10: gain(grouped.map(worth)) / gain(ideal),
    precision1: worth(grouped[0] ?? []) > 0 ? 1 : 0,
    recall20: [...grades.keys()].filter((id) => early.has(id)).length / grades.size,
    empty: ranking.length === 0 ? 1 : 0,
  };
}

function gain(grades: readonly number[]): number {
  return grades
    .slice(0, NDCG_DEPTH)
    .reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
}

/** The ranking and the grades as they would be if the library held only some screens; undefined with no grade left. */
export function within(
  ranking: readonly Place[],
  grades: Grades,
  holds: (screenId: string) => boolean,
): { ranking: Place[]; grades: Grades } | undefined {
  const left = new Map([...grades].filter(([id]) => holds(id)));
  if (left.size === 0) return undefined;
  const places = ranking.flatMap(({ id, alike }) => {
    const [first, ...rest] = [id, ...alike].filter((one) => holds(one));
    return first === undefined ? [] : [{ id: first, alike: rest }];
  });
  return { ranking: places, grades: left };
}
