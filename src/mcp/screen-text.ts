import { z } from 'zod';
import type { Screen } from '../domain/screen.ts';
import type { FoundScreen } from '../library/page-of-hits.ts';

const EXCERPT_CHARACTERS = 140;
/** A screen with more text than this is a document; the rest of it helps nobody to choose. */
const MAX_CAPTION_CHARACTERS = 4000;
/** A screen has a handful; a manifest may list dozens. */
const MAX_PATTERNS_SHOWN = 12;

export const detailArgument = z
  .enum(['compact', 'full'])
  .default('compact')
  .describe('full adds image addresses, size, colours, all text.');

/** A screen in an answer: what helps to choose, and with detail full also the rest of what is known. */
export const screenSchema = z.object({
  id: z.string(),
  appId: z.string(),
  platform: z.string(),
  pattern: z.array(z.string()),
  excerpt: z.string().optional().describe('Beginning of its text.'),
  imageUrl: z.string().optional(),
  thumbUrl: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  dominantColors: z.array(z.string()).optional(),
  captionText: z.string().optional(),
  pHash: z.string().optional(),
  embeddingId: z.string().optional(),
  capturedAt: z.string().optional(),
});

export const foundScreenSchema = screenSchema.extend({
  score: z.number().describe('0–1'),
  matched: z.array(z.string()),
  alike: z.array(z.string()).optional().describe('Near-duplicates folded into this hit.'),
});

type ShownScreen = z.output<typeof screenSchema>;
type Detail = z.output<typeof detailArgument>;

export function showScreen(screen: Screen, detail: Detail): ShownScreen {
  const { id, appId, platform } = screen;
  const pattern = screen.pattern.slice(0, MAX_PATTERNS_SHOWN);
  if (detail === 'full') {
    const { captionText, ...rest } = screen;
    return {
      ...rest,
      pattern,
      ...(captionText === undefined ? {} : { captionText: cutCaption(captionText) }),
    };
  }
  const excerpt = excerptOf(screen);
  return { id, appId, platform, pattern, ...(excerpt === undefined ? {} : { excerpt }) };
}

/** As many near-duplicates as anyone would name. */
const MAX_ALIKE_SHOWN = 10;

export function showFound(
  { screen, score, matched, alike }: FoundScreen,
  detail: Detail,
): z.output<typeof foundScreenSchema> {
  return {
    ...showScreen(screen, detail),
    score,
    matched,
    ...(alike.length === 0 ? {} : { alike: alike.slice(0, MAX_ALIKE_SHOWN) }),
  };
}

/** One hit as a numbered line, with the beginning of its text below; with detail full, the rest of it too. */
export function foundLine(hit: FoundScreen, number: number, detail: Detail): string {
  const { screen, score, matched, alike } = hit;
  const why = matched.length === 0 ? '' : ` · ${score.toFixed(2)} (${matched.join(', ')})`;
  const folded = alike.length === 0 ? '' : ` · also ${alike.slice(0, MAX_ALIKE_SHOWN).join(', ')}`;
  const lines = [`${number}. ${screenLine(screen)}${why}${folded}`];
  if (detail === 'full') lines.push(...factLines(screen));
  else lines.push(...(excerptOf(screen) ?? '').split('\n').filter((line) => line !== ''));
  return lines.join('\n   ');
}

/** The beginning of the screen's text on one line. Undefined when it has none. */
export function excerptOf(screen: Screen): string | undefined {
  const text = screen.captionText?.replace(/\s+/g, ' ').trim();
  return text === undefined || text === '' ? undefined : cut(text, EXCERPT_CHARACTERS);
}

/** One line: what it is, enough to choose by. */
export function screenLine(screen: Pick<Screen, 'id' | 'appId' | 'platform' | 'pattern'>): string {
  const patterns = screen.pattern.slice(0, MAX_PATTERNS_SHOWN).join(', ');
  return `${screen.id} · ${screen.appId} · ${screen.platform} · ${patterns}`;
}

/** Everything beyond that line. */
export function factLines(screen: Screen): string[] {
  return [
    `${screen.width}×${screen.height}, captured ${screen.capturedAt.slice(0, 10)}, colours ${screen.dominantColors.join(' ')}`,
    `Image: ${screen.imageUrl}`,
    ...(screen.captionText === undefined
      ? []
      : [`Text: ${cutCaption(screen.captionText).replace(/\s+/g, ' ')}`]),
  ];
}

export function cutCaption(text: string): string {
  return cut(text, MAX_CAPTION_CHARACTERS);
}

function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters).trimEnd()}…`;
}
