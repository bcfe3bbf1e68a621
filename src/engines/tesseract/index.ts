import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EngineUnavailableError } from '../../domain/errors.ts';
import type { TextReader } from '../../ports/text-reader.ts';
import { RECIPE_VERSION } from './read-picture.ts';
import { createThreadPool, ThreadError } from './thread-pool.ts';
import type { ReadAnswer, ReadRequest } from './thread.ts';

const ENGINE = 'Text recognition';
const DEFAULT_TIMEOUT_MS = 60_000;
const LANGUAGE_DATA = '4.0.0_best_int';

const require = createRequire(import.meta.url);

/**
 * Reads English text in pictures of user interfaces by tesseract.js, without a network: its language data is an npm
 * package.
 *
 * @param workers how many pictures are read at a time; each takes a core and some 200 MB
 * @param timeoutMs for one picture; what has not answered by then is ended and replaced
 * Throws EngineUnavailableError when the language data is not installed.
 */
export async function createTesseractReader(options: {
  workers: number;
  timeoutMs?: number;
}): Promise<TextReader> {
  const dataDir = join(dirname(require.resolve('@tesseract.js-data/eng/package.json')), LANGUAGE_DATA);
  // tesseract.js waits for ever where the file is missing.
  await access(join(dataDir, 'eng.traineddata.gz')).catch((cause: unknown) => {
    throw new EngineUnavailableError(ENGINE, { cause });
  });
  const { version } = require('tesseract.js/package.json') as { version: string };
  const pool = createThreadPool<ReadRequest, ReadAnswer>({
    script: new URL('thread.ts', import.meta.url),
    size: options.workers,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  });
  return {
    readerId: `tesseract.js ${version}, eng ${LANGUAGE_DATA}, recipe ${RECIPE_VERSION}`,
    async read(image, signal) {
      const answer = await pool.ask({ image, dataDir }, signal).catch((error: unknown) => {
        if (error instanceof ThreadError) throw new EngineUnavailableError(ENGINE, { cause: error });
        throw error;
      });
      if ('error' in answer) throw new EngineUnavailableError(ENGINE, { cause: new Error(answer.error) });
      return { text: answer.text };
    },
    close: () => pool.close(),
  };
}
