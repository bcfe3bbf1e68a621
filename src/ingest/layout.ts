import { sharpOf, type RawImage } from './decode.ts';

const GRID_COLUMNS = 9;
const GRID_ROWS = 16;
const CELL_PIXELS = 16;
const ORIENTATIONS = 4;
/** Gradients beyond this count no more: black on white must not drown grey on white. */
const MAX_MAGNITUDE = 64;

const GRID_WIDTH = GRID_COLUMNS * CELL_PIXELS;
const GRID_HEIGHT = GRID_ROWS * CELL_PIXELS;

export const LAYOUT_SIZE = GRID_COLUMNS * GRID_ROWS * ORIENTATIONS;

/**
 * Where lines, blocks and pictures sit on a screen, as a histogram of oriented gradients (Dalal and Triggs, "Histograms
 * of Oriented Gradients for Human Detection", 2005) over 9 × 16 cells of the picture stretched to 144 × 256. Compared by
 * cosine, so the scale of the numbers does not matter.
 *
 * @returns 576 values of 0…127; all zero for a picture without any edge
 */
export async function layoutOf(image: RawImage): Promise<Int8Array> {
  const grey = await sharpOf(image)
    .greyscale()
    .resize(GRID_WIDTH, GRID_HEIGHT, { fit: 'fill' })
    .raw({ depth: 'uchar' })
    .toBuffer();
  return layoutOfGrey(grey);
}

/** @param grey 144 × 256 bytes, row by row */
export function layoutOfGrey(grey: Uint8Array): Int8Array {
  const histogram = new Float64Array(LAYOUT_SIZE);
  const at = (x: number, y: number): number =>
    grey[Math.min(Math.max(y, 0), GRID_HEIGHT - 1) * GRID_WIDTH + Math.min(Math.max(x, 0), GRID_WIDTH - 1)] ??
    0;
  for (let y = 0; y < GRID_HEIGHT; y += 1) {
    for (let x = 0; x < GRID_WIDTH; x += 1) {
      const dx = at(x + 1, y) - at(x - 1, y);
      const dy = at(x, y + 1) - at(x, y - 1);
      if (dx === 0 && dy === 0) continue;
      // Unsigned: light on dark and dark on light are the same edge.
      const turn = (Math.atan2(dy, dx) / Math.PI + 1) % 1;
      const orientation = Math.round(turn * ORIENTATIONS) % ORIENTATIONS;
      const cell = Math.floor(y / CELL_PIXELS) * GRID_COLUMNS + Math.floor(x / CELL_PIXELS);
      const slot = cell * ORIENTATIONS + orientation;
      histogram[slot] = (histogram[slot] ?? 0) + Math.min(Math.hypot(dx, dy), MAX_MAGNITUDE);
    }
  }
  const roots = histogram.map(Math.sqrt);
  const largest = Math.max(...roots);
  return largest === 0
    ? new Int8Array(LAYOUT_SIZE)
    : Int8Array.from(roots, (root) => Math.round((root / largest) * 127));
}
