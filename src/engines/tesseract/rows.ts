import sharp from 'sharp';
import { heightOf, median, type Ink } from './box.ts';
import { letterHeight, type Line } from './lines.ts';

/** The height at which the network reads best: it works on lines of 36 pixels. */
const LINE_HEIGHT = 34;
const ROW_GAP = 24;
const MARGIN = 20;
/** Space kept around a line, in line heights. */
const PADDING = 0.25;
/** A gap this wide is a space: in heights of small letters, and in usual gaps of the line. */
const MIN_SPACE_HEIGHTS = 0.36;
const MIN_SPACE_GAPS = 1.6;
const MIN_SPACE_PIXELS = 3;
/** From this many gaps on a line has a usual one. */
const MIN_GAPS = 4;
/** White added to each space, in line heights: interfaces set words closer than what the network was taught with. */
const ADDED_SPACE = 0.35;
/** Fainter pixels may be the blur between two letters. */
const GAP_INK_LEVEL = 70;
const WHITE = 255;

interface Row {
  pixels: Buffer;
  width: number;
  height: number;
}

/** A page of the same lines, all of one height, one below the other. */
export interface Page {
  png: Buffer;
  /** Where each line's row begins, from the top. */
  tops: number[];
}

/** Copies each line out of its ink, black on white. `lines` must not be empty. */
export async function layOut(lines: readonly { line: Line; ink: Ink }[]): Promise<Page> {
  const rows: Row[] = [];
  for (const { line, ink } of lines) rows.push(await rowOf(line, ink));
  const tops: number[] = [];
  let height = MARGIN;
  for (const row of rows) {
    tops.push(height);
    height += row.height + ROW_GAP;
  }
  const width = Math.max(...rows.map((row) => row.width)) + 2 * MARGIN;
  const page = Buffer.alloc(width * height, WHITE);
  for (const [index, row] of rows.entries()) {
    for (let y = 0; y < row.height; y += 1) {
      row.pixels.copy(page, (tops[index]! + y) * width + MARGIN, y * row.width, (y + 1) * row.width);
    }
  }
  const png = await sharp(page, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return { png, tops };
}

/** Which row of the page a word belongs to. */
export function rowAt(tops: readonly number[], y: number): number {
  const next = tops.findIndex((top) => top - ROW_GAP / 2 > y);
  return next < 0 ? tops.length - 1 : Math.max(0, next - 1);
}

async function rowOf(line: Line, { level, width, height }: Ink): Promise<Row> {
  const lineHeight = heightOf(line);
  const padding = Math.max(2, Math.round(lineHeight * PADDING));
  const left = Math.max(0, line.left - padding);
  const right = Math.min(width, line.right + padding);
  const top = Math.max(0, line.top - padding);
  const bottom = Math.min(height, line.bottom + padding);

  const added = Math.round(lineHeight * ADDED_SPACE);
  const spaces = spacesOf(line, { level, width, height });
  const cropWidth = right - left + spaces.length * added;
  const cropHeight = bottom - top;
  const crop = Buffer.alloc(cropWidth * cropHeight, WHITE);
  for (let x = left; x < right; x += 1) {
    const to = x - left + added * spaces.filter((space) => space <= x).length;
    for (let y = top; y < bottom; y += 1) {
      crop[(y - top) * cropWidth + to] = WHITE - level[y * width + x]!;
    }
  }
  const scale = LINE_HEIGHT / lineHeight;
  const { data, info } = await sharp(crop, { raw: { width: cropWidth, height: cropHeight, channels: 1 } })
    .resize(Math.max(1, Math.round(cropWidth * scale)), Math.max(1, Math.round(cropHeight * scale)), {
      kernel: scale > 1 ? 'cubic' : 'lanczos3',
      fit: 'fill',
    })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

/** The columns in the middle of the gaps between words. */
function spacesOf(line: Line, { level, width }: Ink): number[] {
  const gaps: { middle: number; size: number }[] = [];
  let size = 0;
  for (let x = line.left; x < line.right; x += 1) {
    let inked = false;
    for (let y = line.top; y < line.bottom && !inked; y += 1) inked = level[y * width + x]! >= GAP_INK_LEVEL;
    if (!inked) size += 1;
    else {
      if (size > 0) gaps.push({ middle: x - Math.ceil(size / 2), size });
      size = 0;
    }
  }
  const usual = gaps.length < MIN_GAPS ? 0 : median(gaps.map((gap) => gap.size));
  const least = Math.max(MIN_SPACE_PIXELS, MIN_SPACE_HEIGHTS * letterHeight(line), MIN_SPACE_GAPS * usual);
  return gaps.filter((gap) => gap.size >= least).map((gap) => gap.middle);
}
