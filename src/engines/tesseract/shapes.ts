import { INK_LEVEL, type Box, type Ink } from './box.ts';
import { createDisjointSets } from './disjoint-sets.ts';

/** Inked pixels that touch one another, also at corners. */
export interface Shape extends Box {
  /** Inked pixels. */
  area: number;
}

interface Run {
  from: number;
  to: number;
  label: number;
}

/** Connected components, run by run (Rosenfeld and Pfaltz, 1966). */
export function shapesOf({ level, width, height }: Ink): Shape[] {
  const shapes: Shape[] = [];
  const sets = createDisjointSets();
  const join = (one: number, other: number): number => {
    const kept = sets.join(one, other);
    grow(shapes[kept]!, shapes[one === kept ? other : one]!);
    return kept;
  };

  let above: Run[] = [];
  for (let y = 0; y < height; y += 1) {
    const runs: Run[] = [];
    let first = 0;
    for (let x = 0; x < width; x += 1) {
      if (level[y * width + x]! < INK_LEVEL) continue;
      const from = x;
      while (x < width && level[y * width + x]! >= INK_LEVEL) x += 1;
      while (first < above.length && above[first]!.to < from) first += 1;
      let label: number | undefined;
      for (let index = first; index < above.length && above[index]!.from <= x; index += 1) {
        const root = sets.find(above[index]!.label);
        label = label === undefined || label === root ? root : join(label, root);
      }
      const run: Shape = { left: from, top: y, right: x, bottom: y + 1, area: x - from };
      if (label === undefined) {
        label = sets.add();
        shapes.push(run);
      } else grow(shapes[label]!, run);
      runs.push({ from, to: x, label });
    }
    above = runs;
  }
  return shapes.filter((_, label) => sets.find(label) === label);
}

function grow(shape: Shape, by: Shape): void {
  shape.left = Math.min(shape.left, by.left);
  shape.top = Math.min(shape.top, by.top);
  shape.right = Math.max(shape.right, by.right);
  shape.bottom = Math.max(shape.bottom, by.bottom);
  shape.area += by.area;
}
