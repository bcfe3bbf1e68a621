import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EngineUnavailableError } from '../../src/domain/errors.ts';
import { createTesseractReader } from '../../src/engines/tesseract/index.ts';
import { createThreadPool, ThreadError, type ThreadPool } from '../../src/engines/tesseract/thread-pool.ts';
import { undimmedPart } from '../../src/engines/tesseract/scrim.ts';
import type { TextReader } from '../../src/ports/text-reader.ts';

const SAMPLE = join(import.meta.dirname, '../../sample');
const SECONDS = 1000;

describe('reading text', { timeout: 120 * SECONDS }, () => {
  let reader: TextReader;
  beforeAll(async () => {
    reader = await createTesseractReader({ workers: 1 });
  });
  afterAll(() => reader.close());

  const plain = (width: number, height: number): Promise<Buffer> =>
    sharp({ create: { width, height, channels: 3, background: '#ffffff' } })
      .png()
      .toBuffer();

  test('finds nothing where nothing is written, on any size', async () => {
    expect(await reader.read(await plain(600, 400))).toEqual({ text: '' });
    expect(await reader.read(await plain(1, 1))).toEqual({ text: '' });
  });

  test('gives for three sample images what the sample brings along', async () => {
    const lines = (await readFile(join(SAMPLE, 'extracted.jsonl'), 'utf8')).trim().split('\n');
    const extracted = new Map(
      lines.map((line) => {
        const { sha256, ...known } = JSON.parse(line) as { sha256: string; readerId: string; text: string };
        return [sha256, known];
      }),
    );
    const { screens } = JSON.parse(await readFile(join(SAMPLE, 'manifest.json'), 'utf8')) as {
      screens: { file: string; platform: string }[];
    };
    for (const platform of ['IOS', 'ANDROID', 'WEB']) {
      // Not the first: sign-in pages have few words.
      const { file = '' } = screens.filter((screen) => screen.platform === platform)[4] ?? {};
      const image = await readFile(join(SAMPLE, file));
      const known = extracted.get(createHash('sha256').update(image).digest('hex'));
      expect(known, file).toBeDefined();
      expect(known?.readerId).toBe(reader.readerId);
      expect(await reader.read(image), file).toEqual({ text: known?.text });
      expect(known?.text.length, file).toBeGreaterThan(50);
    }
  });

  test('reads several images at once, each with its own answer', async () => {
    const { screens } = JSON.parse(await readFile(join(SAMPLE, 'manifest.json'), 'utf8')) as {
      screens: { file: string }[];
    };
    const image = await readFile(join(SAMPLE, screens[0]?.file ?? ''));
    const blank = await plain(300, 300);
    const texts = await Promise.all([blank, image, blank].map((some) => reader.read(some)));
    expect(texts.map(({ text }) => text === '')).toEqual([true, false, true]);
  });

  test('says that it cannot where the image is none, and goes on with the next', async () => {
    await expect(reader.read(Buffer.from('no image'))).rejects.toBeInstanceOf(EngineUnavailableError);
    expect(await reader.read(await plain(60, 40))).toEqual({ text: '' });
  });

  test('gives up after its time, and after it was closed', async () => {
    const hasty = await createTesseractReader({ workers: 1, timeoutMs: 1 });
    await expect(hasty.read(await plain(60, 40))).rejects.toMatchObject({
      code: 'engine_unavailable',
      cause: { message: 'no answer within 1 ms' },
    });
    await hasty.close();
    await expect(hasty.read(await plain(60, 40))).rejects.toBeInstanceOf(EngineUnavailableError);
  });
});

describe('threads', () => {
  let dir: string;
  let pool: ThreadPool<string, string>;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'vitrine-threads-'));
    const file = join(dir, 'thread.mjs');
    await writeFile(
      file,
      `import { parentPort, threadId } from 'node:worker_threads';
       parentPort.on('message', (request) => {
         if (request === 'throw') throw new Error('broken');
         if (request === 'exit') process.exit(3);
         if (request === 'reject') void Promise.reject(new Error('unhandled'));
         if (request !== 'hang' && request !== 'reject') parentPort.postMessage(request + ' ' + threadId);
       });`,
    );
    pool = createThreadPool({ script: pathToFileURL(file), size: 2, timeoutMs: 2 * SECONDS });
  });
  afterAll(async () => {
    await pool.close();
    await rm(dir, { recursive: true });
  });

  test('answer in turn, no more of them than allowed', async () => {
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((request) => pool.ask(request)));
    expect(answers.map((answer) => answer[0])).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(new Set(answers.map((answer) => answer.slice(2))).size).toBeLessThanOrEqual(2);
  });

  test.each(['throw', 'exit', 'reject', 'hang'])('are replaced when they %s', async (fault) => {
    await expect(pool.ask(fault)).rejects.toBeInstanceOf(ThreadError);
    const answers = await Promise.all(['a', 'b', 'c'].map((request) => pool.ask(request)));
    expect(answers.map((answer) => answer[0])).toEqual(['a', 'b', 'c']);
  });

  test('stop when nobody waits any more, at work or in line, and take the next question', async () => {
    const hungUp = new AbortController();
    const working = pool.ask('hang', hungUp.signal);
    const second = pool.ask('hang', hungUp.signal);
    const inLine = pool.ask('late', hungUp.signal);
    const next = pool.ask('next');
    hungUp.abort(new Error('hung up'));
    for (const question of [working, second, inLine]) await expect(question).rejects.toThrow('hung up');
    expect(await next).toMatch(/^next/);
  });

  test('fail one question alone when several are under way', async () => {
    const results = await Promise.allSettled(
      ['a', 'throw', 'b', 'exit', 'c'].map((request) => pool.ask(request)),
    );
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });
});

describe('a dimmed background', () => {
  const picture = async (
    background: string,
    dialog: { color: string; left: number; top: number; width: number; height: number },
  ) => {
    const { color, left, top, width, height } = dialog;
    const data = await sharp({ create: { width: 780, height: 1688, channels: 3, background } })
      .composite([{ input: { create: { width, height, channels: 3, background: color } }, left, top }])
      .removeAlpha()
      .raw()
      .toBuffer();
    return { rgb: data, width: 780, height: 1688 };
  };

  test('is told from the dialog in front of it', async () => {
    const dialog = { color: '#ffffff', left: 80, top: 640, width: 620, height: 400 };
    const front = undimmedPart(await picture('#808080', dialog));
    expect(front).toEqual({ left: 80, top: 640, right: 704, bottom: 1040 });
  });

  test('is not seen in a light page with a card, nor in a plain page', async () => {
    const card = { color: '#ffffff', left: 80, top: 640, width: 620, height: 400 };
    expect(undimmedPart(await picture('#e8eaed', card))).toBeUndefined();
    expect(undimmedPart(await picture('#ffffff', { ...card, color: '#808080' }))).toBeUndefined();
    expect(undimmedPart(await picture('#101010', { ...card, color: '#101010' }))).toBeUndefined();
  });
});
