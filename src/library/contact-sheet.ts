import sharp, { type OverlayOptions } from 'sharp';
import { BADGE_HEIGHT_PX, numberBadge } from './digits.ts';

const GAP_PX = 16;
/** A sheet much taller than wide is scaled down by whoever looks at it until nothing can be read. */
const MAX_HEIGHT_TO_WIDTH = 1.25;
const BACKGROUND = '#E5E7EB';

export interface SheetImage {
  body: Uint8Array;
  width: number;
  height: number;
}

interface Tile {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * Images side by side in reading order, each under a badge with its number, from 1.
 * @param width of the sheet in pixels; tiles are never enlarged
 * @param encoding quality 0–100 and effort 0–6 of WebP
 * @returns WebP
 */
export async function composeSheet(
  images: readonly SheetImage[],
  width: number,
  encoding: { quality: number; effort: number },
): Promise<Buffer> {
  const { tiles, height } = layOut(images, width);
  const overlays = await Promise.all(
    tiles.map(async (tile, index): Promise<OverlayOptions[]> => {
      const { data: input, info } = await sharp(images[index]!.body)
        .resize(tile.width, tile.height, { fit: 'fill' })
        .raw()
        .toBuffer({ resolveWithObject: true });
      const { width: columns, height: rows, channels } = info;
      const { data, ...size } = numberBadge(index + 1);
      return [
        { input, raw: { width: columns, height: rows, channels }, left: tile.left, top: tile.top },
        {
          input: Buffer.from(data.buffer),
          raw: { ...size, channels: 1 },
          left: tile.left,
          top: tile.top - BADGE_HEIGHT_PX - GAP_PX / 2,
        },
      ];
    }),
  );
  return sharp({ create: { width, height, channels: 3, background: BACKGROUND } })
    .composite(overlays.flat())
    .webp(encoding)
    .toBuffer();
}

/** The number of columns that shows the tiles largest while the sheet stays readable as one picture. */
function layOut(images: readonly SheetImage[], width: number): { tiles: Tile[]; height: number } {
  for (let columns = 1; columns < images.length; columns += 1) {
    const sheet = inColumns(images, width, columns);
    if (sheet.height <= width * MAX_HEIGHT_TO_WIDTH) return sheet;
  }
  return inColumns(images, width, images.length);
}

function inColumns(
  images: readonly SheetImage[],
  width: number,
  columns: number,
): { tiles: Tile[]; height: number } {
  const cell = Math.floor((width - GAP_PX * (columns + 1)) / columns);
  const tiles: Tile[] = [];
  let top = GAP_PX;
  for (let start = 0; start < images.length; start += columns) {
    top += BADGE_HEIGHT_PX + GAP_PX / 2;
    let rowHeight = 0;
    for (const [column, image] of images.slice(start, start + columns).entries()) {
      const scale = Math.min(1, cell / image.width);
      const height = Math.max(1, Math.round(image.height * scale));
      tiles.push({
        left: GAP_PX + column * (cell + GAP_PX),
        top,
        width: Math.max(1, Math.round(image.width * scale)),
        height,
      });
      rowHeight = Math.max(rowHeight, height);
    }
    top += rowHeight + GAP_PX;
  }
  return { tiles, height: top };
}
