import sharp from 'sharp';
import { centerIsIn, median, type Box, type Ink, type Picture } from './box.ts';
import { eraseRules, FAR, inkOf, NEAR } from './ink.ts';
import { openLabels } from './labels.ts';
import { letterHeight, linesOf, type Line } from './lines.ts';
import { layOut, rowAt } from './rows.ts';
import { undimmedPart } from './scrim.ts';
import { shapesOf } from './shapes.ts';

/** Raise it with every change that reads any picture otherwise. */
export const RECIPE_VERSION = 1;

const MAX_PIXELS = 40e6;
/** After scaling: beyond it a picture of small print is read as it is. */
const MAX_SCALED_PIXELS = 12e6;
/** Small letters of other heights, in pixels, are scaled to the usual one before anything is read. */
const MIN_LETTER_HEIGHT = 8;
const USUAL_LETTER_HEIGHT = 13;
const MAX_LETTER_HEIGHT = 22;
/** With fewer lines a picture has no usual letters. */
const MIN_LINES = 3;
/** Smaller letters than these are left to the near window. */
const MIN_HEADLINE_HEIGHT = 28;

/** Of 100. */
const MIN_CONFIDENCE = 60;
/** Icons read like one or two letters. */
const MIN_CONFIDENCE_SHORT = 85;
const SHORT_WORD_CHARS = 2;
/** The three dots of a menu and the teeth of a drawing read like this; "iii" and "www" are words. */
const ORNAMENT = /^([^\W\d_iwx])\1{2,}$/iu;
/** What a word counts for beyond it decides which of two readings of one place is taken. */
const WORTHLESS_CONFIDENCE = 50;

const PHONE_ASPECT = 1.5;
const STATUS_BAR_HEIGHT = 0.05;
const CLOCK = /^\d{1,2}:\d\d$/;

/** A word that the network found on a page. */
export interface FoundWord {
  text: string;
  /** 0 to 100. */
  confidence: number;
  /** The middle, from the top of the page. */
  y: number;
}

/** Reads one column of lines, in order. */
export type Recognize = (png: Buffer) => Promise<FoundWord[]>;

interface ReadLine {
  line: Line;
  ink: Ink;
  isHeadline: boolean;
  words: FoundWord[];
}

/**
 * Reads the words of a picture of a user interface. Tesseract is made for pages: columns of black text on white. So the
 * lines are found here, whatever their colours, and given to it as such a page.
 *
 * @returns lines from top to bottom, each from left to right, separated by line feeds
 */
export async function readPicture(image: Uint8Array, recognize: Recognize): Promise<string> {
  const picture = await withUsualLetters(await decode(image));
  const lines = await findLines(picture);
  if (lines.length === 0) return '';
  const { png, tops } = await layOut(lines);
  for (const word of await recognize(png)) lines[rowAt(tops, word.y)]!.words.push(word);
  return textOf(withoutStatusIcons(withoutDoubles(lines), picture));
}

async function decode(image: Uint8Array): Promise<Picture> {
  const { data, info } = await sharp(image, { limitInputPixels: MAX_PIXELS })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { rgb: data, width: info.width, height: info.height };
}

/** Scales the picture where its letters are much larger or smaller than usual: another screen density. */
async function withUsualLetters(picture: Picture): Promise<Picture> {
  const { rgb, width, height } = picture;
  const { lines } = await linesWithin(picture);
  if (lines.length < MIN_LINES) return picture;
  const letters = median(lines.map(letterHeight));
  if (letters >= MIN_LETTER_HEIGHT && letters <= MAX_LETTER_HEIGHT) return picture;
  const most = Math.sqrt(MAX_SCALED_PIXELS / (width * height));
  const scale = Math.min(USUAL_LETTER_HEIGHT / letters, Math.max(1, most));
  const { data, info } = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize(Math.round(width * scale), Math.round(height * scale), { fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { rgb: data, width: info.width, height: info.height };
}

async function linesWithin(picture: Picture): Promise<{ lines: Line[]; ink: Ink }> {
  const ink = await inkOf(picture, NEAR);
  eraseRules(ink);
  return { lines: linesOf(openLabels(picture, ink, shapesOf(ink)), NEAR), ink };
}

async function findLines(picture: Picture): Promise<ReadLine[]> {
  const near = await linesWithin(picture);
  const farInk = await inkOf(picture, FAR);
  const headlines = linesOf(shapesOf(farInk), FAR).filter(
    (line) => letterHeight(line) >= MIN_HEADLINE_HEIGHT,
  );
  const front = undimmedPart(picture);
  const isShown = (line: Box): boolean =>
    front === undefined || centerIsIn(line, front) || isInStatusBar(line, picture);
  return [
    ...near.lines.map((line) => ({ line, ink: near.ink, isHeadline: false, words: [] })),
    ...headlines.map((line) => ({ line, ink: farInk, isHeadline: true, words: [] })),
  ].filter(({ line }) => isShown(line));
}

/** Both windows may have found a line at the same place: the reading that is surer of more letters stays. */
function withoutDoubles(lines: readonly ReadLine[]): ReadLine[] {
  const dropped = new Set<ReadLine>();
  const body = lines.filter((line) => !line.isHeadline);
  for (const headline of lines.filter((line) => line.isHeadline)) {
    const doubles = body.filter(
      ({ line }) => centerIsIn(line, headline.line) || centerIsIn(headline.line, line),
    );
    const worth = doubles.reduce((sum, double) => sum + worthOf(double), 0);
    if (doubles.length === 0) continue;
    for (const lost of worthOf(headline) >= worth ? doubles : [headline]) dropped.add(lost);
  }
  return lines.filter((line) => !dropped.has(line));
}

function worthOf({ words }: ReadLine): number {
  return words.reduce(
    (sum, { text, confidence }) => sum + lengthOf(text) * Math.max(0, confidence - WORTHLESS_CONFIDENCE),
    0,
  );
}

/** Beside the clock at the top of a phone's screen stand signal and battery, which read like letters. */
function withoutStatusIcons(lines: readonly ReadLine[], picture: Picture): ReadLine[] {
  const clock = lines.find(
    ({ line, words }) =>
      isInStatusBar(line, picture) &&
      line.right < picture.width / 2 &&
      CLOCK.test(words.map(({ text }) => text).join('')),
  )?.line;
  if (clock === undefined) return [...lines];
  return lines.filter(
    ({ line }) =>
      line === clock || line.left < picture.width / 2 || line.top > clock.bottom || line.bottom < clock.top,
  );
}

function isInStatusBar(line: Box, { width, height }: Picture): boolean {
  return height > PHONE_ASPECT * width && line.top < STATUS_BAR_HEIGHT * height;
}

function textOf(lines: readonly ReadLine[]): string {
  return lines
    .toSorted((a, b) => a.line.top - b.line.top || a.line.left - b.line.left)
    .map(({ words }) =>
      words
        .filter(isCertain)
        .map(({ text }) => text)
        .join(' '),
    )
    .filter((line) => line !== '')
    .join('\n');
}

function isCertain({ text, confidence }: FoundWord): boolean {
  const length = lengthOf(text);
  if (ORNAMENT.test(text)) return false;
  return length > 0 && confidence >= (length <= SHORT_WORD_CHARS ? MIN_CONFIDENCE_SHORT : MIN_CONFIDENCE);
}

/** Letters and digits; a word without any is none. */
function lengthOf(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
