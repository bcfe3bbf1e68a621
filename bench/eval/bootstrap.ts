import { createRandom } from '../../test/support/random.ts';

const RESAMPLES = 1000;
const SEED = 20_261_121;
const CONFIDENCE = 0.95;

/** A mean, and the interval that 95 in 100 resamples of the queries fall in. */
export interface Estimate {
  mean: number;
  low: number;
  high: number;
}

/** Percentile bootstrap over queries (Efron, 1979), the same for the same values. At least one value. */
export function estimate(values: readonly number[]): Estimate {
  const means = resampledMeans(values);
  const tail = Math.floor((RESAMPLES * (1 - CONFIDENCE)) / 2);
  return { mean: mean(values), low: means[tail] ?? 0, high: means[RESAMPLES - 1 - tail] ?? 0 };
}

/**
 * Share of resamples in which the mean of `values` is not above that of `others`, query by query (a paired bootstrap,
 * one-sided): 0.05 or less says that `values` are better, 0.95 or more that they are worse. 0.5 when all are equal.
 */
export function pairedBootstrap(values: readonly number[], others: readonly number[]): number {
  const means = resampledMeans(values.map((value, index) => value - (others[index] ?? 0)));
  const at = (sign: number) => means.filter((difference) => Math.sign(difference) === sign).length;
  return (at(-1) + at(0) / 2) / RESAMPLES;
}

function resampledMeans(values: readonly number[]): number[] {
  if (values.length === 0) throw new RangeError('There is nothing to resample');
  const random = createRandom(SEED);
  const means = random.several(RESAMPLES, () =>
    mean(random.several(values.length, () => random.pick(values))),
  );
  return means.toSorted((a, b) => a - b);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
