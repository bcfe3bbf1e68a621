import { normaliseFilter } from './list-screens.ts';
import type { LibraryPorts } from './ports.ts';

/** A word that a filter takes, with how much of the library it selects. */
export interface Counted {
  value: string;
  /** What people call it, where that is not the value. */
  name?: string;
  /** Exact. Flows for flow types, screens for everything else. */
  count: number;
}

/** What the filters of searches can be set to. */
export interface Vocabulary {
  patterns: Counted[];
  flowTypes: Counted[];
  apps: Counted[];
  platforms: Counted[];
  /** `value` is the hex to filter by; the count is of screens that `colors: [value]` finds with the default tolerance. */
  colors: Counted[];
}

/** One colour of each family: a question by colour that is sure to be understood, to refine from. */
const NAMED_COLORS: readonly (readonly [name: string, hex: string])[] = [
  ['black', '#000000'],
  ['near-black', '#1F1F1F'],
  ['grey', '#808080'],
  ['light grey', '#D9D9D9'],
  ['white', '#FFFFFF'],
  ['red', '#D32F2F'],
  ['orange', '#F57C00'],
  ['yellow', '#FBC02D'],
  ['lime', '#C6E94B'],
  ['green', '#388E3C'],
  ['teal', '#00897B'],
  ['cyan', '#4DD0E1'],
  ['blue', '#1976D2'],
  ['navy', '#1A237E'],
  ['purple', '#7B1FA2'],
  ['pink', '#EC407A'],
  ['brown', '#6D4C41'],
];

type VocabularyPorts = Pick<LibraryPorts, 'catalogue' | 'search'>;

const underWay = new WeakMap<LibraryPorts['search'], Promise<Vocabulary>>();

/**
 * Every value that filters take, with exact counts, most frequent first. It takes long, so whoever asks while it is
 * counted shares that answer.
 * Throws EngineUnavailableError when the search engine cannot be reached.
 */
export function listVocabulary(ports: VocabularyPorts): Promise<Vocabulary> {
  let counting = underWay.get(ports.search);
  if (counting === undefined) {
    counting = count(ports).finally(() => underWay.delete(ports.search));
    underWay.set(ports.search, counting);
  }
  return counting;
}

async function count(ports: VocabularyPorts): Promise<Vocabulary> {
  const [facets, flowTypes, apps, colors] = await Promise.all([
    ports.search.facets(),
    ports.catalogue.flowTypes(),
    ports.catalogue.apps(),
    Promise.all(NAMED_COLORS.map(([name, hex]) => countColor(ports, name, hex))),
  ]);
  const names = new Map(apps.map((app) => [app.id, app.name]));
  return {
    patterns: facets.patterns,
    flowTypes,
    apps: facets.apps.map(({ value, count }) => {
      const name = names.get(value);
      return { value, count, ...(name === undefined ? {} : { name }) };
    }),
    platforms: facets.platforms,
    colors: colors.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count),
  };
}

async function countColor({ search }: VocabularyPorts, name: string, hex: string): Promise<Counted> {
  const filter = normaliseFilter({ colors: [hex] });
  const { total } = await search.search({ terms: [], filter, limit: 1, order: { by: 'newest' } });
  return { value: hex, name, count: total };
}
