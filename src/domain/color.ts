import { convertRgbToOklab } from 'culori';

/** A colour of a picture and the part of its area that it covers. */
export interface ColorShare {
  /** `#RRGGBB`, upper case. */
  hex: string;
  /** 0 to 1. */
  share: number;
}

/** How many colours one question may name. */
export const MAX_QUERY_COLORS = 8;
/** Tolerances are distances as `colorDistance` measures them: 0 is the exact colour, black and white are 100 apart. */
export const MAX_COLOR_TOLERANCE = 50;
export const DEFAULT_COLOR_TOLERANCE = 10;

/**
 * A colour as integers of 1e-5 in OKLab with toe-corrected lightness: `l` 0…100,000, `a` and `b` within ±65,535. All
 * 16,777,216 colours stay distinct. Integers, so that every engine decides a match alike, whatever its floating point.
 */
export interface LabColor {
  readonly l: number;
  readonly a: number;
  readonly b: number;
}

/** Reads six hexadecimal digits, with or without `#`, in any case, as `#RRGGBB`. Undefined for anything else. */
export function parseHexColor(value: string): string | undefined {
  const digits = /^#?([0-9a-f]{6})$/i.exec(value.trim())?.[1];
  return digits === undefined ? undefined : `#${digits.toUpperCase()}`;
}

/** @param hex `#RRGGBB`; throws RangeError for anything else */
export function labOf(hex: string): LabColor {
  const [red, green, blue] = channelsOf(hex);
  return labOfRgb(red, green, blue);
}

/** 0 for the same colour, 100 between black and white. Like any distance it obeys the triangle inequality. */
export function colorDistance(hex: string, otherHex: string): number {
  return Math.sqrt(squaredDistance(labOf(hex), labOf(otherHex))) / UNITS_PER_DISTANCE;
}

/** The largest squared distance, in the units of `LabColor`, that a tolerance of 0…50 allows. */
export function squaredReach(tolerance: number): number {
  return Math.round(UNITS_PER_DISTANCE * tolerance) ** 2;
}

/** The one rule of a colour match, exact in integers. `reach` comes from `squaredReach`. */
export function isNear(color: LabColor, other: LabColor, reach: number): boolean {
  return squaredDistance(color, other) <= reach;
}

/** The colour as one integer of 51 bits, for engines that keep a colour in one number. */
export function packColor(hex: string): number {
  const { l, a, b } = labOf(hex);
  return (l * AXIS_SPAN + a + AXIS_OFFSET) * AXIS_SPAN + b + AXIS_OFFSET;
}

/** The inverse of `packColor` up to the spelling of the colour. */
export function unpackColor(packed: number): LabColor {
  const rest = Math.floor(packed / AXIS_SPAN);
  return {
    l: Math.floor(rest / AXIS_SPAN),
    a: (rest % AXIS_SPAN) - AXIS_OFFSET,
    b: (packed % AXIS_SPAN) - AXIS_OFFSET,
  };
}

/** How many cells the RGB cube is cut into: five bits of each channel. */
export const COLOR_CELLS = 32_768;

/** The cell of a colour, 0…32,767: the five high bits of red, green and blue. */
export function colorCell(hex: string): number {
  const [red, green, blue] = channelsOf(hex);
  return ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);
}

/** Cells around a colour, each list ascending. Every other cell holds no match. */
export interface CellExpansion {
  /** Every colour of these cells matches. */
  readonly inside: number[];
  /** Some colours of these cells may match: `isNear` decides. */
  readonly boundary: number[];
}

/** Sorts the cells of the RGB cube by what the tolerance leaves to decide, so that an index of cells can answer. */
export function expandToCells(hex: string, tolerance: number): CellExpansion {
  const { centers, radii } = cellGeometry();
  const target = labOf(hex);
  const reach = Math.sqrt(squaredReach(tolerance));
  const inside: number[] = [];
  const boundary: number[] = [];
  for (let cell = 0; cell < COLOR_CELLS; cell += 1) {
    const radius = radii[cell] ?? 0;
    const distance = Math.sqrt(squaredDistance(target, centers[cell] ?? target));
    // One unit of slack (1e-5) keeps rounding of the square roots from deciding anything.
    if (distance - radius > reach + 1) continue;
    (distance + radius < reach - 1 ? inside : boundary).push(cell);
  }
  return { inside, boundary };
}

/** Distance 1 is a hundredth of the lightness between black and white: 1,000 units of 1e-5. */
const UNITS_PER_DISTANCE = 1000;
const UNITS_PER_LAB = 100_000;
const AXIS_OFFSET = 65_536;
/** Two to the power of 17; multiplied, because JavaScript's shifts are cut at 32 bits. */
const AXIS_SPAN = 131_072;

function squaredDistance(color: LabColor, other: LabColor): number {
  return (color.l - other.l) ** 2 + (color.a - other.a) ** 2 + (color.b - other.b) ** 2;
}

function channelsOf(hex: string): [red: number, green: number, blue: number] {
  if (!/^#[0-9a-f]{6}$/i.test(hex))
    throw new RangeError(`"${hex.slice(0, 20)}" is not a colour of the form #RRGGBB.`);
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function labOfRgb(red: number, green: number, blue: number): LabColor {
  const { l, a, b } = convertRgbToOklab({ r: red / 255, g: green / 255, b: blue / 255 });
  // Adding zero turns the -0 of greys into 0.
  return { l: units(toe(l)), a: units(a) + 0, b: units(b) + 0 };
}

function units(value: number): number {
  return Math.round(value * UNITS_PER_LAB);
}

/**
 * OKLab's lightness is that of a bright surround, which puts #121212 at 18 from black. The toe gives the lightness that
 * CIELAB gives on a screen. Björn Ottosson, "Two new color spaces for color picking: Okhsv and Okhsl", 2021.
 */
function toe(lightness: number): number {
  const k1 = 0.206;
  const k2 = 0.03;
  const k3 = (1 + k1) / (1 + k2);
  const shifted = k3 * lightness - k1;
  return 0.5 * (shifted + Math.sqrt(shifted * shifted + 4 * k2 * k3 * lightness));
}

interface CellGeometry {
  readonly centers: readonly LabColor[];
  /** From the centre to the farthest colour of the cell, which is one of its eight corners in every cell. */
  readonly radii: Float64Array;
}

let geometry: CellGeometry | undefined;

/** Made at the first use: it takes some tens of milliseconds, and a library without colour questions needs none of it. */
function cellGeometry(): CellGeometry {
  if (geometry !== undefined) return geometry;
  const centers: LabColor[] = [];
  const radii = new Float64Array(COLOR_CELLS);
  for (let cell = 0; cell < COLOR_CELLS; cell += 1) {
    const red = (cell >> 10) << 3;
    const green = ((cell >> 5) & 31) << 3;
    const blue = (cell & 31) << 3;
    const center = labOfRgb(red + 4, green + 4, blue + 4);
    let farthest = 0;
    for (let corner = 0; corner < 8; corner += 1) {
      const color = labOfRgb(
        red + (corner & 1) * 7,
        green + ((corner >> 1) & 1) * 7,
        blue + (corner >> 2) * 7,
      );
      farthest = Math.max(farthest, squaredDistance(center, color));
    }
    centers.push(center);
    radii[cell] = Math.sqrt(farthest);
  }
  geometry = { centers, radii };
  return geometry;
}
