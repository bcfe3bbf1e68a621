import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTesseractReader } from '../../src/engines/tesseract/index.ts';
import { EXTRACTED_FILE, readExtracted } from '../../src/ingest/extracted-text.ts';
import { createProgress } from '../progress.ts';
import { readManifest, SAMPLE_DIR } from './manifest.ts';

interface Extracted {
  sha256: string;
  readerId: string;
  text: string;
}

/**
 * The text of every image of the sample by hash, read where `extracted.jsonl` does not have it from the same reader.
 *
 * @param all read every image anew
 * @returns in order of the images' hashes
 */
export async function extractSample({
  all,
}: {
  all: boolean;
}): Promise<{ lines: Extracted[]; read: number }> {
  const known = await readExtracted(SAMPLE_DIR);
  const reader = await createTesseractReader({ workers: 1 });
  try {
    const images = new Map(
      readManifest().screens.map(({ file }) => {
        const image = readFileSync(join(SAMPLE_DIR, file));
        return [createHash('sha256').update(image).digest('hex'), image] as const;
      }),
    );
    const progress = createProgress('images', images.size);
    const lines: Extracted[] = [];
    let read = 0;
    for (const [sha256, image] of images) {
      const before = all ? undefined : known.get(sha256);
      let text = before?.readerId === reader.readerId ? before.text : undefined;
      if (text === undefined) {
        ({ text } = await reader.read(image));
        read += 1;
      }
      lines.push({ sha256, readerId: reader.readerId, text });
      progress.update(lines.length);
    }
    progress.stop();
    return { lines: lines.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1)), read };
  } finally {
    await reader.close();
  }
}

/** Replaces `extracted.jsonl` at once. */
export function writeExtracted(lines: readonly Extracted[]): void {
  const file = join(SAMPLE_DIR, EXTRACTED_FILE);
  writeFileSync(`${file}.tmp`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  renameSync(`${file}.tmp`, file);
}
