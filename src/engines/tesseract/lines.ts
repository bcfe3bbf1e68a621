import { around, heightOf, median, sharedRows, widthOf, type Box } from './box.ts';
import { createDisjointSets } from './disjoint-sets.ts';
import type { Reach } from './ink.ts';
import type { Shape } from './shapes.ts';

/** Letters that stand in one line, close enough to be read together. */
export interface Line extends Box {
  /** From left to right. */
  letters: Shape[];
}

const MIN_AREA = 8;
/** Wider shapes are no letters, however much they run into each other. */
const MAX_ASPECT = 8;
/** Letters of one line: from x to capital with accent. */
const MAX_HEIGHT_RATIO = 2.6;
const MIN_SHARED_ROWS = 0.5;
/** Gap between neighbours, in heights of the higher and of the lower of the two. */
const MAX_GAP_HIGHER = 0.8;
const MAX_GAP_LOWER = 1;
const MAX_LINE_HEIGHT_RATIO = 1.6;

/** Joins shapes that look like letters to lines, from top to bottom. What stands alone is an icon, not a word. */
export function linesOf(shapes: readonly Shape[], reach: Reach): Line[] {
  const letters = shapes
    .filter((shape) => isLetterLike(shape, reach))
    .toSorted((a, b) => a.left - b.left || a.top - b.top);
  const sets = createDisjointSets();
  for (const _ of letters) sets.add();
  for (const index of letters.keys()) {
    const next = rightNeighbour(letters, index);
    if (next !== undefined) sets.join(index, next);
  }
  const groups = Map.groupBy(letters.keys(), sets.find);
  return [...groups.values()]
    .map((indexes) => indexes.map((index) => letters[index]!))
    .map((group) => ({ ...around(group), letters: group }))
    .filter((line) => isLineLike(line, reach))
    .toSorted((a, b) => a.top - b.top || a.left - b.left);
}

/** Height of the line's letters, most of which are small ones. */
export function letterHeight({ letters }: Line): number {
  return median(letters.map(heightOf));
}

function isLetterLike(shape: Shape, { minHeight, maxHeight }: Reach): boolean {
  const [width, height] = [widthOf(shape), heightOf(shape)];
  if (height < minHeight || height > maxHeight || width > MAX_ASPECT * height) return false;
  const isBar = shape.area > 0.9 * width * height && width > 1.5 * height;
  return shape.area >= MIN_AREA && !isBar;
}

function rightNeighbour(letters: readonly Shape[], index: number): number | undefined {
  const letter = letters[index]!;
  const height = heightOf(letter);
  let nearest: number | undefined;
  let nearestGap = Infinity;
  for (let other = index + 1; other < letters.length; other += 1) {
    const candidate = letters[other]!;
    const gap = candidate.left - letter.right;
    if (gap > MAX_GAP_LOWER * height) break;
    const [lower, higher] = [height, heightOf(candidate)].toSorted((a, b) => a - b) as [number, number];
    const fits =
      gap < nearestGap &&
      gap <= MAX_GAP_HIGHER * higher &&
      gap <= MAX_GAP_LOWER * lower &&
      higher <= MAX_HEIGHT_RATIO * lower &&
      sharedRows(letter, candidate) >= MIN_SHARED_ROWS * lower;
    if (fits) [nearest, nearestGap] = [other, gap];
  }
  return nearest;
}

function isLineLike(line: Line, { maxHeight }: Reach): boolean {
  if (heightOf(line) > MAX_LINE_HEIGHT_RATIO * maxHeight || isSignalIcon(line)) return false;
  // A single shape may be a word whose letters run into each other.
  return line.letters.length > 1 || widthOf(line) > 1.3 * heightOf(line);
}

/** Bars that grow from left to right on one base: the strength of a phone's signal, which reads like "all". */
function isSignalIcon({ letters }: Line): boolean {
  let growing = 1;
  for (const [index, bar] of letters.entries()) {
    const before = letters[index - 1];
    const grows =
      before !== undefined &&
      isSolid(before) &&
      isSolid(bar) &&
      heightOf(bar) > heightOf(before) &&
      Math.abs(bar.bottom - before.bottom) <= 1;
    growing = grows ? growing + 1 : 1;
    if (growing === 3) return true;
  }
  return false;
}

function isSolid(shape: Shape): boolean {
  return shape.area > 0.75 * widthOf(shape) * heightOf(shape);
}
