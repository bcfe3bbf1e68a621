/**
 * Maps items with up to `limit` under way at once, and yields the results in the order of the items. A failure is thrown
 * at its place; what is under way then is waited for, so that nothing goes on behind the caller's back.
 */
export async function* mapInOrder<Item, Result>(
  items: Iterable<Item>,
  limit: number,
  map: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  try {
    for (const item of items) {
      const started = map(item);
      // It is awaited later; until then its failure must not count as unhandled.
      started.catch(() => undefined);
      underWay.push(started);
      if (underWay.length >= limit) yield await underWay.shift()!;
    }
    while (underWay.length > 0) yield await underWay.shift()!;
  } finally {
    await Promise.allSettled(underWay);
  }
}
