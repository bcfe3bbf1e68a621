import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { indexPending } from '../../src/library/index-pending.ts';
import { searchScreensTool } from '../../src/mcp/tools/search-screens.ts';
import { viewScreensTool } from '../../src/mcp/tools/view-screens.ts';
import { INDEX_TARGETS } from '../../src/ports/catalogue.ts';
import { launchBrowser } from './browser.ts';
import { contactSheet } from './contact-sheet.ts';
import { readManifest, SAMPLE_DIR } from './manifest.ts';

// Makes the pictures of the README from the sample library: screens of it, a flow, and what an assistant answers.
const PICTURES_DIR = join(import.meta.dirname, '../../docs/pictures');
const FLOW = 'pennywren-cancel';
const QUESTION = 'Show me paywalls with a yearly plan on phones, from different apps.';
const SEARCH = { query: 'paywall with a yearly plan', pattern: ['paywall'], maxPerApp: 1, limit: 4 };

await mkdir(PICTURES_DIR, { recursive: true });
await save('library', await libraryPicture());
await save('flow', await flowPicture());
await save('mcp-answer', await answerPicture());

async function save(name: string, png: Buffer): Promise<void> {
  const file = join(PICTURES_DIR, `${name}.webp`);
  await writeFile(file, await sharp(png).webp({ quality: 82 }).toBuffer());
  console.log(file);
}

/** Phones of every drawn app, then pages of every captured one. */
async function libraryPicture(): Promise<Buffer> {
  const { apps, screens } = readManifest();
  const phones: { file: string }[] = [];
  const pages: { file: string }[] = [];
  for (const { id } of apps) {
    const own = screens.filter((screen) => screen.appId === id);
    const showing = (web: boolean) => own.filter((screen) => (screen.platform === 'WEB') === web);
    for (const place of [0.3, 0.75]) {
      const phone = showing(false).at(Math.floor(own.length * place));
      if (phone !== undefined) phones.push({ file: join(SAMPLE_DIR, phone.file) });
    }
    const page = showing(true).at(Math.floor(own.length * 0.4));
    if (page !== undefined) pages.push({ file: join(SAMPLE_DIR, page.file) });
  }
  const top = await contactSheet(phones.slice(0, 16), {
    columns: 8,
    tileWidth: 176,
    tileHeight: 392,
    gap: 20,
  });
  const bottom = await contactSheet(pages.slice(0, 8), {
    columns: 4,
    tileWidth: 372,
    tileHeight: 250,
    gap: 20,
  });
  return stack([top, bottom]);
}

async function stack(parts: Buffer[]): Promise<Buffer> {
  const sizes = await Promise.all(parts.map((part) => sharp(part).metadata()));
  const width = Math.max(...sizes.map((size) => size.width));
  let height = 0;
  const layers = parts.map((input, index) => {
    const top = height;
    height += sizes[index]?.height ?? 0;
    return { input, left: 0, top };
  });
  return sharp({ create: { width, height, channels: 3, background: '#E4E1DA' } })
    .composite(layers)
    .png()
    .toBuffer();
}

async function flowPicture(): Promise<Buffer> {
  const { flows, screens } = readManifest();
  const flow = flows.find(({ id }) => id === FLOW);
  const tiles = (flow?.screenIds ?? []).map((id, index) => {
    const screen = screens.find((candidate) => candidate.id === id);
    if (screen === undefined) throw new Error(`The flow ${FLOW} names ${id}, which the sample does not have`);
    return {
      file: join(SAMPLE_DIR, screen.file),
      label: `${index + 1} · ${id.slice(screen.appId.length + 1)}`,
    };
  });
  return contactSheet(tiles, { columns: tiles.length, tileWidth: 300, tileHeight: 650 });
}

/** A conversation, with what the tools really answered over the sample. */
async function answerPicture(): Promise<Buffer> {
  // Ingest closes the picture library to every format but those of screens, and the sheets above are drawn with SVG.
  const { createIngest } = await import('../../src/ingest/ingest.ts');
  const { openLibrary } = await import('../../src/wire.ts');
  const dataDir = await mkdtemp(join(tmpdir(), 'vitrine-pictures-'));
  const storageUrl = 'http://localhost:3000/files';
  const open = await openLibrary({ dataDir, storageUrl, embeddingModel: 'builtin', ocrWorkers: 1 });
  try {
    const { catalogue, journal } = open.stores;
    await createIngest({ catalogue, journal, images: open.images, reader: undefined }).run(SAMPLE_DIR, {});
    for (const target of INDEX_TARGETS) await indexPending(open.library, target);

    const context = { library: open.library, waiting: {} };
    const found = await searchScreensTool.call(searchScreensTool.input.parse(SEARCH), context);
    const { screens } = found.structuredContent as { screens: { id: string }[] };
    const ids = screens.map((screen) => screen.id);
    const seen = await viewScreensTool.call(viewScreensTool.input.parse({ ids }), context);
    return await drawConversation(textOf(found.content), textOf(seen.content), imageOf(seen.content));
  } finally {
    await open.close();
    await rm(dataDir, { recursive: true });
  }
}

type Content = Awaited<ReturnType<typeof searchScreensTool.call>>['content'];

function textOf(content: Content): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function imageOf(content: Content): string {
  const image = content.find((block) => block.type === 'image');
  if (image?.type !== 'image') throw new Error('view_screens answered no picture');
  return `data:${image.mimeType};base64,${image.data}`;
}

async function drawConversation(found: string, seen: string, picture: string): Promise<Buffer> {
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const call = (name: string, args: object, answer: string) =>
    `<section><h2>vitrine · ${name} <code>${escape(JSON.stringify(args))}</code></h2><pre>${escape(answer)}</pre></section>`;
  const html = `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; padding: 32px; background: #faf9f5; color: #1f1e1b; font: 16px/1.5 Inter, sans-serif }
    main { max-width: 900px; margin: auto; display: grid; gap: 20px }
    .question { justify-self: end; background: #ece9df; border-radius: 16px; padding: 12px 18px; margin: 0 }
    section { border: 1px solid #dedbd0; border-radius: 12px; overflow: hidden; background: #fff }
    h2 { font-size: 14px; margin: 0; padding: 10px 16px; background: #f3f1ea; font-weight: 600 }
    code { font: 12px "DejaVu Sans Mono", monospace; color: #6b675c; font-weight: 400; margin-left: 6px }
    pre { margin: 0; padding: 14px 16px; font: 12.5px/1.55 "DejaVu Sans Mono", monospace; white-space: pre-wrap }
    img { width: 100%; display: block; border-top: 1px solid #dedbd0 }
  </style><main><p class="question">${escape(QUESTION)}</p>
  ${call('search_screens', SEARCH, found)}
  ${call('view_screens', { ids: '…' }, seen).replace('</section>', `<img src="${picture}"></section>`)}</main>`;
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 964, height: 600 }, deviceScaleFactor: 1.5 });
    await page.setContent(html);
    return await page.screenshot({ fullPage: true });
  } finally {
    await browser.close();
  }
}
