import type { Step } from '../step.ts';
import { renderWebp, STORED_FILE } from '../stored-file.ts';

const LONG_SIDE_PIXELS = 1600;

export const renditionStep: Step<'rendition'> = {
  name: 'rendition',
  description: 'Make the public picture, at most 1600 pixels long',
  schema: STORED_FILE,
  run: async (image) =>
    renderWebp(await image.pixels(), { prefix: 'images/', longSide: LONG_SIDE_PIXELS, quality: 82 }),
};
