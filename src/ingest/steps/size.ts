import { z } from 'zod';
import type { Step } from '../step.ts';

export const sizeStep: Step<'size'> = {
  name: 'size',
  description: 'Decode the image and measure it as it is displayed',
  schema: z.object({ width: z.int().positive(), height: z.int().positive() }),
  async run(image) {
    const { width, height } = await image.pixels();
    return { result: { width, height } };
  },
};
