import { z } from 'zod';
import type { Screen } from '../domain/screen.ts';

const EXCERPT_CHARACTERS = 140;

/** The members of a screen that help to choose among many. */
export const compactScreenSchema = z.object({
  id: z.string(),
  appId: z.string(),
  platform: z.string(),
  pattern: z.array(z.string()),
  excerpt: z.string().optional().describe('Beginning of the text on the screen.'),
});

/** Everything known of a screen, as the REST API answers it. */
export const fullScreenSchema = z.object({
  id: z.string(),
  appId: z.string(),
  platform: z.string(),
  pattern: z.array(z.string()),
  imageUrl: z.string(),
  thumbUrl: z.string(),
  width: z.number(),
  height: z.number(),
  dominantColors: z.array(z.string()),
  captionText: z.string().optional(),
  pHash: z.string().optional(),
  embeddingId: z.string().optional(),
  capturedAt: z.string(),
});

export function compactScreen(screen: Screen): z.output<typeof compactScreenSchema> {
  const excerpt = excerptOf(screen);
  return {
    id: screen.id,
    appId: screen.appId,
    platform: screen.platform,
    pattern: screen.pattern,
    ...(excerpt === undefined ? {} : { excerpt }),
  };
}

/** The beginning of the screen's text on one line. Undefined when it has none. */
export function excerptOf(screen: Screen): string | undefined {
  const text = screen.captionText?.replace(/\s+/g, ' ').trim();
  if (text === undefined || text === '') return undefined;
  return text.length <= EXCERPT_CHARACTERS ? text : `${text.slice(0, EXCERPT_CHARACTERS).trimEnd()}…`;
}

/** One line: what it is, enough to choose by. */
export function screenLine(screen: Screen): string {
  return `${screen.id} · ${screen.appId} · ${screen.platform} · ${screen.pattern.join(', ')}`;
}
