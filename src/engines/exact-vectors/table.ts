import { DEFAULT_COLOR_TOLERANCE, isNear, labOf, squaredReach, type LabColor } from '../../domain/color.ts';
import type { ScreenFilter } from '../../domain/query.ts';
import type { VectorHit } from '../../ports/vector-index.ts';
import type { Payload } from './database.ts';

/** Rows that a new table has room for; it doubles when full. */
const FIRST_CAPACITY = 1024;

/** Vectors of one space in one block of memory, a row a screen, with what filters need beside. */
export interface VectorTable {
  /** Replaces the screen's row. */
  set(screenId: string, vector: Float32Array | Int8Array, payload: Payload): void;
  remove(screenId: string): void;
  /** Exact: every row that passes the filter is compared. Best first; equal scores by screen id. */
  nearest(query: Float32Array, filter: ScreenFilter, limit: number, minScore: number): VectorHit[];
}

/** What a filter looks at, in the form in which it is fastest to look at. */
interface Row {
  screenId: string;
  appId: string;
  platform: string;
  pattern: readonly string[];
  colors: readonly LabColor[];
}

/** @param bytes whether vectors are Int8Array; of these the length is divided out when they are compared */
export function createVectorTable(size: number, { bytes }: { bytes: boolean }): VectorTable {
  const allocate = (rows: number) => (bytes ? new Int8Array(rows * size) : new Float32Array(rows * size));
  let numbers = allocate(FIRST_CAPACITY);
  let lengths = new Float32Array(FIRST_CAPACITY);
  const rows: Row[] = [];
  const places = new Map<string, number>();

  function grow(): void {
    const larger = allocate(rows.length * 2);
    larger.set(numbers);
    numbers = larger;
    const moreLengths = new Float32Array(rows.length * 2);
    moreLengths.set(lengths);
    lengths = moreLengths;
  }

  function set(screenId: string, vector: Float32Array | Int8Array, payload: Payload): void {
    const place = places.get(screenId) ?? rows.length;
    if (place * size >= numbers.length) grow();
    const { appId, platform, pattern, colors } = payload;
    rows[place] = { screenId, appId, platform, pattern, colors: colors.map(labOf) };
    places.set(screenId, place);
    numbers.set(vector, place * size);
    lengths[place] = Math.sqrt(product(numbers, place * size, vector));
  }

  /** The last row takes the place of the one that goes, so that rows stay without gaps. */
  function remove(screenId: string): void {
    const place = places.get(screenId);
    const last = rows.at(-1);
    if (place === undefined || last === undefined) return;
    places.delete(screenId);
    rows.pop();
    if (last.screenId === screenId) return;
    rows[place] = last;
    places.set(last.screenId, place);
    numbers.copyWithin(place * size, rows.length * size, (rows.length + 1) * size);
    lengths[place] = lengths[rows.length] ?? 0;
  }

  /** Four sums at a time keep the processor's multipliers busy; one alone would wait for itself. */
  function product(block: Float32Array | Int8Array, offset: number, other: Float32Array | Int8Array): number {
    let [a, b, c, d] = [0, 0, 0, 0];
    let index = 0;
    for (; index + 3 < size; index += 4) {
      a += block[offset + index]! * other[index]!;
      b += block[offset + index + 1]! * other[index + 1]!;
      c += block[offset + index + 2]! * other[index + 2]!;
      d += block[offset + index + 3]! * other[index + 3]!;
    }
    for (; index < size; index += 1) a += block[offset + index]! * other[index]!;
    return a + b + c + d;
  }

  return {
    set,
    remove,
    nearest(query, filter, limit, minScore) {
      const passes = compileFilter(filter);
      const best = createBest(limit);
      for (let place = 0; place < rows.length; place += 1) {
        const row = rows[place]!;
        const length = lengths[place]!;
        if (length === 0 || (passes !== undefined && !passes(row))) continue;
        const score = product(numbers, place * size, query) / length;
        if (score >= minScore) best.offer(row.screenId, score);
      }
      return best.hits();
    },
  };
}

/** One test for the whole filter; undefined when everything passes. */
function compileFilter(filter: ScreenFilter): ((row: Row) => boolean) | undefined {
  const { appId, platform, pattern, colors, excludeIds } = filter;
  const tests: ((row: Row) => boolean)[] = [];
  if (appId !== undefined) tests.push((row) => row.appId === appId);
  if (platform !== undefined) tests.push((row) => row.platform === platform);
  if (pattern !== undefined) tests.push((row) => row.pattern.some((value) => pattern.includes(value)));
  if (excludeIds !== undefined) {
    const excluded = new Set(excludeIds);
    tests.push((row) => !excluded.has(row.screenId));
  }
  const reach = squaredReach(filter.colorTolerance ?? DEFAULT_COLOR_TOLERANCE);
  for (const wanted of (colors ?? []).map(labOf)) {
    tests.push((row) => row.colors.some((color) => isNear(wanted, color, reach)));
  }
  return tests.length === 0 ? undefined : (row) => tests.every((test) => test(row));
}

/** The best so many of what is offered: a heap whose top is the worst of them. */
function createBest(limit: number): {
  offer: (screenId: string, score: number) => void;
  hits: () => VectorHit[];
} {
  const heap: VectorHit[] = [];
  const isWorse = (one: VectorHit, other: VectorHit) =>
    one.score < other.score || (one.score === other.score && one.screenId > other.screenId);

  function swap(one: number, other: number): void {
    [heap[one], heap[other]] = [heap[other]!, heap[one]!];
  }

  function rise(start: number): void {
    for (let place = start; place > 0;) {
      const parent = (place - 1) >> 1;
      if (!isWorse(heap[place]!, heap[parent]!)) return;
      swap(place, parent);
      place = parent;
    }
  }

  function sink(): void {
    for (let place = 0; ;) {
      let worst = place;
      for (const child of [2 * place + 1, 2 * place + 2]) {
        if (child < heap.length && isWorse(heap[child]!, heap[worst]!)) worst = child;
      }
      if (worst === place) return;
      swap(place, worst);
      place = worst;
    }
  }

  return {
    offer(screenId, score) {
      const hit = { screenId, score };
      if (heap.length < limit) {
        heap.push(hit);
        rise(heap.length - 1);
      } else if (isWorse(heap[0]!, hit)) {
        heap[0] = hit;
        sink();
      }
    },
    hits: () => heap.toSorted((one, other) => (isWorse(one, other) ? 1 : -1)),
  };
}
