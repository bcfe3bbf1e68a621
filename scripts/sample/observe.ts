import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';

export interface Observation {
  /** The words that can be seen in the viewport, in document order, with single spaces between. */
  text: string;
  /** `#RRGGBB` of the largest area as painted; null when that is a gradient or a picture. */
  background: string | null;
  /** `#RRGGBB` of what is marked `[data-accent]`, or else of the most saturated button or link. */
  accent: string | null;
}

// It runs in the page, where nothing can be imported: a plain script, so one that tsc and its
// Node types leave alone.
const SCRIPT = readFileSync(join(import.meta.dirname, 'observe-in-page.js'), 'utf8');

/**
 * Reads from the DOM what a person sees: words that are clipped, covered by a dialog, behind a
 * dimming scrim, transparent, or glyphs of an icon font do not count; values and placeholders of
 * fields do. The page is left as it was.
 */
export async function observePage(page: Page): Promise<Observation> {
  const seen = await page.evaluate<Observation>(SCRIPT);
  const viewport = page.viewportSize();
  for (const frame of page.frames().filter(isForeign)) {
    const box = await (await frame.frameElement()).boundingBox();
    if (!box || !viewport) continue;
    const inside = await frame.evaluate<Observation>(SCRIPT);
    seen.text = `${seen.text} ${inside.text}`.trim();
    if (box.width * box.height > (viewport.width * viewport.height) / 2) seen.background = inside.background;
  }
  return seen;
}

/** Whether a frame's origin is another than that of the document around it, which then cannot read it. */
function isForeign(frame: Frame): boolean {
  const parent = frame.parentFrame();
  if (!parent || !/^https?:/.test(frame.url())) return false;
  return new URL(frame.url()).origin !== new URL(parent.url()).origin;
}
