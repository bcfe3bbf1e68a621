/** A rectangle of pixels; `right` and `bottom` lie outside. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Pixels as displayed: sRGB, transparency on white; three bytes each, row by row. */
export interface Picture {
  rgb: Uint8Array;
  width: number;
  height: number;
}

/** How much each pixel stands out from its surroundings, 0 to 255, whatever is dark and what is light. */
export interface Ink {
  level: Uint8Array;
  width: number;
  height: number;
}

/** From this level on a pixel belongs to a shape. */
export const INK_LEVEL = 110;

export function heightOf({ top, bottom }: Box): number {
  return bottom - top;
}

export function widthOf({ left, right }: Box): number {
  return right - left;
}

export function centerIsIn(box: Box, other: Box): boolean {
  const x = (box.left + box.right) / 2;
  const y = (box.top + box.bottom) / 2;
  return x > other.left && x < other.right && y > other.top && y < other.bottom;
}

/** How many rows two boxes have in common; negative when there is a gap. */
export function sharedRows(one: Box, other: Box): number {
  return Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
}

export function around(boxes: readonly Box[]): Box {
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    top: Math.min(...boxes.map(({ top }) => top)),
    right: Math.max(...boxes.map(({ right }) => right)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
