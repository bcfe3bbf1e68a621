import { expect, test } from 'vitest';
import { weighWords } from '../../src/library/weigh-words.ts';

/** A hundred screens: `the` stands on all, `boarding` on two, nothing else anywhere. */
const PLACES: Record<string, string[]> = {
  the: Array.from({ length: 100 }, (_, index) => `s${index}`),
  boarding: ['s1', 's2'],
};
const search = {
  count: async () => 100,
  search: async ({ terms }: { terms: readonly { kind: string; token?: string }[] }) => {
    const ids = PLACES[terms[0]?.token ?? ''] ?? [];
    return { hits: ids.map((id) => ({ id, score: 1, capturedAt: '' })), total: ids.length };
  },
};

test('a rare word weighs more than a common one', async () => {
  const { said, known } = await weighWords(search, 'the boarding');
  expect(known).toBe(1);
  expect(said.get('s1')).toBeCloseTo(1);
  expect(said.get('s9')).toBeLessThan(0.2);
});

test('a word that stands nowhere weighs most, and tells that the library does not know it', async () => {
  const { said, known } = await weighWords(search, 'the boarding turnstile');
  expect(known).toBeLessThan(0.6);
  expect(said.get('s1')).toBe(known);
});

test('a question without words says nothing against an answer', async () => {
  expect(await weighWords(search, '…')).toEqual({ said: new Map(), known: 1 });
});
