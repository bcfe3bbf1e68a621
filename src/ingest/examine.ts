import type { ImageStore } from '../ports/image-store.ts';
import type { IngestJournal } from '../ports/ingest-journal.ts';
import { RejectedImageError } from './source-file.ts';
import type { AnyStep, ImageFacts, SourceImage, Step, StepName, StoredFile } from './step.ts';

interface Tools {
  journal: IngestJournal;
  images: ImageStore;
}

/**
 * Finds out everything about an image, taking over what an interrupted run has in the journal. A file is written after
 * its key is in the journal, so that no file is ever without a record or a journal entry.
 * Throws RejectedImageError when the image cannot go in.
 */
export async function examine(
  image: SourceImage,
  steps: readonly AnyStep[],
  { journal, images }: Tools,
): Promise<ImageFacts> {
  const done = await journal.read(image.sha256);
  const facts: Partial<Record<StepName, unknown>> = {};
  for (const step of steps as readonly Step[]) {
    const known = step.schema.safeParse(done[step.name]);
    if (known.success && (await filesArePresent(known.data, images))) {
      facts[step.name] = known.data;
      continue;
    }
    const { result, file } = await runStep(step, image);
    await journal.write(image.sha256, step.name, result);
    if (file !== undefined) await images.put((result as StoredFile).key, file.body, file.contentType);
    facts[step.name] = result;
  }
  return facts as ImageFacts;
}

async function filesArePresent(result: unknown, images: ImageStore): Promise<boolean> {
  const isFile = typeof result === 'object' && result !== null && 'key' in result;
  return !isFile || images.has((result as StoredFile).key);
}

async function runStep(step: Step, image: SourceImage) {
  try {
    return await step.run(image);
  } catch (error) {
    if (error instanceof RejectedImageError) throw error;
    // One strange image must not end the ingest of all the others.
    const message = error instanceof Error ? error.message : String(error);
    throw new RejectedImageError(`failed at the step "${step.description}": ${message}`, { cause: error });
  }
}
