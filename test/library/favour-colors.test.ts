import { expect, test } from 'vitest';
import { favourColors } from '../../src/library/favour-colors.ts';
import type { RankedScreen } from '../../src/library/fuse.ts';
import { screenRecord } from '../support/screen-record.ts';

const catalogue = {
  screens: async (ids: readonly string[]) =>
    ids.map((id) =>
      screenRecord(id, { colors: [{ hex: id === 'green' ? '#0B3D20' : '#D32F2F', share: 1 }] }),
    ),
};
const ranked: RankedScreen[] = [
  { id: 'red', score: 0.6, matched: ['meaning'] },
  { id: 'green', score: 0.5, matched: ['meaning'] },
];

test('a screen in the colour that is named goes up, and says why', async () => {
  expect(await favourColors(catalogue, 'dark green paywall', ranked)).toEqual([
    { id: 'green', score: 0.75, matched: ['meaning', 'colour'] },
    { id: 'red', score: 0.6, matched: ['meaning'] },
  ]);
});

test('without a colour in the question nothing moves', async () => {
  expect(await favourColors(catalogue, 'paywall', ranked)).toEqual(ranked);
});
