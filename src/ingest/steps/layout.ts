import { z } from 'zod';
import { LAYOUT_SIZE, layoutOf } from '../layout.ts';
import type { Step } from '../step.ts';

const BASE64_CHARS = (LAYOUT_SIZE / 3) * 4;

export const layoutStep: Step<'layout'> = {
  name: 'layout',
  description: 'Describe where lines, blocks and pictures sit, for finding similar layouts',
  schema: z.base64().length(BASE64_CHARS),
  async run(image) {
    const layout = await layoutOf(await image.pixels());
    return { result: Buffer.from(layout.buffer).toString('base64') };
  },
};

/** The layout vector that the step's result stands for. */
export function layoutFrom(base64: string): Int8Array {
  return new Int8Array(Buffer.from(base64, 'base64'));
}
