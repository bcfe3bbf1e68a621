import { PRIVATE_PREFIX } from '../../ports/image-store.ts';
import { sniffFormat } from '../decode.ts';
import type { Step } from '../step.ts';
import { keyOf, STORED_FILE } from '../stored-file.ts';

export const originalStep: Step<'original'> = {
  name: 'original',
  description: 'Keep the file as it came, for downloads',
  schema: STORED_FILE,
  async run({ bytes, sha256 }) {
    const format = sniffFormat(bytes);
    const key = keyOf(PRIVATE_PREFIX, sha256, format === 'jpeg' ? 'jpg' : format);
    return { result: { key }, file: { body: bytes, contentType: `image/${format}` } };
  },
};
