import { z } from 'zod';
import { EngineUnavailableError } from '../../domain/errors.ts';
import type { TextReader } from '../../ports/text-reader.ts';
import type { ExtractedText } from '../extracted-text.ts';
import { RejectedImageError } from '../source-file.ts';
import type { Step } from '../step.ts';

/** Text that is neither known nor can be read is left empty. */
const UNREAD = { readerId: 'none', text: '' };

/** Reads the words of the image, unless the folder brings what the same reader found before. */
export function createTextStep(reader: TextReader | undefined, extracted: ExtractedText): Step<'text'> {
  const readerId = reader?.readerId;
  return {
    name: 'text',
    description: 'Read the words on the screen',
    // Another reader finds other words: what it left in the journal does not count.
    schema: z
      .object({ readerId: z.string(), text: z.string() })
      .refine((known) => readerId === undefined || known.readerId === readerId),
    async run({ bytes, sha256 }) {
      const known = extracted.get(sha256);
      if (known !== undefined && (readerId === undefined || known.readerId === readerId)) {
        return { result: known };
      }
      if (reader === undefined) return { result: UNREAD };
      try {
        const { text } = await reader.read(bytes);
        return { result: { readerId: reader.readerId, text } };
      } catch (error) {
        if (!(error instanceof EngineUnavailableError)) throw error;
        const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
        const reason = `could not be read: ${error.message}${cause} The same ingest again retries it`;
        throw new RejectedImageError(reason, { cause: error });
      }
    },
  };
}
