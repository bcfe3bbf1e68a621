/** Why a screen was found. */
export type Reason = 'text' | 'meaning' | 'colour' | 'layout';

export interface RankedScreen {
  id: string;
  /** 0–1, higher is better. */
  score: number;
  matched: Reason[];
}

/**
 * Below this cosine of the embedded query and the embedded screen, the likeness is mostly chance, and a hit that has
 * nothing else for it is dropped. Measured with the built-in model on the sample: of screens that a question is not
 * about, 95 in 100 are below it, and for 29 of 30 questions the best screen that they are about is above. It does not
 * tell every question apart that nothing answers: of 26 such, half still find something.
 */
export const MIN_MEANING_COSINE = 0.4;

/**
 * How much agreement of the words adds to likeness of meaning. Adding ranks reciprocally (RRF) measured far worse on
 * paraphrases, where most text hits are chance; a small share of the normalised BM25 score did not hurt them.
 */
const TEXT_WEIGHT = 0.15;

/**
 * One ranking from hits by words and hits by meaning. The score of a hit is (cosine + TEXT_WEIGHT × bm25 / best bm25)
 * / (1 + TEXT_WEIGHT) where meaning took part, bm25 / best bm25 by words alone, and 1 where nothing was asked but a
 * filter. Order among equals: as the text ranking has it, then by id.
 */
export function fuse({
  text,
  meaning,
  asked,
  byColor,
}: {
  text?: readonly { id: string; score: number }[];
  meaning?: readonly { screenId: string; score: number }[];
  /** Was there a question in words? */
  asked: boolean;
  /** Did a colour filter take part? */
  byColor: boolean;
}): RankedScreen[] {
  const colour: Reason[] = byColor ? ['colour'] : [];
  if (!asked) return (text ?? []).map(({ id }) => ({ id, score: 1, matched: colour }));

  const best = Math.max(0, ...(text ?? []).map((hit) => hit.score));
  const wordShare = new Map((text ?? []).map((hit) => [hit.id, best > 0 ? hit.score / best : 1]));
  if (meaning === undefined) {
    return [...wordShare].map(([id, share]) => ({ id, score: toScore(share), matched: ['text', ...colour] }));
  }

  const cosine = new Map(meaning.map((hit) => [hit.screenId, hit.score]));
  const ids = new Set([...wordShare.keys(), ...cosine.keys()]);
  const hits: RankedScreen[] = [];
  for (const id of ids) {
    const share = wordShare.get(id);
    const near = Math.max(0, cosine.get(id) ?? 0);
    const meant = near >= MIN_MEANING_COSINE;
    if (!meant && share === undefined) continue;
    hits.push({
      id,
      score: toScore((near + TEXT_WEIGHT * (share ?? 0)) / (1 + TEXT_WEIGHT)),
      matched: [
        ...(share === undefined ? [] : (['text'] as const)),
        ...(meant ? (['meaning'] as const) : []),
        ...colour,
      ],
    });
  }
  return hits.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** To three places, at most 1. */
export function toScore(score: number): number {
  return Math.round(Math.min(1, score) * 1000) / 1000;
}
