import { parentPort } from 'node:worker_threads';
import { createWorker, OEM, PSM, type Page } from 'tesseract.js';
import { readPicture, type FoundWord } from './read-picture.ts';

/**
 * Runs in a thread of its own, so that a crash of the engine, or an error that tesseract.js leaves unhandled, ends this
 * thread and not the process. Takes an image, answers its text or the message of the error.
 */

/** A message to the thread. The first one starts the engine. */
export interface ReadRequest {
  image: Uint8Array;
  /** Folder of the language data. */
  dataDir: string;
}

export type ReadAnswer = { text: string } | { error: string };

let engine: ReturnType<typeof start> | undefined;

async function start(dataDir: string) {
  const worker = await createWorker('eng', OEM.LSTM_ONLY, {
    langPath: dataDir,
    gzip: true,
    cacheMethod: 'none',
    // Without it an error is thrown where nobody can catch it, besides being given to the caller.
    errorHandler: () => undefined,
  });
  await worker.setParameters({
    tessedit_pageseg_mode: PSM.SINGLE_BLOCK,
    user_defined_dpi: '170',
    debug_file: '/dev/null',
  });
  return worker;
}

function wordsOf({ blocks }: Page): FoundWord[] {
  return (blocks ?? [])
    .flatMap((block) => block.paragraphs)
    .flatMap((paragraph) => paragraph.lines)
    .flatMap((line) => line.words)
    .map(({ text, confidence, bbox }) => ({ text, confidence, y: (bbox.y0 + bbox.y1) / 2 }));
}

async function answer({ image, dataDir }: ReadRequest): Promise<ReadAnswer> {
  try {
    const worker = await (engine ??= start(dataDir));
    const text = await readPicture(image, async (png) => {
      const { data } = await worker.recognize(png, {}, { text: false, blocks: true });
      return wordsOf(data);
    });
    return { text };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

const port = parentPort;
if (port === null) throw new Error('thread.ts runs as a worker thread only');
port.on('message', (request: ReadRequest) => {
  void answer(request).then((result) => port.postMessage(result));
});
