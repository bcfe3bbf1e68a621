import { describe, expect, it } from 'vitest';
import { editDistance } from '../../src/domain/edit-distance.ts';
import { plainDistance } from '../support/plain-search.ts';
import { createRandom } from '../support/random.ts';

describe('editDistance', () => {
  it.each([
    ['cart', 'cart', 0],
    ['cart', 'card', 1],
    ['cart', 'carts', 1],
    ['cart', 'cat', 1],
    ['cart', 'crat', 1],
    ['cart', 'tarc', 2],
    // A swap is not edited again: the unrestricted distance would be 2.
    ['ca', 'abc', 3],
    ['', 'ab', 2],
    ['naïve', 'naive', 1],
    ['𐐨𐐩𐐪', '𐐨𐐪𐐩', 1],
  ])('%s and %s: %i', (word, other, distance) => {
    expect(editDistance(word, other, 5)).toBe(distance);
    expect(editDistance(other, word, 5)).toBe(distance);
  });

  it('says one more than the limit for everything beyond it', () => {
    expect(editDistance('notification', 'not', 2)).toBe(3);
    expect(editDistance('cart', 'dog', 1)).toBe(2);
    expect(editDistance('abcd', 'badc', 1)).toBe(2);
    expect(editDistance('a', 'b', 0)).toBe(1);
  });

  it('agrees with the recursive definition on random words', () => {
    const random = createRandom(7);
    for (let round = 0; round < 3000; round += 1) {
      const [word = '', other = ''] = random.several(2, () =>
        random.several(random.below(8), () => random.pick(['a', 'b', 'c'])).join(''),
      );
      const distance = plainDistance(Array.from(word), Array.from(other));
      for (const limit of [0, 1, 2, 8]) {
        expect([word, other, editDistance(word, other, limit)]).toEqual([
          word,
          other,
          Math.min(distance, limit + 1),
        ]);
      }
    }
  });
});
