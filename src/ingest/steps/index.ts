import type { TextReader } from '../../ports/text-reader.ts';
import type { ExtractedText } from '../extracted-text.ts';
import type { AnyStep } from '../step.ts';
import { colorsStep } from './colors.ts';
import { hashStep } from './hash.ts';
import { layoutStep } from './layout.ts';
import { originalStep } from './original.ts';
import { renditionStep } from './rendition.ts';
import { sizeStep } from './size.ts';
import { createTextStep } from './text.ts';
import { thumbnailStep } from './thumbnail.ts';

/**
 * Everything that is found out about an image, in this order: what can reject it comes first, the longest last.
 *
 * @param reader absent: nothing is read but what `extracted` knows already
 */
export function createSteps(reader: TextReader | undefined, extracted: ExtractedText): readonly AnyStep[] {
  return [
    sizeStep,
    originalStep,
    renditionStep,
    thumbnailStep,
    colorsStep,
    hashStep,
    layoutStep,
    createTextStep(reader, extracted),
  ];
}
