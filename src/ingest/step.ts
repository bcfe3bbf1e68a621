import type { z } from 'zod';
import type { ColorShare } from '../domain/color.ts';
import type { RawImage } from './decode.ts';

/** An image on its way into the library. */
export interface SourceImage {
  /** Of the file, lower-case hexadecimal. */
  sha256: string;
  bytes: Uint8Array;
  /** Decoded at the first call, for all steps together. Throws RejectedImageError for what is no sound image. */
  pixels(): Promise<RawImage>;
}

/** A file in the image store. */
export interface StoredFile {
  key: string;
}

/** What the steps find out about an image, by the step that does. */
export interface ImageFacts {
  size: { width: number; height: number };
  original: StoredFile;
  rendition: StoredFile;
  thumbnail: StoredFile;
  colors: ColorShare[];
  hash: string;
  layout: string;
  text: { readerId: string; text: string };
}

export type StepName = keyof ImageFacts;

/** A step's result, with the file that goes to the image store where it makes one. */
export interface StepResult<Result> {
  result: Result;
  file?: { body: Uint8Array; contentType: string };
}

/** One thing to find out about an image, from nothing but the image. */
export interface Step<Name extends StepName = StepName> {
  name: Name;
  /** What it does, for people. */
  description: string;
  /** What a journal entry must look like to be taken as this step's result. */
  schema: z.ZodType<ImageFacts[Name]>;
  /** Throws RejectedImageError when the image cannot go in. */
  run(image: SourceImage): Promise<StepResult<ImageFacts[Name]>>;
}

/** Any of the steps, each with its own result. */
export type AnyStep = { [Name in StepName]: Step<Name> }[StepName];
