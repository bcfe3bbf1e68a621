import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readExtracted } from '../../src/ingest/extracted-text.ts';
import type { ScreenDocument } from '../../src/ports/search-index.ts';
import { SCREEN } from '../../src/ingest/manifest-schema.ts';

const SAMPLE_DIR = join(import.meta.dirname, '../../sample');

/** The screens of the sample as a text index gets them, without colours. */
export async function sampleDocuments(): Promise<ScreenDocument[]> {
  const manifest = JSON.parse(await readFile(join(SAMPLE_DIR, 'manifest.json'), 'utf8')) as {
    screens: unknown[];
  };
  const extracted = await readExtracted(SAMPLE_DIR);
  const documents: ScreenDocument[] = [];
  for (const entry of manifest.screens) {
    const { file, captionText, ...screen } = SCREEN.parse(entry);
    const sha256 = createHash('sha256')
      .update(await readFile(join(SAMPLE_DIR, file)))
      .digest('hex');
    const ocrText = extracted.get(sha256)?.text;
    documents.push({
      ...screen,
      version: 1,
      colors: [],
      ...(captionText === undefined ? {} : { caption: captionText }),
      ...(ocrText === undefined ? {} : { ocrText }),
    });
  }
  return documents;
}
