import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '../../src/library/cursor.ts';

const AFTER = { after: { capturedAt: '2026-01-01T00:00:00.000Z', id: 'a/ü' } };

describe('cursors', () => {
  it('bring back the position of the question they belong to', () => {
    expect(decodeCursor({ q: 1 }, encodeCursor({ q: 1 }, AFTER))).toEqual(AFTER);
    expect(decodeCursor({ q: 1 }, encodeCursor({ q: 1 }, { offset: 40 }))).toEqual({ offset: 40 });
  });

  it('are refused by another question', () => {
    expect(() => decodeCursor({ q: 2 }, encodeCursor({ q: 1 }, AFTER))).toThrow(
      /other filters or another order/,
    );
  });

  const forged = (value: unknown) => {
    const [digest] = JSON.parse(Buffer.from(encodeCursor({}, AFTER), 'base64url').toString()) as [string];
    return Buffer.from(JSON.stringify([digest, ...(value as unknown[])])).toString('base64url');
  };

  it.each([
    ['nonsense', '!!!'],
    ['JSON that is no list', Buffer.from('{}').toString('base64url')],
    ['an offset below 0', forged([-1])],
    ['an offset beyond the depth', forged([1000])],
    ['a position of the wrong type', forged([true, 'x'])],
    ['a time that is none', forged(['yesterday', 'x'])],
    ['half a position', forged(['2026-01-01T00:00:00.000Z'])],
  ])('are refused when they are %s', (_name, cursor) => {
    expect(() => decodeCursor({}, cursor)).toThrow(/cursor/);
  });
});
