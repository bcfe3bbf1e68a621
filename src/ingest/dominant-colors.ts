import { labOf, type ColorShare, type LabColor } from '../domain/color.ts';
import type { RawImage } from './decode.ts';

/** Pixels looked at along the long side: enough to meet every button, few enough to be done in a millisecond. */
const SAMPLES_LONG_SIDE = 96;
const MAX_COLORS = 8;
const MAX_ROUNDS = 16;
/** Closer than this, two colours are shades of one: the anti-aliased edge of a letter, a hairline beside its panel. */
const MIN_DISTANCE = 6;
/** Less area than this is a detail of a picture, not a colour of the design. */
const MIN_SHARE = 0.003;

const UNITS_PER_DISTANCE = 1000;

/** Colours of one cell of 5-bit RGB, told apart by their most frequent exact one. */
interface Swatch {
  hex: string;
  lab: LabColor;
  weight: number;
}

/**
 * The colours that a design is made of, largest area first, each one a colour that occurs in the picture: sampled by
 * nearest neighbour, since averaging makes colours that nobody chose; grouped by k-means in OKLab with the lightness
 * that search measures with; each group spoken for by its most frequent exact colour.
 *
 * @returns 1 to 8 colours; shares add up to at most 1
 */
export function dominantColors(image: RawImage): ColorShare[] {
  const swatches = swatchesOf(image);
  const total = swatches.reduce((sum, swatch) => sum + swatch.weight, 0);
  return joinNear(cluster(swatches))
    .map(({ hex, weight }) => ({ hex, share: weight / total }))
    .filter(({ share }, index) => index === 0 || share >= MIN_SHARE)
    .map(({ hex, share }) => ({ hex, share: Math.round(share * 1e4) / 1e4 }));
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
      const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
      const cell = ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);
      const rgb = (red << 16) | (green << 8) | blue;
      const exact = cells.get(cell) ?? new Map<number, number>();
      exact.set(rgb, (exact.get(rgb) ?? 0) + 1);
      cells.set(cell, exact);
    }
  }
  return [...cells.values()].map((exact) => {
    let weight = 0;
    let most = -1;
    for (const [rgb, count] of exact) {
      weight += count;
      const best = exact.get(most) ?? 0;
      if (count > best || (count === best && rgb < most)) most = rgb;
    }
    const hex = `#${most.toString(16).padStart(6, '0').toUpperCase()}`;
    return { hex, lab: labOf(hex), weight };
  });
}

/** Weighted k-means; seeds are the swatch that counts most by area and distance from the seeds before it. */
function cluster(swatches: readonly Swatch[]): Swatch[][] {
  let centers = seed(swatches);
  let groups: Swatch[][] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    groups = centers.map(() => []);
    for (const swatch of swatches) groups[nearest(centers, swatch.lab)]?.push(swatch);
    groups = groups.filter((group) => group.length > 0);
    const moved = groups.map(centerOf);
    const settled =
      moved.length === centers.length && moved.every((lab, i) => distance(lab, centers[i]!) < 0.01);
    centers = moved;
    if (settled) break;
  }
  return groups;
}

function seed(swatches: readonly Swatch[]): LabColor[] {
  const seeds: LabColor[] = [];
  while (seeds.length < MAX_COLORS) {
    let best: Swatch | undefined;
    let bestScore = 0;
    for (const swatch of swatches) {
      const apart = seeds.length === 0 ? 1 : Math.min(...seeds.map((lab) => distance(lab, swatch.lab)));
      const score = seeds.length > 0 && apart < MIN_DISTANCE ? 0 : swatch.weight * apart * apart;
      if (score > bestScore) [best, bestScore] = [swatch, score];
    }
    if (best === undefined) break;
    seeds.push(best.lab);
  }
  return seeds;
}

/** One colour a group, heaviest first; groups whose colours look alike become one. */
function joinNear(groups: readonly Swatch[][]): Swatch[] {
  const joined: Swatch[] = [];
  const byWeight = groups
    .map((group) => {
      const heaviest = group.reduce((best, swatch) => (swatch.weight > best.weight ? swatch : best));
      return { ...heaviest, weight: group.reduce((sum, swatch) => sum + swatch.weight, 0) };
    })
    .toSorted((a, b) => b.weight - a.weight || (a.hex < b.hex ? -1 : 1));
  for (const swatch of byWeight) {
    const near = joined.find((other) => distance(other.lab, swatch.lab) < MIN_DISTANCE);
    if (near === undefined) joined.push(swatch);
    else near.weight += swatch.weight;
  }
  return joined.toSorted((a, b) => b.weight - a.weight);
}

function nearest(centers: readonly LabColor[], lab: LabColor): number {
  let best = 0;
  let bestDistance = Infinity;
  for (const [index, center] of centers.entries()) {
    const apart = distance(center, lab);
    if (apart < bestDistance) [best, bestDistance] = [index, apart];
  }
  return best;
}

function centerOf(group: readonly Swatch[]): LabColor {
  let [l, a, b, total] = [0, 0, 0, 0];
  for (const { lab, weight } of group) {
    l += lab.l * weight;
    a += lab.a * weight;
    b += lab.b * weight;
    total += weight;
  }
  return { l: l / total, a: a / total, b: b / total };
}

function distance(one: LabColor, other: LabColor): number {
  return Math.hypot(one.l - other.l, one.a - other.a, one.b - other.b) / UNITS_PER_DISTANCE;
}
