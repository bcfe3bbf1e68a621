import { findScreens, type FindMode } from '../../src/library/find-screens.ts';
import { findSimilar } from '../../src/library/find-similar.ts';
import type { JudgedQuery } from './judged.ts';
import type { Place } from './metrics.ts';
import type { SampleLibrary } from './sample-library.ts';

/** Ways of searching that are compared. A screen is no question in words, so its likes are found by layout alone. */
export const WAYS = ['text', 'meaning', 'hybrid', 'layout'] as const;
export type Way = (typeof WAYS)[number];

const MODES: Record<Exclude<Way, 'layout'>, FindMode> = {
  text: 'text',
  meaning: 'semantic',
  hybrid: 'hybrid',
};
const DEPTH = 20;

export interface AnsweredQuery {
  query: JudgedQuery;
  /** The first twenty places, by each way that applies. */
  rankings: Partial<Record<Way, Place[]>>;
}

/** Asks every query in every way that applies, through the use cases that both doors call. */
export async function runQueries(
  sample: SampleLibrary,
  queries: readonly JudgedQuery[],
): Promise<AnsweredQuery[]> {
  const answered: AnsweredQuery[] = [];
  for (const query of queries) answered.push({ query, rankings: await rank(sample, query) });
  return answered;
}

async function rank(
  { library, screens }: SampleLibrary,
  { ask }: JudgedQuery,
): Promise<AnsweredQuery['rankings']> {
  if ('like' in ask) {
    const appId = screens.find(({ id }) => id === ask.like)?.appId;
    const own = screens.filter((screen) => screen.appId === appId).map(({ id }) => id);
    const { hits } = await findSimilar(library, {
      of: { screenId: ask.like },
      by: 'layout',
      filter: ask.elsewhere ? { excludeIds: own } : {},
      limit: DEPTH,
    });
    return { layout: hits.map(place) };
  }
  const filter = ask.colors === undefined ? {} : { colors: ask.colors };
  const rankings: AnsweredQuery['rankings'] = {};
  for (const way of ['text', 'meaning', 'hybrid'] as const) {
    const { hits } = await findScreens(library, { query: ask.query, mode: MODES[way], filter, limit: DEPTH });
    rankings[way] = hits.map(place);
  }
  return rankings;
}

function place({ screen, alike }: { screen: { id: string }; alike: string[] }): Place {
  return { id: screen.id, alike };
}
