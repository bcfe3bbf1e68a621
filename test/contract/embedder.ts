import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Embedder } from '../../src/ports/embedder.ts';

/** What every embedder promises, whatever it runs on. `make` gives a fresh one each time. */
export function embedderContract(name: string, make: () => Promise<Embedder>): void {
  describe(`embedder: ${name}`, () => {
    let embedder: Embedder;
    beforeAll(async () => void (embedder = await make()));
    afterAll(() => embedder.close());

    test('gives one unit-length vector a text, in order', async () => {
      const texts = ['choose a plan', 'log in', 'your cart is empty'];
      const vectors = await embedder.embed(texts, 'passage');
      expect(vectors).toHaveLength(texts.length);
      for (const [index, vector] of vectors.entries()) {
        expect(vector).toHaveLength(embedder.dims);
        expect(cosine(vector, vector)).toBeCloseTo(1, 5);
        const [alone] = await embedder.embed([texts[index]!], 'passage');
        expect(cosine(vector, alone)).toBeCloseTo(1, 5);
      }
    });

    test('gives null, never NaN, where there is nothing to understand', async () => {
      const vectors = await embedder.embed(['', '  \n\t', 'log in', '\u0000\u200b'], 'query');
      expect(vectors[0]).toBeNull();
      expect(vectors[1]).toBeNull();
      expect(vectors[2]).not.toBeNull();
      for (const value of vectors[3] ?? []) expect(Number.isFinite(value)).toBe(true);
    });

    test('does not let the texts of one call change each other', async () => {
      const long = 'settings notifications privacy '.repeat(200);
      const many = Array.from({ length: 70 }, (_, index) =>
        index % 7 === 0 ? long : `log in step ${index}`,
      );
      const together = await embedder.embed(many, 'passage');
      for (const index of [0, 1, 33, 69]) {
        const [alone] = await embedder.embed([many[index]!], 'passage');
        expect(cosine(together[index], alone)).toBeCloseTo(1, 4);
      }
    });

    test('gives the same vector for the same text from a second instance, under the same id', async () => {
      const second = await make();
      expect(second.modelId).toBe(embedder.modelId);
      expect(second.dims).toBe(embedder.dims);
      const [[first], [again]] = await Promise.all([
        embedder.embed(['dark mode'], 'query'),
        second.embed(['dark mode'], 'query'),
      ]);
      expect(again).toEqual(first);
      await second.close();
    });

    test('takes an empty list and texts far beyond its limit', async () => {
      expect(await embedder.embed([], 'query')).toEqual([]);
      const [vector] = await embedder.embed(['payment method '.repeat(20_000)], 'passage');
      expect(vector).toHaveLength(embedder.dims);
    });

    test('finishes calls under way before it closes, then refuses', async () => {
      const closing = await make();
      const pending = closing.embed(['sign up'], 'query');
      await Promise.all([closing.close(), closing.close()]);
      expect((await pending)[0]).toHaveLength(closing.dims);
      await expect(closing.embed(['sign up'], 'query')).rejects.toThrow('closed');
    });
  });
}

export function cosine(
  left: Float32Array | null | undefined,
  right: Float32Array | null | undefined,
): number {
  if (!left || !right) throw new Error('A text that must have a vector has none.');
  return left.reduce((sum, value, index) => sum + value * right[index]!, 0);
}
