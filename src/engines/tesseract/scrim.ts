import type { Box, Picture } from './box.ts';

const BLOCK_PIXELS = 16;
/** In each block this many pixels may be brighter: the edge of something beside it. */
const STRAY_PIXELS = 5;
/** A phone's own bars lie above everything, a scrim too. */
const PHONE_ASPECT = 1.5;
const PHONE_TOP = 0.05;
const PHONE_BOTTOM = 0.03;
/** Blocks this near to the brightest belong to what is not dimmed. */
const BRIGHT = 0.92;
/** Everything else must stay below this part of the brightest, or nothing is dimmed. */
const DIMMED = 0.68;
const MAX_DIALOG_AREA = 0.85;
/** Dark designs come near to a weak scrim, but their bright things are not all in one smaller place. */
const WEAKLY_DIMMED = 0.76;
const MAX_SMALL_DIALOG_AREA = 0.5;

/**
 * The dialog or sheet that a scrim brings to the front: what lies outside of it is dimmed, still legible, and no longer
 * what the screen shows. Undefined where nothing is dimmed: where bright things are all over the picture.
 */
export function undimmedPart(picture: Picture): Box | undefined {
  const { width, height } = picture;
  const isPhone = height > PHONE_ASPECT * width;
  const columns = Math.floor(width / BLOCK_PIXELS);
  const rows = Math.floor(height / BLOCK_PIXELS);
  const firstRow = isPhone ? Math.ceil(rows * PHONE_TOP) : 0;
  const lastRow = isPhone ? rows - Math.ceil(rows * PHONE_BOTTOM) : rows;

  const blocks: { column: number; row: number; brightness: number }[] = [];
  for (let row = firstRow; row < lastRow; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      blocks.push({ column, row, brightness: brightnessOf(picture, column, row) });
    }
  }
  const brightest = Math.max(0, ...blocks.map(({ brightness }) => brightness));
  const part = { left: columns, top: rows, right: 0, bottom: 0 };
  for (const { column, row, brightness } of blocks) {
    if (brightness < BRIGHT * brightest) continue;
    part.left = Math.min(part.left, column);
    part.top = Math.min(part.top, row);
    part.right = Math.max(part.right, column + 1);
    part.bottom = Math.max(part.bottom, row + 1);
  }
  const area = (part.right - part.left) * (part.bottom - part.top);
  if (area > MAX_DIALOG_AREA * blocks.length) return undefined;
  // The blocks next to the dialog hold its shadow and its blurred edge.
  const isOutside = ({ column, row }: { column: number; row: number }): boolean =>
    column < part.left - 1 || column > part.right || row < part.top - 1 || row > part.bottom;
  const limit = area > MAX_SMALL_DIALOG_AREA * blocks.length ? DIMMED : WEAKLY_DIMMED;
  const isDimmed = blocks.filter(isOutside).every(({ brightness }) => brightness <= limit * brightest);
  if (!isDimmed) return undefined;
  return {
    left: part.left * BLOCK_PIXELS,
    top: part.top * BLOCK_PIXELS,
    right: part.right * BLOCK_PIXELS,
    bottom: part.bottom * BLOCK_PIXELS,
  };
}

/** The strongest channel, since black over a colour weakens all three; 0 to 255. */
function brightnessOf({ rgb, width }: Picture, column: number, row: number): number {
  const counts = new Uint16Array(256);
  for (let y = row * BLOCK_PIXELS; y < (row + 1) * BLOCK_PIXELS; y += 1) {
    let at = (y * width + column * BLOCK_PIXELS) * 3;
    for (let x = 0; x < BLOCK_PIXELS; x += 1, at += 3) {
      const strongest = Math.max(rgb[at]!, rgb[at + 1]!, rgb[at + 2]!);
      counts[strongest] = counts[strongest]! + 1;
    }
  }
  let brightness = 255;
  for (let above = counts[255]!; above <= STRAY_PIXELS && brightness > 0; above += counts[brightness]!) {
    brightness -= 1;
  }
  return brightness;
}
