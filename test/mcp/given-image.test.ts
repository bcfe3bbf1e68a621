import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createImageAnalyser } from '../../src/analyse-image.ts';
import { createTesseractReader } from '../../src/engines/tesseract/index.ts';
import { createIngest } from '../../src/ingest/ingest.ts';
import { startTestService, type TestService } from '../support/service.ts';

const SAMPLE = join(import.meta.dirname, '../../sample');
/** Every so many of the sample's screens are in the library of this test. */
const EVERY = 20;
const OCR_TIMEOUT_MS = 180_000;

interface Manifest {
  apps: object[];
  screens: { id: string; file: string; platform: string }[];
}

let service: TestService;
let client: Client;
let screens: Manifest['screens'];

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-part-of-sample-'));
  const manifest = JSON.parse(await readFile(join(SAMPLE, 'manifest.json'), 'utf8')) as Manifest;
  screens = manifest.screens.filter((_, index) => index % EVERY === 0);
  for (const { file } of screens) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(SAMPLE, file), join(folder, file));
  }
  await cp(join(SAMPLE, 'extracted.jsonl'), join(folder, 'extracted.jsonl'));
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ apps: manifest.apps, screens, flows: [] }));

  service = await startTestService({ screens: [] });
  const { stores, images } = service.library;
  const { catalogue, journal } = stores;
  const report = await createIngest({ catalogue, journal, images, reader: undefined }).run(folder, {});
  expect(report).toMatchObject({ screens: { added: screens.length }, rejects: [] });
  await service.addScreens([]);
  await rm(folder, { recursive: true });

  client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const headers = { authorization: `Bearer ${await service.token({ resource: 'mcp' })}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }),
  );
}, OCR_TIMEOUT_MS);
afterAll(async () => {
  await client.close();
  await service.close();
});

function findSimilar(args: Record<string, unknown>, options: Parameters<Client['callTool']>[1] = {}) {
  return client.callTool(
    { name: 'find_similar_screens', arguments: args },
    { timeout: OCR_TIMEOUT_MS, ...options },
  );
}

async function firstHit(args: Record<string, unknown>): Promise<unknown> {
  const { structuredContent, isError } = await findSimilar(args);
  expect(isError).toBeFalsy();
  return (structuredContent as { screens: unknown[] }).screens[0];
}

/** As somebody would hand it over: another size and format than that in the library. */
function screenshotOf({ file }: { file: string }): Sharp {
  return sharp(join(SAMPLE, file)).resize({ width: 900, withoutEnlargement: true });
}

const screenOf = (platform: string) => screens.filter((screen) => screen.platform === platform)[1]!;

describe.each(['IOS', 'ANDROID', 'WEB'])('a screenshot of %s', (platform) => {
  it('finds its screen by layout', async () => {
    const screen = screenOf(platform);
    const image = (await screenshotOf(screen).jpeg().toBuffer()).toString('base64');
    expect(await firstHit({ image, by: 'layout' })).toMatchObject({ id: screen.id, matched: ['layout'] });
  });

  it('finds its screen by the text that is read on it', { timeout: OCR_TIMEOUT_MS }, async () => {
    const screen = screenOf(platform);
    const image = (await screenshotOf(screen).png().toBuffer()).toString('base64');
    expect(await firstHit({ image: `data:image/png;base64,${image}`, by: 'meaning' })).toMatchObject({
      id: screen.id,
      matched: ['meaning'],
    });
  });
});

it('is told what is done meanwhile', { timeout: OCR_TIMEOUT_MS }, async () => {
  const image = (await screenshotOf(screenOf('WEB')).webp().toBuffer()).toString('base64');
  const told: string[] = [];
  const onprogress = ({ message = '' }) => void told.push(message);
  await findSimilar({ image, by: 'meaning' }, { onprogress });
  expect(told).toEqual(['Reading the text on the picture', 'Looking for screens that mean the same']);
});

it('is read once, however many pages of the answer are asked for', { timeout: OCR_TIMEOUT_MS }, async () => {
  const reader = await createTesseractReader({ workers: 1 });
  const read = vi.spyOn(reader, 'read');
  const analyser = createImageAnalyser(() => Promise.resolve(reader));
  try {
    const image = await screenshotOf(screenOf('ANDROID')).webp().toBuffer();
    const text = await analyser.text(image);
    expect(text).not.toBe('');
    expect(await analyser.text(image)).toBe(text);
    expect(read).toHaveBeenCalledTimes(1);
  } finally {
    await analyser.close();
  }
});

it('stops reading when the client hangs up', { timeout: OCR_TIMEOUT_MS }, async () => {
  const read = vi.spyOn(service.library.library.analyser, 'text');
  const image = (await screenshotOf(screenOf('ANDROID')).webp().toBuffer()).toString('base64');
  const hangUp = new AbortController();
  const onprogress = () => hangUp.abort();
  await expect(
    findSimilar({ image, by: 'meaning' }, { onprogress, signal: hangUp.signal }),
  ).rejects.toThrow();
  await expect(read.mock.results[0]?.value).rejects.toThrow('Connection closed');
  read.mockRestore();
});

describe('a picture that is none', () => {
  const pixels = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#3366CC' } });
  const cases: Record<string, [() => Promise<Uint8Array> | Uint8Array, RegExp]> = {
    'a text': [() => Buffer.from('not a picture at all'), /JPEG, PNG and WebP are taken/],
    'a GIF': [() => pixels(10, 10).gif().toBuffer(), /JPEG, PNG and WebP are taken/],
    'a PNG cut short': [
      async () => (await screenshotOf(screens[0]!).png().toBuffer()).subarray(0, 3000),
      /cannot be used/,
    ],
    'a PNG of 400 megapixels': [() => hugePng(), /cannot be used.*pixels/],
    'more than 2 MB': [() => new Uint8Array(2 * 2 ** 20 + 1), /2\.0 MB; at most 2 MB/],
  };

  it.each(Object.entries(cases))('%s is refused by layout and by meaning', async (_name, [make, reason]) => {
    const image = Buffer.from(await make()).toString('base64');
    for (const by of ['layout', 'meaning']) {
      const { isError, content } = await findSimilar({ image, by });
      expect(isError).toBe(true);
      expect(content).toMatchObject([{ type: 'text', text: expect.stringMatching(reason) }]);
    }
  });

  it('says what to do with a picture that has nothing to compare', { timeout: OCR_TIMEOUT_MS }, async () => {
    const image = (await pixels(300, 600).png().toBuffer()).toString('base64');
    for (const [by, words] of Object.entries({ layout: /no edge.*by meaning/, meaning: /No text/ })) {
      const { structuredContent } = await findSimilar({ image, by });
      expect(structuredContent).toMatchObject({ screens: [], hint: expect.stringMatching(words) });
    }
  });
});

/** A sound header of a picture that nobody should decode. */
async function hugePng(): Promise<Buffer> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#000000' } })
    .png()
    .toBuffer();
  // Width and height stand behind the signature, length and name of the first chunk.
  png.writeUInt32BE(20_000, 16);
  png.writeUInt32BE(20_000, 20);
  return png;
}
