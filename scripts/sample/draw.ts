import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchBrowser, shoot } from './browser.ts';
import { SAMPLE_DIR, replaceApp } from './manifest.ts';
import type { AppRecords, ManifestFlow } from './manifest.ts';
import { observePage } from './observe.ts';

const USAGE = `usage: npm run sample:draw -- [APP…]

Renders the phone screens of sample/drawn/APP (default: all) and replaces their part of the sample.`;

const DRAWN = join(SAMPLE_DIR, 'drawn');
const SHARED = join(DRAWN, 'shared');
const VIEWPORTS = { IOS: { width: 390, height: 844 }, ANDROID: { width: 412, height: 915 } };
const SCALE = 2;

/** What sample/drawn/<appId>/app.json holds. */
interface DrawnApp {
  id: string;
  name: string;
  platform: keyof typeof VIEWPORTS;
  screens: {
    slug: string;
    /** The HTML of the body's content, beside app.json: `<NN>-<slug>.html`. */
    file: string;
    theme: 'light' | 'dark';
    pattern: string[];
    captionText?: string;
  }[];
  flows: Omit<ManifestFlow, 'appId' | 'capturedAt'>[];
}

/**
 * A page around a screen's content. The app's style finds `<html class="ios light">` and may set
 * `--status` and `--home`, the colours of the two bars; content starts beneath neither of them, so
 * that a picture can reach the edges: `--safe-top` and `--safe-bottom` say how much to keep free.
 */
function wrap(app: DrawnApp, theme: string, css: string, content: string): string {
  const platform = app.platform.toLowerCase();
  return `<!doctype html>
<html lang="en" class="${platform} ${theme}"><head><meta charset="utf-8"><title>${app.name}</title>
<style>${readFileSync(join(SHARED, 'frame.css'), 'utf8')}</style><style>${css}</style></head>
<body>${sprite(app.id)}
${readFileSync(join(SHARED, `${platform}.html`), 'utf8')}
<div class="screen">${content}</div></body></html>`;
}

/** A screen's content, with what several screens share put in: `{{tabs.html}}` stands for that file of the folder. */
function readContent(folder: string, file: string): string {
  return readFileSync(join(folder, file), 'utf8').replace(/\{\{([\w.-]+)\}\}/g, (_, name: string) =>
    readFileSync(join(folder, name), 'utf8'),
  );
}

/** The symbols every screen may `<use>`: the shared ones and the app's own. */
function sprite(appId: string): string {
  return [join(SHARED, 'icons.svg'), join(DRAWN, appId, 'icons.svg')]
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('');
}

async function drawApp(browser: Browser, appId: string): Promise<void> {
  const folder = join(DRAWN, appId);
  const app = JSON.parse(readFileSync(join(folder, 'app.json'), 'utf8')) as DrawnApp;
  if (app.id !== appId) throw new Error(`${folder}/app.json has the id ${app.id}, should be ${appId}`);
  const css = readFileSync(join(folder, 'app.css'), 'utf8');
  const context = await browser.newContext({
    viewport: VIEWPORTS[app.platform],
    deviceScaleFactor: SCALE,
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const screens: AppRecords['screens'] = [];
  for (const [index, { slug, file, theme, pattern, captionText }] of app.screens.entries()) {
    const image = `images/${appId}/${String(index + 1).padStart(2, '0')}-${slug}.webp`;
    await page.setContent(wrap(app, theme, css, readContent(folder, file)));
    const bytes = await shoot(page, join(SAMPLE_DIR, image));
    const seen = await observePage(page);
    screens.push({
      file: image,
      id: `${appId}-${slug}`,
      platform: app.platform,
      pattern,
      theme,
      ...seen,
      ...(captionText !== undefined && { captionText }),
    });
    const colours = `${seen.background ?? 'none'} ${seen.accent ?? 'none'}`;
    console.log(`${image}  ${Math.round(bytes / 1024)} KB  ${colours}  ${seen.text.split(' ').length} words`);
    for (const fault of await page.evaluate<string[]>(FIND_FAULTS)) console.log(`  ${fault}`);
  }
  await context.close();
  replaceApp({ app: { id: appId, name: app.name }, screens, flows: app.flows });
}

/** Names what no designer would keep: text cut at its box or at the screen's edge, a missing icon. */
const FIND_FAULTS = `(() => {
  const faults = [];
  const range = document.createRange();
  const texts = document.createTreeWalker(document.querySelector('.screen'), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement: holder } = texts.currentNode;
    if (data.trim() === '' || holder.closest('style, [data-bleed]')) continue;
    range.selectNodeContents(texts.currentNode);
    const { right, bottom } = range.getBoundingClientRect();
    const box = holder.getBoundingClientRect();
    const clips = getComputedStyle(holder).overflow !== 'visible';
    if (right > innerWidth + 1) faults.push('beyond the right edge: ' + data.trim());
    if (clips && (right > box.right + 1 || bottom > box.bottom + 1)) faults.push('cut text: ' + data.trim());
  }
  for (const use of document.querySelectorAll('.screen use'))
    if (!document.querySelector(use.getAttribute('href'))) faults.push('no such icon: ' + use.getAttribute('href'));
  return faults;
})()`;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const all = readdirSync(DRAWN).filter((name) => existsSync(join(DRAWN, name, 'app.json')));
  const unknown = positionals.filter((name) => !all.includes(name));
  if (unknown.length > 0)
    throw new Error(`No sample/drawn/${unknown[0]}/app.json. There are: ${all.join(', ')}`);
  const browser = await launchBrowser();
  try {
    for (const appId of positionals.length > 0 ? positionals : all) await drawApp(browser, appId);
  } finally {
    await browser.close();
  }
}

await main();
