import { describe, expect, it } from 'vitest';
import {
  COLOR_CELLS,
  colorCell,
  colorDistance,
  expandToCells,
  isNear,
  labOf,
  packColor,
  parseHexColor,
  squaredReach,
  unpackColor,
} from '../../src/domain/color.ts';
import { createRandom, type Random } from '../support/random.ts';

const toHex = (value: number) => `#${value.toString(16).padStart(6, '0').toUpperCase()}`;
const randomColor = (random: Random) => toHex(random.below(2 ** 24));

describe('parseHexColor', () => {
  it.each([
    ['#1a2B3c', '#1A2B3C'],
    ['1A2b3C', '#1A2B3C'],
    [' #ffffff ', '#FFFFFF'],
    ['#fff', undefined],
    ['#12345', undefined],
    ['#1234567', undefined],
    ['##123456', undefined],
    ['#12345G', undefined],
    ['red', undefined],
    ['', undefined],
    ['#١٢٣٤٥٦', undefined],
  ])('%s is %s', (value, expected) => {
    expect(parseHexColor(value)).toBe(expected);
  });
});

describe('coordinates', () => {
  it('are integers in OKLab with the lightness of Okhsl', () => {
    expect(labOf('#000000')).toEqual({ l: 0, a: 0, b: 0 });
    expect(labOf('#FFFFFF')).toEqual({ l: 100_000, a: 0, b: 0 });
    // Ottosson gives the OKLab of sRGB red as 0.628, 0.225, 0.126, and the toe takes 0.628 to 0.568.
    expect(labOf('#FF0000')).toEqual({ l: 56_808, a: 22_486, b: 12_585 });
  });

  it('refuse what is no #RRGGBB', () => {
    expect(() => labOf('#fff')).toThrow(RangeError);
    expect(() => packColor('red')).toThrow(/"red" is not a colour of the form #RRGGBB/);
  });

  it('survive packing into one number of 51 bits', () => {
    const random = createRandom(1);
    for (const hex of [
      '#000000',
      '#FFFFFF',
      '#0000FF',
      '#FF00FF',
      ...random.several(500, () => randomColor(random)),
    ]) {
      const packed = packColor(hex);
      expect(packed).toBeLessThan(2 ** 51);
      expect(unpackColor(packed)).toEqual(labOf(hex));
    }
    const { l, a, b } = labOf('#3366FF');
    expect(BigInt(packColor('#3366FF'))).toBe(
      (BigInt(l) << 34n) | (BigInt(a + 65_536) << 17n) | BigInt(b + 65_536),
    );
  });

  it('stay distinct where colours are closest', () => {
    const near = Array.from({ length: 4096 }, (_, index) =>
      toHex(((index >> 8) << 16) | (((index >> 4) & 15) << 8) | (index & 15)),
    );
    expect(new Set(near.map(packColor)).size).toBe(4096);
  });
});

describe('distance', () => {
  it('is 0 to itself, 100 between black and white, and small between dark greys', () => {
    expect(colorDistance('#3366FF', '#3366FF')).toBe(0);
    expect(colorDistance('#000000', '#FFFFFF')).toBe(100);
    expect(colorDistance('#121212', '#000000')).toBeLessThan(10);
    expect(colorDistance('#3366FF', '#3465FE')).toBeLessThan(1);
    expect(colorDistance('#FF0000', '#00FF00')).toBeGreaterThan(40);
  });

  it('decides a match in integers, the tolerance itself included', () => {
    const white = labOf('#FFFFFF');
    const grey = { l: 90_000, a: 0, b: 0 };
    expect(isNear(white, grey, squaredReach(10))).toBe(true);
    expect(isNear(white, { ...grey, l: 89_999 }, squaredReach(10))).toBe(false);
    expect(isNear(white, white, squaredReach(0))).toBe(true);
    expect(isNear(white, labOf('#FFFFFE'), squaredReach(0))).toBe(false);
  });
});

describe('cells', () => {
  it('number the five high bits of each channel', () => {
    expect(colorCell('#000000')).toBe(0);
    expect(colorCell('#070707')).toBe(0);
    expect(colorCell('#080000')).toBe(1024);
    expect(colorCell('#FFFFFF')).toBe(COLOR_CELLS - 1);
  });

  it('expand so that inside always matches, outside never', () => {
    const random = createRandom(3);
    for (let round = 0; round < 40; round += 1) {
      const hex = randomColor(random);
      const tolerance = random.pick([0, 0.5, 2, 10, 25, 50]);
      const reach = squaredReach(tolerance);
      const { inside, boundary } = expandToCells(hex, tolerance);
      const [sure, open] = [new Set(inside), new Set(boundary)];
      expect(inside.filter((cell) => open.has(cell))).toEqual([]);
      expect(open.has(colorCell(hex)) || sure.has(colorCell(hex))).toBe(true);
      for (const other of random.several(2000, () => randomColor(random))) {
        const cell = colorCell(other);
        const near = isNear(labOf(hex), labOf(other), reach);
        if (sure.has(cell)) expect(near).toBe(true);
        else if (near) expect(open.has(cell)).toBe(true);
      }
    }
  });

  it('have their farthest colour in a corner', () => {
    const random = createRandom(5);
    for (const cell of random.several(200, () => random.below(COLOR_CELLS))) {
      const base = [(cell >> 10) << 3, ((cell >> 5) & 31) << 3, (cell & 31) << 3] as const;
      const at = (red: number, green: number, blue: number) =>
        toHex(((base[0] + red) << 16) | ((base[1] + green) << 8) | (base[2] + blue));
      const corners: number[] = [];
      const all: number[] = [];
      for (let offset = 0; offset < 512; offset += 1) {
        const [red, green, blue] = [offset >> 6, (offset >> 3) & 7, offset & 7];
        const distance = colorDistance(at(4, 4, 4), at(red, green, blue));
        all.push(distance);
        if ([red, green, blue].every((value) => value % 7 === 0)) corners.push(distance);
      }
      expect(Math.max(...all)).toBe(Math.max(...corners));
    }
  });
});
