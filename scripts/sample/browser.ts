import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';

/** Debian's chromium: text drawn by another build differs in its pixels, and with it every stored image. */
const CHROMIUM = '/usr/bin/chromium';

const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // The same picture on every machine: no hinting and no monitor profile.
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  // A captured application reaches nothing but this machine.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

/** @throws when no browser is at `executablePath`. */
export function launchBrowser(executablePath: string = CHROMIUM): Promise<Browser> {
  if (!existsSync(executablePath))
    throw new Error(`No browser at ${executablePath}: install Debian's chromium package`);
  return chromium.launch({ executablePath, args: CHROMIUM_ARGS });
}

export interface ShootOptions {
  /** Near-lossless at quality 90, for a picture that holds photographs and would be over 250 KB. */
  photographic?: boolean;
}

/**
 * Writes what the page's viewport shows as a WebP at device scale. A file that already holds the
 * same bytes is left alone.
 * @returns the size of the image in bytes
 */
export async function shoot(
  page: Page,
  file: string,
  { photographic = false }: ShootOptions = {},
): Promise<number> {
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide', scale: 'device' });
  const webp = await sharp(png)
    .removeAlpha()
    .webp(photographic ? { nearLossless: true, quality: 90, effort: 6 } : { lossless: true, effort: 6 })
    .toBuffer();
  if (existsSync(file) && readFileSync(file).equals(webp)) return webp.length;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.tmp`, webp);
  renameSync(`${file}.tmp`, file);
  return webp.length;
}
