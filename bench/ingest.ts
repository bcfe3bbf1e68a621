import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createIngest } from '../src/ingest/ingest.ts';
import { openLibrary } from '../src/wire.ts';
import { printTable, ratio } from './measure.ts';

const SAMPLE_DIR = join(import.meta.dirname, '../sample');
const EVERY_NTH_SCREEN = 6;

interface Manifest {
  apps: unknown[];
  screens: { file: string }[];
}

/** Seconds an image of an ingest, with and without reading the text, over every sixth screen of the sample. */
export async function benchIngest(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  try {
    const { folder, count } = await copyPart(dir);
    const without = await secondsOf(folder, join(dir, 'without'), false);
    const withText = await secondsOf(folder, join(dir, 'with'), true);
    const each = (seconds: number) => `${(seconds / count).toFixed(2)} s`;
    printTable(
      ['images', 'without OCR, an image', 'with OCR, an image', 'with / without'],
      [[String(count), each(without), each(withText), ratio(withText, without)]],
    );
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** The recognised text that ships with the sample stays behind, so that there is something to read. */
async function copyPart(dir: string): Promise<{ folder: string; count: number }> {
  const folder = join(dir, 'part');
  const manifest = JSON.parse(await readFile(join(SAMPLE_DIR, 'manifest.json'), 'utf8')) as Manifest;
  const screens = manifest.screens.filter((_, index) => index % EVERY_NTH_SCREEN === 0);
  for (const { file } of screens) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(SAMPLE_DIR, file), join(folder, file));
  }
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ apps: manifest.apps, screens, flows: [] }));
  return { folder, count: screens.length };
}

async function secondsOf(folder: string, dataDir: string, withText: boolean): Promise<number> {
  const open = await openLibrary({
    dataDir,
    storageUrl: 'http://127.0.0.1/files',
    embeddingModel: 'builtin',
    ocrWorkers: 1,
  });
  const reader = withText ? await open.openTextReader() : undefined;
  try {
    const { catalogue, journal } = open.stores;
    const start = performance.now();
    await createIngest({ catalogue, journal, images: open.images, reader }).run(folder, {});
    return (performance.now() - start) / 1000;
  } finally {
    await reader?.close();
    await open.close();
  }
}
