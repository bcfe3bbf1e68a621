/**
 * Digits as bitmaps of 5 × 7, a row each from the top, its highest bit on the left. Drawn here rather than set in type, so
 * that numbers on pictures look the same on a machine without any font.
 */
const DIGITS: readonly (readonly number[])[] = [
  [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
  [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
  [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
  [0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110],
  [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
  [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
  [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
  [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
  [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
  [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
];

const DIGIT_WIDTH = 5;
const DIGIT_HEIGHT = 7;
/** A digit and the gap after it. */
const ADVANCE = DIGIT_WIDTH + 1;
/** Of the badge around the number, in bitmap pixels. */
const PADDING = 2;
const PIXEL_SCALE = 3;
const INK = 255;
const PAPER = 24;

export const BADGE_HEIGHT_PX = (DIGIT_HEIGHT + 2 * PADDING) * PIXEL_SCALE;

/** Grey pixels, a byte each, row by row. */
export interface Badge {
  data: Uint8Array;
  width: number;
  height: number;
}

/** A number in white on a dark badge. @param value a positive integer */
export function numberBadge(value: number): Badge {
  const digits = Array.from(String(value), (digit) => DIGITS[Number(digit)] ?? []);
  const width = (digits.length * ADVANCE - 1 + 2 * PADDING) * PIXEL_SCALE;
  const data = new Uint8Array(width * BADGE_HEIGHT_PX).fill(PAPER);
  for (let y = 0; y < BADGE_HEIGHT_PX; y += 1) {
    const row = Math.floor(y / PIXEL_SCALE) - PADDING;
    for (let x = 0; x < width; x += 1) {
      const column = Math.floor(x / PIXEL_SCALE) - PADDING;
      const bits = digits[Math.floor(column / ADVANCE)]?.[row] ?? 0;
      if ((bits << (column % ADVANCE)) & (1 << (DIGIT_WIDTH - 1))) data[y * width + x] = INK;
    }
  }
  return { data, width, height: BADGE_HEIGHT_PX };
}
