import { heightOf, INK_LEVEL, sharedRows, widthOf, type Ink, type Picture } from './box.ts';
import { NEAR } from './ink.ts';
import { shapesOf, type Shape } from './shapes.ts';

const MIN_WIDTH = 18;
const MIN_HEIGHT = 14;
const MAX_HEIGHT = 120;
/** Part of its box that a filled label covers, without and with what is inside it. */
const MIN_FILL = 0.45;
const MIN_FILL_WITH_INSIDE = 0.7;
/** Part of the box that shows the label's own colour. */
const MIN_OWN_COLOR = 0.3;
/** Differences up to this are noise; the strongest must reach MIN_CONTRAST. */
const NOISE = 12;
const MIN_CONTRAST = 40;
/** The label's outline is blurred over this many pixels. */
const OUTLINE_PIXELS = 2;

/**
 * Badges, chips and small buttons are less high than the window that finds the background, so the label itself comes out
 * as ink and its words as holes. Where a solid shape holds words, its ink is replaced by theirs.
 *
 * @returns the shapes, with the words' letters in place of such labels
 */
export function openLabels(picture: Picture, ink: Ink, shapes: readonly Shape[]): Shape[] {
  return shapes.flatMap((shape) => openLabel(picture, ink, shape) ?? [shape]);
}

function openLabel(picture: Picture, ink: Ink, label: Shape): Shape[] | undefined {
  const [width, height] = [widthOf(label), heightOf(label)];
  const fits = width >= MIN_WIDTH && height >= MIN_HEIGHT && height <= MAX_HEIGHT;
  if (!fits || label.area < MIN_FILL * width * height) return undefined;
  const own = ownColor(picture, ink, label);
  if (own === undefined) return undefined;
  const inside = insideOf(ink, label);
  if (inside.reduce((sum, yes) => sum + yes, 0) < MIN_FILL_WITH_INSIDE * width * height) return undefined;

  const level = new Uint8Array(width * height);
  let contrast = 0;
  for (let y = OUTLINE_PIXELS; y < height - OUTLINE_PIXELS; y += 1) {
    for (let x = OUTLINE_PIXELS; x < width - OUTLINE_PIXELS; x += 1) {
      if (isOutline(inside, width, x, y)) continue;
      const at = ((y + label.top) * picture.width + x + label.left) * 3;
      const difference = Math.max(
        ...own.map((value, channel) => Math.abs(picture.rgb[at + channel]! - value)),
      );
      if (difference < NOISE) continue;
      level[y * width + x] = difference;
      contrast = Math.max(contrast, difference);
    }
  }
  if (contrast < MIN_CONTRAST) return undefined;
  for (const [at, value] of level.entries()) level[at] = (value * 255) / contrast;
  const letters = shapesOf({ level, width, height });
  if (!standSideBySide(letters, height)) return undefined;

  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      if (inside[at] === 1) ink.level[(y + label.top) * ink.width + x + label.left] = level[at]!;
    }
  }
  return letters.map(({ left, top, right, bottom, area }) => ({
    left: left + label.left,
    top: top + label.top,
    right: right + label.left,
    bottom: bottom + label.top,
    area,
  }));
}

/** The colour that most of the shape's pixels have, to five bits a channel. */
function ownColor({ rgb }: Picture, ink: Ink, label: Shape): [number, number, number] | undefined {
  const counts = new Map<number, number>();
  let most = 0;
  for (let y = label.top; y < label.bottom; y += 1) {
    for (let x = label.left; x < label.right; x += 1) {
      const at = y * ink.width + x;
      if (ink.level[at]! < INK_LEVEL) continue;
      const cell = ((rgb[at * 3]! >> 3) << 10) | ((rgb[at * 3 + 1]! >> 3) << 5) | (rgb[at * 3 + 2]! >> 3);
      counts.set(cell, (counts.get(cell) ?? 0) + 1);
      if (counts.get(cell)! > (counts.get(most) ?? 0)) most = cell;
    }
  }
  if ((counts.get(most) ?? 0) < MIN_OWN_COLOR * widthOf(label) * heightOf(label)) return undefined;
  return [((most >> 10) << 3) + 4, (((most >> 5) & 31) << 3) + 4, ((most & 31) << 3) + 4];
}

/** 1 for each pixel of the label's box that is the label or enclosed by it. */
function insideOf(ink: Ink, label: Shape): Uint8Array {
  const [width, height] = [widthOf(label), heightOf(label)];
  const inside = new Uint8Array(width * height).fill(1);
  const open: number[] = [];
  const leave = (x: number, y: number): void => {
    if (x < 0 || y < 0 || x >= width || y >= height || inside[y * width + x] === 0) return;
    if (ink.level[(y + label.top) * ink.width + x + label.left]! >= INK_LEVEL) return;
    inside[y * width + x] = 0;
    open.push(y * width + x);
  };
  for (let x = 0; x < width; x += 1) {
    leave(x, 0);
    leave(x, height - 1);
  }
  for (let y = 0; y < height; y += 1) {
    leave(0, y);
    leave(width - 1, y);
  }
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [x, y] = [at % width, Math.floor(at / width)];
    leave(x + 1, y);
    leave(x - 1, y);
    leave(x, y + 1);
    leave(x, y - 1);
  }
  return inside;
}

function isOutline(inside: Uint8Array, width: number, x: number, y: number): boolean {
  for (let dy = -OUTLINE_PIXELS; dy <= OUTLINE_PIXELS; dy += 1) {
    for (let dx = -OUTLINE_PIXELS; dx <= OUTLINE_PIXELS; dx += 1) {
      if (inside[(y + dy) * width + x + dx] !== 1) return true;
    }
  }
  return false;
}

/** Two letters beside each other tell a word on a label from the holes of a large letter. */
function standSideBySide(letters: readonly Shape[], height: number): boolean {
  const tall = letters.filter(
    (letter) => heightOf(letter) >= NEAR.minHeight && heightOf(letter) <= 0.8 * height,
  );
  return tall.some((one, index) =>
    tall
      .slice(index + 1)
      .some((other) => sharedRows(one, other) > 0.5 * Math.min(heightOf(one), heightOf(other))),
  );
}
