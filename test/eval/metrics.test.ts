import { describe, expect, it } from 'vitest';
import { estimate, pairedBootstrap } from '../../bench/eval/bootstrap.ts';
import type { Grades } from '../../bench/eval/judged.ts';
import { scoreRanking, within, type Place } from '../../bench/eval/metrics.ts';

const grades: Grades = new Map([
  ['a', 2],
  ['b', 1],
]);
const places = (...ids: string[]): Place[] => ids.map((id) => ({ id, alike: [] }));

describe('scoreRanking', () => {
  it('is 1 for the best order', () => {
    expect(scoreRanking(places('a', 'b', 'c'), grades)).toEqual({
      ndcg10: 1,
      precision1: 1,
      recall20: 1,
      empty: 0,
    });
  });

  it('discounts what comes late by the logarithm of its place', () => {
    const { ndcg10, precision1 } = scoreRanking(places('c', 'a'), grades);
    expect(ndcg10).toBeCloseTo(3 / Math.log2(3) / (3 + 1 / Math.log2(3)), 10);
    expect(precision1).toBe(0);
  });

  it('looks at ten places for the gain and at twenty for recall', () => {
    const others = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`);
    expect(scoreRanking(places(...others(10), 'a'), grades)).toMatchObject({ ndcg10: 0, recall20: 0.5 });
    expect(scoreRanking(places(...others(20), 'a'), grades)).toMatchObject({ recall20: 0 });
  });

  it('is 0 throughout for an empty ranking', () => {
    expect(scoreRanking([], grades)).toEqual({ ndcg10: 0, precision1: 0, recall20: 0, empty: 1 });
  });

  it('neither rewards nor punishes folding near-duplicates into one place', () => {
    expect(scoreRanking([{ id: 'a', alike: ['b'] }], grades)).toMatchObject({ ndcg10: 1, recall20: 1 });
    expect(scoreRanking([{ id: 'b', alike: ['a'] }], grades)).toMatchObject({ ndcg10: 1, precision1: 1 });
  });

  it('has no meaning without a grade', () => {
    expect(() => scoreRanking(places('a'), new Map())).toThrow(RangeError);
  });
});

describe('within', () => {
  it('leaves out the screens that the library does not hold, from places, foldings and grades', () => {
    const ranking = [{ id: 'c', alike: ['a'] }, ...places('b')];
    expect(within(ranking, grades, (id) => id === 'a')).toEqual({
      ranking: [{ id: 'a', alike: [] }],
      grades: new Map([['a', 2]]),
    });
  });

  it('is nothing when no graded screen is left', () => {
    expect(within(places('a'), grades, (id) => id === 'c')).toBeUndefined();
  });
});

describe('the bootstrap', () => {
  it('gives an interval around the mean, the same every time', () => {
    const values = [0, 0.5, 1, 1, 0.25, 0.75, 0, 1];
    const first = estimate(values);
    expect(first.low).toBeLessThan(first.mean);
    expect(first.high).toBeGreaterThan(first.mean);
    expect(estimate(values)).toEqual(first);
    expect(estimate([0.5, 0.5])).toEqual({ mean: 0.5, low: 0.5, high: 0.5 });
  });

  it('tells better, worse and equal apart, pair by pair', () => {
    const low = [0.1, 0.2, 0.3, 0.4, 0.5];
    const high = low.map((value) => value + 0.1);
    expect(pairedBootstrap(high, low)).toBe(0);
    expect(pairedBootstrap(low, high)).toBe(1);
    expect(pairedBootstrap(low, low)).toBe(0.5);
  });
});
