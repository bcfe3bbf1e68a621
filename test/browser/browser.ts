import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Browser, type Page } from 'playwright-core';
import { expect } from 'vitest';

/** Where Debian's package puts it. */
const CHROMIUM = '/usr/bin/chromium';
/** Nothing but this machine can be reached; a page that asked for more would be seen to fail. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost , EXCLUDE ::1',
];

export const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const;

export function launchChromium(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(`No browser at ${CHROMIUM}: install Debian's chromium package.`);
  return chromium.launch({ executablePath: CHROMIUM, args: ARGS });
}

/** A new browser profile. Without script everything has to work; with script axe can look at the page. */
export async function openPage(browser: Browser, options: { script?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext({
    javaScriptEnabled: options.script === true,
    viewport: SIZES.desktop,
  });
  return context.newPage();
}

/** The page as it is now, by axe's rules of WCAG A and AA and its best practices, in light and in dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations, passes } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => ({ id, html: nodes.map((node) => node.html) }))).toEqual([]);
    expect(passes.map(({ id }) => id)).toContain('color-contrast');
  }
}

/** Where pictures of the pages go, for looking at after a run. */
const PICTURES = join(tmpdir(), 'vitrine-pictures');

/** Nothing sticks out of the page, at either size and in either scheme. Takes pictures. */
export async function expectFits(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const path = join(PICTURES, `${name}-${size}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true, animations: 'disabled' });
    }
    const box = await page.locator('main').boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(viewport.width);
  }
}
