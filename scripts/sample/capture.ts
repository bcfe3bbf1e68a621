import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, shoot } from './browser.ts';
import { SAMPLE_DIR, replaceApp } from './manifest.ts';
import type { AppRecords } from './manifest.ts';
import { observePage } from './observe.ts';
import { freePort, serve } from './recipe.ts';
import type { AppRecipe, Place, Stage, Viewport } from './recipe.ts';

const APPS = join(import.meta.dirname, 'apps');
const USAGE = `usage: npm run sample:capture -- [--work FOLDER] [--draft] APP…

Installs each application, runs it on loopback, photographs its journey and replaces its part of the sample.
  --work FOLDER  where applications are installed and run (default: a folder in the system's temporary folder)
  --draft        leave the images in the work folder; change nothing in the sample`;

const VIEWPORTS: Record<Viewport, { width: number; height: number; scale: number }> = {
  desktop: { width: 1280, height: 800, scale: 1.5 },
  phone: { width: 390, height: 844, scale: 2 },
};

// What would tell a reader which machine a picture was taken on.
const ADDRESS = /localhost|127\.0\.0\.1|\/tmp\/|\/root\b|\/home\//i;

const SETTLE_MS = 400;
const IDLE_LIMIT_MS = 5_000;

type Screen = AppRecords['screens'][number];

interface Capture {
  stage: Stage;
  /** Grows with every shot, in journey order. */
  screens: Screen[];
  pages: Page[];
}

function createCapture(recipe: AppRecipe, place: Place, browser: Browser, images: string): Capture {
  const origin = `http://127.0.0.1:${place.port}`;
  const screens: Screen[] = [];
  const pages: Page[] = [];

  const open: Stage['open'] = async ({ viewport = 'desktop', scheme = 'light', like } = {}) => {
    const { scale, ...size } = VIEWPORTS[viewport];
    const context = await browser.newContext({
      baseURL: origin,
      viewport: size,
      deviceScaleFactor: scale,
      isMobile: viewport === 'phone',
      hasTouch: viewport === 'phone',
      colorScheme: scheme,
      locale: 'en-US',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      ...(like && { storageState: await like.context().storageState() }),
    });
    const page = await context.newPage();
    pages.push(page);
    return page;
  };

  const shot: Stage['shot'] = async (page, slug, { photographic = false, ...facts }) => {
    const id = `${recipe.id}-${slug}`;
    if (screens.some((screen) => screen.id === id)) throw new Error(`two shots are called ${slug}`);
    const name = `${String(screens.length + 1).padStart(2, '0')}-${slug}.webp`;
    await settle(page);
    await shoot(page, join(images, name), { photographic });
    const seen = await observePage(page);
    const address = ADDRESS.exec(seen.text);
    if (address) throw new Error(`${slug} shows ${address[0]}`);
    const file = `images/${recipe.id}/${name}`;
    screens.push({ file, id, platform: 'WEB', ...facts, ...seen });
    process.stdout.write(`  ${name}\n`);
  };

  return { stage: { place, origin, open, shot }, screens, pages };
}

// A click's request starts a moment after it, and a page that polls is never idle.
async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(SETTLE_MS);
  await page.waitForLoadState('networkidle', { timeout: IDLE_LIMIT_MS }).catch(() => undefined);
}

function publish(recipe: AppRecipe, images: string, screens: Screen[]): void {
  const flows = recipe.flows.map(({ slug, screens: slugs, ...flow }) => ({
    id: `${recipe.id}-${slug}`,
    ...flow,
    screenIds: slugs.map((name) => `${recipe.id}-${name}`),
  }));
  const target = join(SAMPLE_DIR, 'images', recipe.id);
  rmSync(target, { recursive: true, force: true });
  cpSync(images, target, { recursive: true });
  replaceApp({ app: { id: recipe.id, name: recipe.name }, screens, flows });
}

async function capture(recipe: AppRecipe, work: string, draft: boolean): Promise<void> {
  const folder = join(work, recipe.id);
  const images = join(folder, 'images');
  const place: Place = {
    tools: join(folder, 'tools'),
    data: join(folder, 'data'),
    assets: join(APPS, recipe.id),
    port: await freePort(),
  };
  process.stdout.write(`${recipe.name} ${recipe.version}: installing\n`);
  await recipe.install(place);
  for (const fresh of [place.data, images]) {
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh, { recursive: true });
  }
  await recipe.prepare?.(place);
  const readyUrl = `http://127.0.0.1:${place.port}${recipe.readyPath}`;
  const browser = await launchBrowser();
  let stop: (() => Promise<void>) | undefined;
  const { stage, screens, pages } = createCapture(recipe, place, browser, images);
  try {
    stop = await serve(recipe.start(place), readyUrl, join(folder, 'server.log'));
    await recipe.journey(stage);
    if (!draft) publish(recipe, images, screens);
  } catch (error) {
    await Promise.all(pages.map((page, n) => page.screenshot({ path: join(folder, `failed-${n}.png`) })));
    throw new Error(`${recipe.id} failed after ${screens.length} screens; its pages are in ${folder}`, {
      cause: error,
    });
  } finally {
    await browser.close();
    await stop?.();
  }
}

async function loadRecipe(id: string): Promise<AppRecipe> {
  const file = join(APPS, `${id}.ts`);
  if (!existsSync(file)) {
    const ids = readdirSync(APPS).filter((name) => name.endsWith('.ts'));
    throw new Error(`no recipe ${id}; there are ${ids.map((name) => name.slice(0, -3)).join(', ')}`);
  }
  const module = (await import(file)) as { recipe: AppRecipe };
  return module.recipe;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { work: { type: 'string' }, draft: { type: 'boolean' }, help: { type: 'boolean' } },
});
if (values.help === true || positionals.length === 0) {
  process.stdout.write(`${USAGE}\n`);
} else {
  const recipes = await Promise.all(positionals.map(loadRecipe));
  for (const recipe of recipes) {
    await capture(recipe, values.work ?? join(tmpdir(), 'vitrine-capture'), values.draft === true);
  }
}
