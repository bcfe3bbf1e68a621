import { labOf, type ColorShare, type LabColor } from '../domain/color.ts';
import type { RawImage } from './decode.ts';

/** Pixels looked at along the long side: enough to meet the smallest button, few enough for two milliseconds. */
const SAMPLES_LONG_SIDE = 192;
const MAX_COLORS = 8;
/** Closer than this, two colours are shades of one. */
const MIN_DISTANCE = 3.5;
/** Farther than this from every dominant colour, a pixel belongs to none: it is part of a picture. */
const MAX_DISTANCE = 20;
/** Less area of the colour itself than this is a detail. */
const MIN_AREA = 0.001;
/** OKLab chroma, in hundredths, that doubles a colour's weight: an accent is meant to be seen, however small. */
const CHROMA_DOUBLES = 4;
/** Weight of a cell of many different colours beside one of a single flat colour: photographs, gradients, soft edges. */
const MIXED_WEIGHT = 0.2;

const UNITS_PER_DISTANCE = 1000;

/** The pixels of one cell of 5-bit RGB. */
interface Swatch {
  /** The most frequent exact colour among them. */
  hex: string;
  lab: LabColor;
  /** Part of the picture. */
  area: number;
  /** How much it stands out. */
  weight: number;
}

/**
 * The colours that a design is made of, largest area first, each one a colour that occurs in the picture. Pixels are
 * sampled by nearest neighbour, since averaging makes colours that nobody chose; the flat and the vivid ones stand out;
 * each other pixel counts to the nearest of these in OKLab, with the lightness that search measures with.
 *
 * @returns 1 to 8 colours; shares are rounded to 4 digits and add up to about 1 at most
 */
export function dominantColors(image: RawImage): ColorShare[] {
  const swatches = swatchesOf(image);
  const chosen = choose(swatches);
  const areas = new Map(chosen.map(({ hex }) => [hex, 0]));
  for (const { lab, area } of swatches) {
    const near = nearest(chosen, lab);
    if (distance(near.lab, lab) <= MAX_DISTANCE) areas.set(near.hex, areas.get(near.hex)! + area);
  }
  return [...areas]
    .map(([hex, area]) => ({ hex, share: Math.round(area * 1e4) / 1e4 }))
    .toSorted((a, b) => b.share - a.share || (a.hex < b.hex ? -1 : 1));
}

function swatchesOf({ data, width, height }: RawImage): Swatch[] {
  const scale = Math.min(1, SAMPLES_LONG_SIDE / Math.max(width, height));
  const columns = Math.max(1, Math.round(width * scale));
  const rows = Math.max(1, Math.round(height * scale));
  const cells = new Map<number, Map<number, number>>();
  for (let row = 0; row < rows; row += 1) {
    const y = Math.floor(((row + 0.5) * height) / rows);
    for (let column = 0; column < columns; column += 1) {
      const at = (y * width + Math.floor(((column + 0.5) * width) / columns)) * 3;
      const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
      const cell = ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);
      const rgb = (red << 16) | (green << 8) | blue;
      const exact = cells.get(cell) ?? new Map<number, number>();
      exact.set(rgb, (exact.get(rgb) ?? 0) + 1);
      cells.set(cell, exact);
    }
  }
  return [...cells.values()].map((exact) => swatchOf(exact, rows * columns));
}

function swatchOf(exact: ReadonlyMap<number, number>, pixels: number): Swatch {
  let [total, most, rgb] = [0, 0, 0];
  for (const [color, count] of exact) {
    total += count;
    if (count > most || (count === most && color < rgb)) [most, rgb] = [count, color];
  }
  const hex = `#${rgb.toString(16).padStart(6, '0').toUpperCase()}`;
  const lab = labOf(hex);
  const chroma = Math.hypot(lab.a, lab.b) / UNITS_PER_DISTANCE;
  const flatness = MIXED_WEIGHT + (1 - MIXED_WEIGHT) * (most / total);
  const area = total / pixels;
  return { hex, lab, area, weight: area * flatness * (1 + chroma / CHROMA_DOUBLES) };
}

/** The swatches that stand out most, each unlike those before it. */
function choose(swatches: readonly Swatch[]): Swatch[] {
  const chosen: Swatch[] = [];
  for (const swatch of swatches.toSorted((a, b) => b.weight - a.weight || (a.hex < b.hex ? -1 : 1))) {
    if (chosen.length === MAX_COLORS) break;
    const isDetail = chosen.length > 0 && swatch.area < MIN_AREA;
    const isShade = chosen.some(({ lab }) => distance(lab, swatch.lab) < MIN_DISTANCE);
    if (!isDetail && !isShade) chosen.push(swatch);
  }
  return chosen;
}

function nearest(swatches: readonly Swatch[], lab: LabColor): Swatch {
  return swatches.reduce((best, swatch) =>
    distance(swatch.lab, lab) < distance(best.lab, lab) ? swatch : best,
  );
}

function distance(one: LabColor, other: LabColor): number {
  return Math.hypot(one.l - other.l, one.a - other.a, one.b - other.b) / UNITS_PER_DISTANCE;
}
