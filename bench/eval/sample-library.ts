import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIngest } from '../../src/ingest/ingest.ts';
import { indexPending } from '../../src/library/index-pending.ts';
import { INDEX_TARGETS } from '../../src/ports/catalogue.ts';
import { openLibrary, type OpenLibrary } from '../../src/wire.ts';

const SAMPLE_DIR = join(import.meta.dirname, '../../sample');

/** The sample in a library of its own, taken in as at a first start, removed when closed. */
export interface SampleLibrary extends Pick<OpenLibrary, 'library' | 'close'> {
  /** Every screen of the sample. */
  screens: readonly SampleScreen[];
}

export interface SampleScreen {
  id: string;
  appId: string;
  /** Drawn for the sample; the others were captured from real applications. */
  drawn: boolean;
}

/** @param embeddingModel as the setting EMBEDDING_MODEL */
export async function openSampleLibrary(embeddingModel: string): Promise<SampleLibrary> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vitrine-eval-'));
  const storageUrl = 'http://localhost/files';
  const open = await openLibrary({ dataDir, storageUrl, embeddingModel, ocrWorkers: 1 });
  const close = async () => {
    await open.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const { stores, images, library } = open;
    const { catalogue, journal } = stores;
    const report = await createIngest({ catalogue, journal, images, reader: undefined }).run(SAMPLE_DIR, {});
    if (report.rejects.length > 0) throw new Error(`The sample is not sound: ${report.rejects[0]?.reason}`);
    for (const target of INDEX_TARGETS) await indexPending(library, target);
    return { library, screens: await screensOf(catalogue), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const PAGE = 1000;

async function screensOf(catalogue: OpenLibrary['stores']['catalogue']): Promise<SampleScreen[]> {
  const listed = await catalogue.list(undefined, PAGE);
  const records = await catalogue.screens(listed.map(({ id }) => id));
  // Of the sample, whatever is not of the web is drawn.
  return records.map(({ id, appId, platform }) => ({ id, appId, drawn: platform !== 'WEB' }));
}
