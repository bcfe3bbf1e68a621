import { describe, expect, it } from 'vitest';
import { collapseNearDuplicates } from '../../src/library/collapse.ts';
import { fuse, MIN_SCORE } from '../../src/library/fuse.ts';

describe('fusing words and meaning', () => {
  const text = [
    { id: 'both', score: 8 },
    { id: 'words', score: 4 },
  ];
  const meaning = [
    { screenId: 'both', score: 0.6 },
    { screenId: 'meant', score: 0.55 },
    { screenId: 'chance', score: MIN_SCORE - 0.01 },
  ];

  it('says for each hit what matched, and lets agreement win', () => {
    const hits = fuse({ text, meaning, asked: true, byColor: false });
    expect(hits.map((hit) => [hit.id, hit.matched])).toEqual([
      ['both', ['text', 'meaning']],
      ['meant', ['meaning']],
      ['words', ['text']],
    ]);
    for (const { score } of hits) expect(score).toBeGreaterThanOrEqual(0);
    expect(hits[0]?.score).toBeLessThanOrEqual(1);
  });

  it('drops likeness that is chance, so that nothing relevant gives nothing', () => {
    expect(fuse({ text: [], meaning: [{ screenId: 'x', score: 0.1 }], asked: true, byColor: false })).toEqual(
      [],
    );
  });

  it('scores a hit by meaning alone with its cosine', () => {
    const hits = fuse({ text, meaning, asked: true, byColor: false });
    expect(hits.find(({ id }) => id === 'meant')?.score).toBe(0.55);
  });

  it('lets screens that say a part of the question gain by it, the more the rarer it is', () => {
    const equal = ['a', 'b', 'c'].map((screenId) => ({ screenId, score: 0.4 }));
    const words = {
      said: new Map([
        ['c', 0.9],
        ['b', 0.3],
      ]),
      known: 1,
    };
    const hits = fuse({ text: [], words, meaning: equal, asked: true, byColor: false });
    expect(hits.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    expect(hits.at(-1)?.score).toBe(0.4);
  });

  it('wants more likeness where the library never says what is asked for', () => {
    const answer = (known: number, score: number) =>
      fuse({
        text: [],
        words: { said: new Map(), known },
        meaning: [{ screenId: 'x', score }],
        asked: true,
        byColor: false,
      }).length;
    expect([answer(1, 0.3), answer(0, 0.3), answer(0, 0.6)]).toEqual([1, 0, 1]);
  });

  it('keeps what says every word, however foreign the rest', () => {
    const words = { said: new Map([['both', 1]]), known: 0 };
    const hits = fuse({ text, words, meaning: [], asked: true, byColor: false });
    expect(hits.map(({ id }) => id)).toEqual(['both', 'words']);
  });

  it('by words alone scores against the best hit', () => {
    expect(fuse({ text, asked: true, byColor: true })).toEqual([
      { id: 'both', score: 1, matched: ['text', 'colour'] },
      { id: 'words', score: 0.5, matched: ['text', 'colour'] },
    ]);
  });

  it('without a question keeps the order of the filter', () => {
    const hits = fuse({
      text: [
        { id: 'b', score: 0 },
        { id: 'a', score: 0 },
      ],
      asked: false,
      byColor: false,
    });
    expect(hits).toEqual([
      { id: 'b', score: 1, matched: [] },
      { id: 'a', score: 1, matched: [] },
    ]);
  });

  it('orders equals by id, the same every time', () => {
    const equal = ['c', 'a', 'b'].map((screenId) => ({ screenId, score: 0.5 }));
    const hits = fuse({ meaning: equal, asked: true, byColor: false });
    expect(hits.map((hit) => hit.id)).toEqual(['a', 'b', 'c']);
  });
});

describe('collapsing near-duplicates', () => {
  const link = (screenId: string, otherId: string) => ({ screenId, otherId, kind: 'near' as const });
  const hit = (id: string) => ({ id, score: 0.5, matched: [] });

  it('keeps the best of each group, also when the group hangs together through others', async () => {
    const catalogue = { nearDuplicates: () => Promise.resolve([link('a', 'c'), link('c', 'e')]) };
    const distinct = await collapseNearDuplicates(catalogue, ['e', 'b', 'a', 'c'].map(hit));
    expect(distinct.map(({ id, alike }) => [id, alike])).toEqual([
      ['e', ['a', 'c']],
      ['b', []],
    ]);
  });

  it('does not let screens that were not found join others', async () => {
    const catalogue = { nearDuplicates: () => Promise.resolve([link('a', 'hidden'), link('c', 'hidden')]) };
    const distinct = await collapseNearDuplicates(catalogue, ['a', 'c'].map(hit));
    expect(distinct.map(({ id }) => id)).toEqual(['a', 'c']);
  });
});
