import { colorCell, packColor } from '../../domain/color.ts';
import { analyze } from '../../domain/text.ts';
import type { ScreenDocument } from '../../ports/search-index.ts';

/** A screen in the fields of index-mappings/screens.json. */
export interface IndexedScreen {
  id: string;
  appId: string;
  pattern: readonly string[];
  platform: string;
  capturedAt: string;
  /** Cells of the RGB cube that hold the colours. */
  cell: string[];
  /** The colours as `packColor` writes them. */
  color: number[];
  /** Caption and OCR text, each as its words between spaces; positions leave a gap between the two. */
  word: string[];
  /** The stem of each word, likewise. */
  stem: string[];
}

/** Throws RangeError for a colour that is none. */
export function indexedScreen(document: ScreenDocument): IndexedScreen {
  const { id, appId, pattern, platform, capturedAt } = document;
  const texts = [document.caption, document.ocrText].map((text) => analyze(text ?? ''));
  const hexes = document.colors.map((color) => color.hex);
  return {
    id,
    appId,
    pattern,
    platform,
    capturedAt,
    cell: [...new Set(hexes.map(cellName))],
    color: hexes.map(packColor),
    word: texts.map((tokens) => tokens.map(({ token }) => token).join(' ')),
    stem: texts.map((tokens) => tokens.map(({ stem }) => stem).join(' ')),
  };
}

function cellName(hex: string): string {
  return String(colorCell(hex));
}
