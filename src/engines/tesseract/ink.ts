import sharp from 'sharp';
import { INK_LEVEL, type Ink, type Picture } from './box.ts';

/** How far around a pixel its background is looked for; letters must cover less than half of that window. */
export interface Reach {
  /** The background is taken from every n-th pixel. */
  step: number;
  /** Contrast is stretched to the strongest within squares of this size and their neighbours. */
  tile: number;
  /** Letters of these heights, in pixels, come out whole. */
  minHeight: number;
  maxHeight: number;
}

/** Body text. */
export const NEAR: Reach = { step: 4, tile: 32, minHeight: 5, maxHeight: 56 };
/** Headlines, whose strokes are wider than what the near window can tell from background. */
export const FAR: Reach = { step: 10, tile: 80, minHeight: 26, maxHeight: 130 };

const MEDIAN_WINDOW = 9;
/** Weaker contrast is not stretched to the full, or the grain of a photograph would become letters. */
const MIN_CONTRAST = 40;
/** A line at least this long and at most this thick is a rule, a border or an underline. */
const MIN_RULE_LENGTH = 28;
const MAX_RULE_THICKNESS = 3;
const MAX_RULE_COVER = 0.4;

/**
 * Takes away the background: what is left is the largest difference of any channel from the median of the surroundings,
 * stretched to the local contrast. So white on a red button, grey on black and black on white become one thing.
 */
export async function inkOf(picture: Picture, reach: Reach): Promise<Ink> {
  const { rgb, width, height } = picture;
  const background = await backgroundOf(picture, reach.step);
  const difference = new Uint8Array(width * height);
  for (let pixel = 0, at = 0; pixel < difference.length; pixel += 1, at += 3) {
    const red = Math.abs(rgb[at]! - background[at]!);
    const green = Math.abs(rgb[at + 1]! - background[at + 1]!);
    const blue = Math.abs(rgb[at + 2]! - background[at + 2]!);
    difference[pixel] = Math.max(red, green, blue);
  }
  return { level: stretch({ level: difference, width, height }, reach.tile), width, height };
}

async function backgroundOf({ rgb, width, height }: Picture, step: number): Promise<Buffer> {
  const [columns, rows] = [Math.ceil(width / step), Math.ceil(height / step)];
  // Averaging would mix letters into the background; the nearest pixel and then the median keep its edges.
  const small = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize(columns, rows, { kernel: 'nearest', fit: 'fill' })
    .median(Math.min(MEDIAN_WINDOW, columns, rows))
    .raw()
    .toBuffer();
  return sharp(small, { raw: { width: columns, height: rows, channels: 3 } })
    .resize(width, height, { kernel: 'nearest', fit: 'fill' })
    .raw()
    .toBuffer();
}

function stretch({ level, width, height }: Ink, tile: number): Uint8Array {
  const [columns, rows] = [Math.ceil(width / tile), Math.ceil(height / tile)];
  const strongest = new Uint8Array(columns * rows);
  for (let y = 0, at = 0; y < height; y += 1) {
    const row = Math.floor(y / tile) * columns;
    for (let x = 0; x < width; x += 1, at += 1) {
      const cell = row + Math.floor(x / tile);
      if (level[at]! > strongest[cell]!) strongest[cell] = level[at]!;
    }
  }
  const gains = Float64Array.from(strongest, (_, cell) => {
    const [column, row] = [cell % columns, Math.floor(cell / columns)];
    let contrast = MIN_CONTRAST;
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y += 1) {
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x += 1) {
        contrast = Math.max(contrast, strongest[y * columns + x]!);
      }
    }
    return 255 / contrast;
  });
  const stretched = new Uint8Array(level.length);
  for (let y = 0, at = 0; y < height; y += 1) {
    const row = Math.floor(y / tile) * columns;
    for (let x = 0; x < width; x += 1, at += 1) {
      stretched[at] = Math.min(255, level[at]! * gains[row + Math.floor(x / tile)]!);
    }
  }
  return stretched;
}

/** Takes out long thin lines, which would tie letters to their underline and words to the frame around them. */
export function eraseRules({ level, width, height }: Ink): void {
  const rules: { from: number; to: number }[] = [];
  const cover = (from: number, to: number): number => {
    if (from < 0 || to > level.length) return 0;
    let inked = 0;
    for (let at = from; at < to; at += 1) if (level[at]! >= INK_LEVEL) inked += 1;
    return inked / (to - from);
  };
  for (let y = 0; y < height; y += 1) {
    const end = (y + 1) * width;
    for (let at = y * width; at < end; at += 1) {
      const from = at;
      while (at < end && level[at]! >= INK_LEVEL) at += 1;
      if (at - from < MIN_RULE_LENGTH) continue;
      const aside = MAX_RULE_THICKNESS * width;
      if (
        cover(from - aside, at - aside) < MAX_RULE_COVER &&
        cover(from + aside, at + aside) < MAX_RULE_COVER
      ) {
        rules.push({ from, to: at });
      }
    }
  }
  for (const { from, to } of rules) level.fill(0, from, to);
}
