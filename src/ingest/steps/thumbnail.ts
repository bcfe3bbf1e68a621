import type { Step } from '../step.ts';
import { renderWebp, STORED_FILE } from '../stored-file.ts';

const LONG_SIDE_PIXELS = 480;

export const thumbnailStep: Step<'thumbnail'> = {
  name: 'thumbnail',
  description: 'Make the small picture for lists, at most 480 pixels long',
  schema: STORED_FILE,
  run: async (image) =>
    renderWebp(await image.pixels(), { prefix: 'thumbs/', longSide: LONG_SIDE_PIXELS, quality: 75 }),
};
