import sharp from 'sharp';
import { InvalidArgumentError, NotFoundError } from '../domain/errors.ts';
import type { ScreenRecord } from '../domain/screen.ts';
import { composeSheet, type SheetImage } from './contact-sheet.ts';
import type { LibraryPorts } from './ports.ts';
import type { Waiting } from './waiting.ts';

export const MAX_VIEWED_SCREENS = 8;
export type ViewSize = 'small' | 'medium' | 'large';

/** Clients cut answers near 1 MB; base64 adds a third, and text and JSON need room too. */
const MAX_IMAGE_BYTES = 520_000;
const QUALITY = 80;
/** Of libwebp, 0–6: a third of the time of its default, 4, for a quarter more bytes. */
export const WEBP_EFFORT = 1;
/** At the last of these even noise, which no picture is worse than, has under a bit a pixel. */
const COARSER_QUALITIES = [50, 20, 0];
const SHEET_WIDTH_PX: Record<ViewSize, number> = { small: 700, medium: 1000, large: 1500 };
/** Long side of a picture on its own; models scale anything beyond about 1568 px down. */
const SINGLE_LONG_SIDE_PX: Record<ViewSize, number> = { small: 560, medium: 1000, large: 1568 };
const SIZES: readonly ViewSize[] = ['small', 'medium', 'large'];

export interface ViewQuestion {
  /** Screens by id, 1–8, or the steps of a flow. */
  of: { ids: readonly string[] } | { flowId: string; steps?: readonly number[] };
  /** One numbered sheet, or each picture on its own. */
  as: 'sheet' | 'separate';
  size: ViewSize;
}

export interface ScreensView {
  /** In the order shown; the number on the picture is the index + 1. */
  screens: ScreenRecord[];
  /** WebP: one sheet, or one a screen. */
  pictures: Uint8Array[];
  /** The size that was possible within the answer's limit. */
  size: ViewSize;
  /** Ids that no screen has. */
  unknownIds: string[];
  /** Flow steps that were left out because a view holds 8, numbered from 1. */
  furtherSteps: number[];
}

/**
 * Pictures of screens for someone who cannot open addresses. Steps the size down until the answer fits.
 * Throws NotFoundError when nothing asked for exists, InvalidArgumentError for steps that the flow does not have.
 */
export async function viewScreens(
  { catalogue, images }: Pick<LibraryPorts, 'catalogue' | 'images'>,
  question: ViewQuestion,
  waiting: Waiting = {},
): Promise<ScreensView> {
  const { ids, furtherSteps } = await idsOf(catalogue, question.of);
  const screens = await catalogue.screens(ids);
  if (screens.length === 0) throw new NotFoundError('screen', ids[0] ?? '');
  const known = new Set(screens.map((screen) => screen.id));
  const sources = await Promise.all(screens.map((screen) => load(images, screen)));

  const begin = stepsOf(waiting);
  const fitting = await shrinkToFit(question.size, (size, quality) =>
    question.as === 'sheet'
      ? drawSheet(sources, SHEET_WIDTH_PX[size], quality, begin)
      : drawSeparately(sources, SINGLE_LONG_SIDE_PX[size], quality, begin),
  );
  return { screens, ...fitting, unknownIds: ids.filter((id) => !known.has(id)), furtherSteps };
}

async function idsOf(
  catalogue: LibraryPorts['catalogue'],
  of: ViewQuestion['of'],
): Promise<{ ids: readonly string[]; furtherSteps: number[] }> {
  if ('ids' in of) return { ids: [...new Set(of.ids)], furtherSteps: [] };
  const flow = await catalogue.flow(of.flowId);
  if (flow === undefined) throw new NotFoundError('flow', of.flowId);
  const all = flow.screenIds.map((_, index) => index + 1);
  const steps = of.steps ?? all;
  const impossible = steps.filter((step) => !all.includes(step));
  if (impossible.length > 0) {
    const detail = `The flow "${flow.id}" has the steps 1 to ${all.length}; there is no step ${impossible.join(', ')}.`;
    throw new InvalidArgumentError([{ parameter: 'steps', detail }]);
  }
  const shown = steps.slice(0, MAX_VIEWED_SCREENS);
  return {
    ids: shown.map((step) => flow.screenIds[step - 1]!),
    furtherSteps: steps.slice(MAX_VIEWED_SCREENS),
  };
}

async function load(images: LibraryPorts['images'], screen: ScreenRecord): Promise<SheetImage> {
  const stored = await images.get(screen.imageKey);
  if (stored === undefined) throw new Error(`The image of screen ${screen.id} is not in the store.`);
  const { width, height } = await sharp(stored.body).metadata();
  return { body: stored.body, width, height };
}

/** @param left steps that are known to remain, this one among them */
type Begin = (message: string, left: number) => void;

function stepsOf({ signal, onProgress }: Waiting): Begin {
  let done = 0;
  return (message, left) => {
    signal?.throwIfAborted();
    onProgress?.({ done, total: done + left, message });
    done += 1;
  };
}

/** Undefined when it takes too many bytes. */
type Drawn = Uint8Array[] | undefined;

async function drawSheet(
  sources: readonly SheetImage[],
  width: number,
  quality: number,
  begin: Begin,
): Promise<Drawn> {
  begin(`Drawing a sheet of ${sources.length}, ${width} px wide`, 1);
  const sheet = await composeSheet(sources, width, { quality, effort: WEBP_EFFORT });
  return sheet.byteLength <= MAX_IMAGE_BYTES ? [sheet] : undefined;
}

/** One after the other, so that what would not fit is noticed before the last is drawn. */
async function drawSeparately(
  sources: readonly SheetImage[],
  longSide: number,
  quality: number,
  begin: Begin,
): Promise<Drawn> {
  const pictures: Uint8Array[] = [];
  let bytes = 0;
  for (const [index, source] of sources.entries()) {
    begin(`Drawing picture ${index + 1} of ${sources.length}, ${longSide} px`, sources.length - index);
    const picture = await sharp(source.body)
      .resize({ width: longSide, height: longSide, fit: 'inside', withoutEnlargement: true })
      .webp({ quality, effort: WEBP_EFFORT })
      .toBuffer();
    bytes += picture.byteLength;
    if (bytes > MAX_IMAGE_BYTES) return undefined;
    pictures.push(picture);
  }
  return pictures;
}

/** From what was wanted down to what is sure to fit: smaller first, coarser when it cannot get smaller. */
function attempts(wanted: ViewSize): { size: ViewSize; quality: number }[] {
  const sizes = SIZES.slice(0, SIZES.indexOf(wanted) + 1).toReversed();
  return [
    ...sizes.map((size) => ({ size, quality: QUALITY })),
    ...COARSER_QUALITIES.map((quality) => ({ size: 'small' as const, quality })),
  ];
}

async function shrinkToFit(
  wanted: ViewSize,
  draw: (size: ViewSize, quality: number) => Promise<Drawn>,
): Promise<{ pictures: Uint8Array[]; size: ViewSize }> {
  for (const { size, quality } of attempts(wanted)) {
    const pictures = await draw(size, quality);
    if (pictures !== undefined) return { pictures, size };
  }
  throw new Error(`No size of these pictures fits into ${MAX_IMAGE_BYTES} bytes.`);
}
