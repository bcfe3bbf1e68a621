import { z } from 'zod';
import { dominantColors } from '../dominant-colors.ts';
import type { Step } from '../step.ts';

export const colorsStep: Step<'colors'> = {
  name: 'colors',
  description: 'Find the dominant colours and the share of the area that each covers',
  schema: z.array(z.object({ hex: z.string().regex(/^#[0-9A-F]{6}$/), share: z.number().min(0).max(1) })),
  run: async (image) => ({ result: dominantColors(await image.pixels()) }),
};
