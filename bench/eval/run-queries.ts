import { findScreens, type FindMode } from '../../src/library/find-screens.ts';
import { findSimilar } from '../../src/library/find-similar.ts';
import type { LibraryPorts } from '../../src/library/ports.ts';
import type { JudgedQuery } from './judged.ts';
import type { Place } from './metrics.ts';

/** Ways of searching that are compared. Look-alikes have words of no kind, so they are found by layout alone. */
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
  ports: LibraryPorts,
  queries: readonly JudgedQuery[],
): Promise<AnsweredQuery[]> {
  const answered: AnsweredQuery[] = [];
  for (const query of queries) answered.push({ query, rankings: await rank(ports, query) });
  return answered;
}

async function rank(ports: LibraryPorts, { ask }: JudgedQuery): Promise<AnsweredQuery['rankings']> {
  if ('like' in ask) {
    const { hits } = await findSimilar(ports, {
      of: { screenId: ask.like },
      by: 'layout',
      filter: {},
      limit: DEPTH,
    });
    return { layout: hits.map(place) };
  }
  const filter = ask.colors === undefined ? {} : { colors: ask.colors };
  const rankings: AnsweredQuery['rankings'] = {};
  for (const way of ['text', 'meaning', 'hybrid'] as const) {
    const { hits } = await findScreens(ports, { query: ask.query, mode: MODES[way], filter, limit: DEPTH });
    rankings[way] = hits.map(place);
  }
  return rankings;
}

function place({ screen, alike }: { screen: { id: string }; alike: string[] }): Place {
  return { id: screen.id, alike };
}
