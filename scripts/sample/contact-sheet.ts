import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import type { OverlayOptions } from 'sharp';
import { SAMPLE_DIR, readManifest } from './manifest.ts';

const USAGE = `usage: npm run sample:sheets -- DIR [APP…]

Writes DIR/APP.png for each application of the sample (default: all): its screens side by side, in order.`;

const PHONE = { columns: 7, tileWidth: 260, tileHeight: 580 };
const WEB = { columns: 3, tileWidth: 620, tileHeight: 390 };
const LABEL_HEIGHT = 28;

export interface Tile {
  /** An image file. */
  file: string;
  /** Written beneath it. */
  label?: string;
}

export interface SheetStyle {
  columns: number;
  /** The box an image is fitted into, in pixels. */
  tileWidth: number;
  tileHeight: number;
  gap?: number;
  /** Any CSS colour. */
  background?: string;
  /** Of the corners, in pixels. */
  radius?: number;
}

/**
 * Images in rows of `columns`, with rounded corners, on one ground.
 * @returns a PNG
 * @throws when there are no tiles, or an image cannot be read
 */
export async function contactSheet(
  tiles: Tile[],
  { columns, tileWidth, tileHeight, gap = 24, background = '#E4E1DA', radius = 12 }: SheetStyle,
): Promise<Buffer> {
  if (tiles.length === 0) throw new Error('A contact sheet needs at least one image');
  const layers: OverlayOptions[] = [];
  let top = gap;
  for (let first = 0; first < tiles.length; first += columns) {
    const row = tiles.slice(first, first + columns);
    const images = await Promise.all(row.map(({ file }) => roundedTile(file, tileWidth, tileHeight, radius)));
    const height = Math.max(...images.map((image) => image.height));
    for (const [column, image] of images.entries()) {
      const left = gap + column * (tileWidth + gap) + Math.floor((tileWidth - image.width) / 2);
      layers.push({ input: image.png, left, top });
      const label = row[column]?.label;
      if (label !== undefined)
        layers.push({ input: labelSvg(label, image.width), left, top: top + image.height });
    }
    top += height + gap + (row.some(({ label }) => label !== undefined) ? LABEL_HEIGHT : 0);
  }
  const width = gap + Math.min(columns, tiles.length) * (tileWidth + gap);
  return sharp({ create: { width, height: top, channels: 3, background } })
    .composite(layers)
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();
}

async function roundedTile(
  file: string,
  boxWidth: number,
  boxHeight: number,
  radius: number,
): Promise<{ png: Buffer; width: number; height: number }> {
  const { data, info } = await sharp(file)
    .resize({ width: boxWidth, height: boxHeight, fit: 'inside' })
    .png()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const mask = Buffer.from(
    `<svg width="${width}" height="${height}"><rect width="100%" height="100%" rx="${radius}"/></svg>`,
  );
  const png = await sharp(data)
    .ensureAlpha()
    .composite([{ input: mask, blend: 'dest-in' }])
    .png()
    .toBuffer();
  return { png, width, height };
}

function labelSvg(label: string, width: number): Buffer {
  const text = label.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return Buffer.from(
    `<svg width="${width}" height="${LABEL_HEIGHT}"><text x="2" y="20" font-family="Inter, sans-serif" font-size="14" fill="#3A3A36">${text}</text></svg>`,
  );
}

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [dir, ...wanted] = positionals;
  if (dir === undefined) throw new Error(USAGE);
  const { apps, screens } = readManifest();
  const unknown = wanted.find((name) => !apps.some(({ id }) => id === name));
  if (unknown !== undefined) throw new Error(`The sample has no application "${unknown}"`);
  mkdirSync(dir, { recursive: true });
  for (const { id } of apps) {
    if (wanted.length > 0 && !wanted.includes(id)) continue;
    const own = screens.filter(({ appId }) => appId === id);
    const tiles = own.map((screen) => ({
      file: join(SAMPLE_DIR, screen.file),
      label: screen.id.slice(id.length + 1),
    }));
    const style = own.some(({ platform }) => platform === 'WEB') ? WEB : PHONE;
    const file = join(dir, `${id}.png`);
    writeFileSync(file, await contactSheet(tiles, style));
    console.log(`${file}  ${own.length} screens`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
