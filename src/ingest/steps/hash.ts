import { z } from 'zod';
import { perceptualHash } from '../perceptual-hash.ts';
import type { Step } from '../step.ts';

export const hashStep: Step<'hash'> = {
  name: 'hash',
  description: 'Compute the perceptual hash that finds near-duplicates',
  schema: z.string().regex(/^[0-9a-f]{16}$/),
  run: async (image) => ({ result: await perceptualHash(await image.pixels()) }),
};
