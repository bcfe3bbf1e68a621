import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Beside a manifest: what a reader found in the images, a line each, so that nothing need be read again. */
export const EXTRACTED_FILE = 'extracted.jsonl';

const LINE = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), readerId: z.string(), text: z.string() });

/** By SHA-256 of the image file. */
export type ExtractedText = ReadonlyMap<string, { readerId: string; text: string }>;

/** Empty without the file. It only saves time: a line that is none is passed over, and its image read. */
export async function readExtracted(folder: string): Promise<ExtractedText> {
  const content = await readFile(join(folder, EXTRACTED_FILE), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    },
  );
  const known = new Map<string, { readerId: string; text: string }>();
  for (const line of content.split('\n')) {
    const parsed = LINE.safeParse(parseJson(line));
    if (parsed.success) {
      known.set(parsed.data.sha256, { readerId: parsed.data.readerId, text: parsed.data.text });
    }
  }
  return known;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
