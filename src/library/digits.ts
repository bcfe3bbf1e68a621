/**
 * Digits as line drawings in a box 6 wide and 10 high. Drawn here rather than set in type, so that numbers on pictures
 * look the same on a machine without any font.
 */
const STROKES: Record<string, string> = {
  '0': 'M3 0.5C1 .5 .5 2.5 .5 5S1 9.5 3 9.5 5.5 7.5 5.5 5 5 .5 3 .5Z',
  '1': 'M1 2.3 3.4 .5V9.5',
  '2': 'M.6 2.8C.8 1.3 1.7 .5 3 .5S5.4 1.4 5.4 2.9C5.4 5.2 .6 6.6 .6 9.5H5.6',
  '3': 'M.7 1.9C1.1 1 1.9 .5 3 .5 4.4 .5 5.2 1.4 5.2 2.6S4.3 4.7 2.6 4.7C4.4 4.7 5.5 5.6 5.5 7.1S4.4 9.5 3 9.5C1.7 9.5 .8 8.9 .5 7.7',
  '4': 'M4.2 9.5V.5L.5 6.8H5.7',
  '5': 'M5.1 .5H1.3L.9 4.6C1.4 4 2.2 3.7 3 3.7 4.5 3.7 5.5 4.9 5.5 6.5S4.5 9.5 3 9.5C1.8 9.5 .9 8.9 .5 7.9',
  '6': 'M5 1.6C4.5 .9 3.9 .5 3.1 .5 1.4 .5 .5 2.6 .5 5.8 .5 8 1.4 9.5 3.1 9.5 4.5 9.5 5.5 8.3 5.5 6.7S4.5 4 3.1 4C1.9 4 .9 4.8 .5 5.9',
  '7': 'M.5 .5H5.5L2.2 9.5',
  '8': 'M3 4.7C1.6 4.7 .8 3.8 .8 2.6S1.6 .5 3 .5 5.2 1.4 5.2 2.6 4.4 4.7 3 4.7ZM3 4.7C1.5 4.7 .5 5.7 .5 7.1S1.5 9.5 3 9.5 5.5 8.5 5.5 7.1 4.5 4.7 3 4.7Z',
  '9': 'M1 8.4C1.5 9.1 2.1 9.5 2.9 9.5 4.6 9.5 5.5 7.4 5.5 4.2 5.5 2 4.6 .5 2.9 .5 1.5 .5 .5 1.7 .5 3.3S1.5 6 2.9 6C4.1 6 5.1 5.2 5.5 4.1',
};

const ADVANCE = 8;

/** SVG of a number in white on a dark rounded badge. `height` in pixels; the width follows from the digits. */
export function numberBadge(value: number, height: number): { svg: string; width: number } {
  const digits = String(value);
  const scale = (height * 0.58) / 10;
  const textWidth = (digits.length * ADVANCE - 2) * scale;
  const width = Math.round(Math.max(height, textWidth + height * 0.7));
  const left = (width - textWidth) / 2;
  const top = height * 0.21;
  const glyphs = Array.from(
    digits,
    (digit, index) =>
      `<path transform="translate(${left + index * ADVANCE * scale} ${top}) scale(${scale})" d="${STROKES[digit] ?? ''}"/>`,
  ).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="${height / 4}" fill="#111827"/><g fill="none" stroke="#fff" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${glyphs}</g></svg>`;
  return { svg, width };
}
