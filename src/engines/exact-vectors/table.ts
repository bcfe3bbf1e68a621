import { DEFAULT_COLOR_TOLERANCE, isNear, labOf, squaredReach, type LabColor } from '../../domain/color.ts';
import type { ScreenFilter } from '../../domain/query.ts';
import type { VectorHit } from '../../ports/vector-index.ts';
import type { Payload } from './database.ts';
import { byteProduct, floatProduct } from './product.ts';

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

/** Room for rows of numbers of one kind. */
interface Block {
  /** Makes room for this many rows. */
  resize(rows: number): void;
  /** Writes a row, and tells its length. */
  write(place: number, vector: Float32Array | Int8Array): number;
  /** Row `from` also becomes row `to`. */
  copy(from: number, to: number): void;
  product(place: number, query: Float32Array): number;
}

function createFloats(size: number): Block {
  let numbers = new Float32Array(0);
  return {
    resize(rows) {
      const larger = new Float32Array(rows * size);
      larger.set(numbers);
      numbers = larger;
    },
    write(place, vector) {
      numbers.set(vector, place * size);
      return lengthOf(vector);
    },
    copy: (from, to) => void numbers.copyWithin(to * size, from * size, (from + 1) * size),
    product: (place, query) => floatProduct(numbers, place * size, query),
  };
}

function createBytes(size: number): Block {
  let numbers = new Int8Array(0);
  return {
    resize(rows) {
      const larger = new Int8Array(rows * size);
      larger.set(numbers);
      numbers = larger;
    },
    write(place, vector) {
      numbers.set(vector, place * size);
      return lengthOf(vector);
    },
    copy: (from, to) => void numbers.copyWithin(to * size, from * size, (from + 1) * size),
    product: (place, query) => byteProduct(numbers, place * size, query),
  };
}

function lengthOf(vector: Float32Array | Int8Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.sqrt(sum);
}

/** @param bytes whether vectors are Int8Array; of these the length is divided out when they are compared */
export function createVectorTable(size: number, { bytes }: { bytes: boolean }): VectorTable {
  const block = bytes ? createBytes(size) : createFloats(size);
  let capacity = 0;
  let lengths = new Float32Array(0);
  const rows: Row[] = [];
  const places = new Map<string, number>();

  function grow(): void {
    capacity = Math.max(FIRST_CAPACITY, capacity * 2);
    block.resize(capacity);
    const moreLengths = new Float32Array(capacity);
    moreLengths.set(lengths);
    lengths = moreLengths;
  }

  function set(screenId: string, vector: Float32Array | Int8Array, payload: Payload): void {
    const place = places.get(screenId) ?? rows.length;
    if (place >= capacity) grow();
    const { appId, platform, pattern, colors } = payload;
    rows[place] = { screenId, appId, platform, pattern, colors: colors.map(labOf) };
    places.set(screenId, place);
    lengths[place] = block.write(place, vector);
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
    block.copy(rows.length, place);
    lengths[place] = lengths[rows.length] ?? 0;
  }

  return {
    set,
    remove,
    nearest(query, filter, limit, minScore) {
      const passes = compileFilter(filter);
      const best = createBest(limit);
      for (let place = 0; place < rows.length; place += 1) {
        if (passes !== undefined && !passes(rows[place]!)) continue;
        const length = lengths[place]!;
        if (length === 0) continue;
        const score = block.product(place, query) / length;
        // Most rows end here, before anything of them but their numbers was looked at.
        if (score >= minScore && score >= best.least()) best.offer(rows[place]!.screenId, score);
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
  /** A score below it has no chance. */
  least: () => number;
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
    least: () => (heap.length < limit ? -Infinity : heap[0]!.score),
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
