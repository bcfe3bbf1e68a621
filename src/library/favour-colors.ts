import { colorAgreement, colorWordsOf } from '../domain/color-words.ts';
import type { Catalogue } from '../ports/catalogue.ts';
import { toScore, type RankedScreen } from './fuse.ts';

/** How sure a screen that is all in the named colours is to be meant. Chosen on the tuning part of the judged queries. */
const COLOR_WEIGHT = 0.5;

/**
 * Moves screens up that have the colours which a question names in words; what a model knows of colours it cannot see on
 * a screen. A question that names none is left as it is.
 */
export async function favourColors(
  catalogue: Pick<Catalogue, 'screens'>,
  question: string,
  ranked: readonly RankedScreen[],
): Promise<RankedScreen[]> {
  const wanted = colorWordsOf(question);
  if (wanted.length === 0) return [...ranked];
  const records = await catalogue.screens(ranked.map(({ id }) => id));
  const colors = new Map(records.map((record) => [record.id, record.colors]));
  return ranked
    .map((hit) => {
      const agreement = colorAgreement(wanted, colors.get(hit.id) ?? []);
      if (agreement === 0) return hit;
      const matched = new Set([...hit.matched, 'colour' as const]);
      return {
        ...hit,
        score: toScore(1 - (1 - hit.score) * (1 - COLOR_WEIGHT * agreement)),
        matched: [...matched],
      };
    })
    .toSorted((a, b) => b.score - a.score);
}
