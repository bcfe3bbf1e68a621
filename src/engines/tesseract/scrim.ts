import { around, centerIsIn, heightOf, INK_LEVEL, widthOf, type Box, type Picture } from './box.ts';
import { shapesOf, type Shape } from './shapes.ts';

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

/** Bright blocks away from the dialog, as part of all: a help button, say, that floats above the scrim. */
const MAX_STRAY_AREA = 0.005;

/** A block of the picture with its brightness. */
interface Block {
  column: number;
  row: number;
  brightness: number;
}

/**
 * The dialog or sheet that a scrim brings to the front: what lies outside of it is dimmed, still legible, and no longer
 * what the screen shows. Undefined where nothing is dimmed: where bright things are all over the picture.
 */
export function undimmedPart(picture: Picture): Box | undefined {
  const blocks = blocksOf(picture);
  const brightest = Math.max(0, ...blocks.map(({ brightness }) => brightness));
  const bright = blocks.filter(({ brightness }) => brightness >= BRIGHT * brightest);
  if (bright.length === 0) return undefined;

  const front = frontOf(brightShapes(bright), blocks, brightest);
  if (front === undefined) return undefined;
  return {
    left: front.left * BLOCK_PIXELS,
    top: front.top * BLOCK_PIXELS,
    right: front.right * BLOCK_PIXELS,
    bottom: front.bottom * BLOCK_PIXELS,
  };
}

/** All bright shapes together, or the largest when the others are mere strays. */
function frontOf(shapes: readonly Shape[], blocks: readonly Block[], brightest: number): Box | undefined {
  const all = around(shapes);
  if (isDimmedAround(all, [], blocks, brightest)) return all;
  const largest = shapes.reduce((best, shape) => (shape.area > best.area ? shape : best));
  const strays = shapes.filter((shape) => !centerIsIn(shape, largest));
  const strayArea = strays.reduce((sum, { area }) => sum + area, 0);
  const areStrays = strayArea <= MAX_STRAY_AREA * blocks.length;
  return areStrays && isDimmedAround(largest, strays, blocks, brightest) ? largest : undefined;
}

function blocksOf(picture: Picture): Block[] {
  const isPhone = picture.height > PHONE_ASPECT * picture.width;
  const columns = Math.floor(picture.width / BLOCK_PIXELS);
  const rows = Math.floor(picture.height / BLOCK_PIXELS);
  const firstRow = isPhone ? Math.ceil(rows * PHONE_TOP) : 0;
  const lastRow = isPhone ? rows - Math.ceil(rows * PHONE_BOTTOM) : rows;
  const blocks: Block[] = [];
  for (let row = firstRow; row < lastRow; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      blocks.push({ column, row, brightness: brightnessOf(picture, column, row) });
    }
  }
  return blocks;
}

/** Bright blocks that touch; coordinates and areas in blocks. */
function brightShapes(bright: readonly Block[]): Shape[] {
  const width = Math.max(...bright.map(({ column }) => column)) + 1;
  const height = Math.max(...bright.map(({ row }) => row)) + 1;
  const level = new Uint8Array(width * height);
  for (const { column, row } of bright) level[row * width + column] = INK_LEVEL;
  return shapesOf({ level, width, height });
}

function isDimmedAround(
  front: Box,
  strays: readonly Box[],
  blocks: readonly Block[],
  brightest: number,
): boolean {
  const area = widthOf(front) * heightOf(front);
  if (area > MAX_DIALOG_AREA * blocks.length) return false;
  const limit = area > MAX_SMALL_DIALOG_AREA * blocks.length ? DIMMED : WEAKLY_DIMMED;
  return blocks.every(
    (block) =>
      block.brightness <= limit * brightest ||
      touches(block, front) ||
      strays.some((box) => touches(block, box)),
  );
}

/** In the box or next to it, where its shadow and its blurred edge are. */
function touches({ column, row }: Block, box: Box): boolean {
  return column >= box.left - 1 && column <= box.right && row >= box.top - 1 && row <= box.bottom;
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
