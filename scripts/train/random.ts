/** A source of numbers in [0, 1), the same on every machine for the same seed: mulberry32. */
export type Random = () => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A whole number from 0 to below `limit`. */
export function below(limit: number, random: Random): number {
  return Math.floor(random() * limit);
}

/** One of `items`, which must not be empty. */
export function pick<T>(items: readonly T[], random: Random): T {
  return items[below(items.length, random)]!;
}

/** Up to `count` different ones of `items`, in random order. */
export function sample<T>(items: readonly T[], count: number, random: Random): T[] {
  const rest = [...items];
  const wanted = Math.min(count, rest.length);
  for (let place = 0; place < wanted; place += 1) {
    const from = place + below(rest.length - place, random);
    [rest[place], rest[from]] = [rest[from]!, rest[place]!];
  }
  return rest.slice(0, wanted);
}
