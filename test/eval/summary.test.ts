import { describe, expect, it } from 'vitest';
import { belowFloor } from '../../bench/eval/floor.ts';
import type { JudgedQuery, Kind } from '../../bench/eval/judged.ts';
import type { Place } from '../../bench/eval/metrics.ts';
import type { AnsweredQuery } from '../../bench/eval/run-queries.ts';
import { summarise } from '../../bench/eval/summary.ts';

const places = (...ids: string[]): Place[] => ids.map((id) => ({ id, alike: [] }));

function answered(kind: Kind, exact: string[], rankings: AnsweredQuery['rankings']): AnsweredQuery {
  const ask: JudgedQuery['ask'] =
    kind === 'look-alike' ? { like: 'itself', elsewhere: false } : { query: 'words' };
  const grades = new Map(exact.map((id) => [id, 2 as const]));
  return { query: { id: `${kind}-01`, kind, part: 'report', ask, grades }, rankings };
}

const inWords = (kind: Kind, exact: string[], text: Place[], meaning: Place[], hybrid: Place[]) =>
  answered(kind, exact, { text, meaning, hybrid });

const found = places('right');
const missed = places('wrong');

describe('summarise', () => {
  it('averages a kind way by way, and all questions in words together', () => {
    const { groups } = summarise([
      inWords('literal', ['right'], found, missed, found),
      inWords('literal', ['right'], found, [], missed),
      inWords('look', ['right'], [], found, found),
      answered('look-alike', ['right'], { layout: found }),
    ]);
    const of = (name: string) => groups.find((group) => group.name === name);
    expect(of('literal')).toMatchObject({
      queries: 2,
      ways: {
        text: { precision1: 1, ndcg10: { mean: 1 } },
        meaning: { precision1: 0, empty: 0.5 },
        hybrid: { precision1: 0.5 },
      },
    });
    expect(of('all in words')).toMatchObject({ queries: 3 });
    expect(of('look-alike')?.ways).toMatchObject({ layout: { precision1: 1 } });
    expect(of('look-alike')).not.toHaveProperty('hybridNotAbove');
  });

  it('sets hybrid against the better of text and meaning', () => {
    const better = inWords('literal', ['right'], missed, missed, found);
    const worse = inWords('literal', ['right'], found, missed, missed);
    expect(summarise([better, better]).groups[0]?.hybridNotAbove).toBe(0);
    expect(summarise([worse, worse]).groups[0]?.hybridNotAbove).toBe(1);
  });

  it('counts what was found for questions that nothing answers, and leaves them out of the rest', () => {
    const { groups, noAnswer } = summarise([
      inWords('no-answer', [], [], missed, missed),
      inWords('no-answer', [], [], missed, []),
    ]);
    expect(noAnswer).toEqual({ queries: 2, found: { text: 0, meaning: 1, hybrid: 0.5 } });
    expect(groups).toEqual([]);
  });

  it('leaves a query out where the library holds nothing that answers it', () => {
    const queries = [
      inWords('literal', ['right'], found, found, found),
      inWords('literal', ['other'], missed, missed, missed),
    ];
    expect(summarise(queries, (id) => id !== 'other').groups[0]).toMatchObject({ queries: 1 });
  });
});

describe('belowFloor', () => {
  const all = (hybrid: Place[], layout: Place[], forNothing: Place[]) =>
    summarise([
      inWords('literal', ['right'], found, found, hybrid),
      answered('look-alike', ['right'], { layout }),
      inWords('no-answer', [], [], [], forNothing),
    ]);

  it('says nothing when every figure holds', () => {
    expect(belowFloor(all(found, found, []))).toEqual([]);
  });

  it('names each figure that does not', () => {
    const faults = belowFloor(all([], [], missed));
    expect(faults).toHaveLength(5);
    expect(faults.join('\n')).toMatch(/nDCG@10 of hybrid is 0\.000, below the floor of/);
  });

  it('fails loudly when a kind that it needs was not asked', () => {
    expect(() => belowFloor(summarise([]))).toThrow(/No query of/);
  });
});
