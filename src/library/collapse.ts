import type { Catalogue } from '../ports/catalogue.ts';
import type { RankedScreen } from './fuse.ts';

/** A hit that stands for its near-duplicates further down. */
export interface DistinctScreen extends RankedScreen {
  /** Near-duplicates that were found too, best first. */
  alike: string[];
}

/**
 * Keeps the best hit of every group of near-duplicates, in the order of the ranking. Groups are the connected parts of
 * the links among the hits.
 */
export async function collapseNearDuplicates(
  catalogue: Pick<Catalogue, 'nearDuplicates'>,
  ranked: readonly RankedScreen[],
): Promise<DistinctScreen[]> {
  const ids = ranked.map((hit) => hit.id);
  const links = await catalogue.nearDuplicates(ids);
  const neighbours = new Map<string, string[]>();
  for (const { screenId, otherId } of links) {
    neighbours.set(screenId, [...(neighbours.get(screenId) ?? []), otherId]);
    neighbours.set(otherId, [...(neighbours.get(otherId) ?? []), screenId]);
  }
  const found = new Set(ids);
  const taken = new Set<string>();
  const distinct: DistinctScreen[] = [];
  for (const hit of ranked) {
    if (taken.has(hit.id)) continue;
    const group = reach(hit.id, neighbours, found);
    for (const id of group) taken.add(id);
    distinct.push({ ...hit, alike: ids.filter((id) => id !== hit.id && group.has(id)) });
  }
  return distinct;
}

function reach(
  start: string,
  neighbours: ReadonlyMap<string, string[]>,
  within: ReadonlySet<string>,
): Set<string> {
  const group = new Set([start]);
  for (const id of group) {
    for (const next of neighbours.get(id) ?? []) if (within.has(next)) group.add(next);
  }
  return group;
}
