import type { SearchIndex } from '../ports/search-index.ts';
import type { VectorIndex } from '../ports/vector-index.ts';

/** Screens read at a time. */
const PAGE_SCREENS = 5000;

/** Screen id → version, of everything that is listed in ascending id order: the catalogue or the text index. */
export async function readVersions(source: Pick<SearchIndex, 'list'>): Promise<Map<string, number>> {
  const versions = new Map<string, number>();
  for (let after: string | undefined; ;) {
    const page = await source.list(after, PAGE_SCREENS);
    for (const { id, version } of page) versions.set(id, version);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_SCREENS) return versions;
    after = last.id;
  }
}

/** The same of the vectors, which have an order of their own. */
export async function readVectorVersions(source: Pick<VectorIndex, 'list'>): Promise<Map<string, number>> {
  const versions = new Map<string, number>();
  let after: string | undefined;
  do {
    const { entries, next } = await source.list(after, PAGE_SCREENS);
    for (const { id, version } of entries) versions.set(id, version);
    after = next;
  } while (after !== undefined);
  return versions;
}
