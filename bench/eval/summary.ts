import { estimate, mean, pairedBootstrap, type Estimate } from './bootstrap.ts';
import { KINDS, type Kind } from './judged.ts';
import { scoreRanking, within, type QueryScores } from './metrics.ts';
import type { AnsweredQuery, Way } from './run-queries.ts';

/** What the queries of a kind, answered in one way, come to. */
export interface WaySummary {
  ndcg10: Estimate;
  precision1: number;
  recall20: number;
  /** Share of queries that found nothing, though something answers them. */
  empty: number;
}

export interface Group {
  name: Kind | 'all in words';
  queries: number;
  ways: Partial<Record<Way, WaySummary>>;
  /**
   * Hybrid against the better of text and meaning: share of resamples in which it is not above. 0.05 or less: hybrid
   * is better; 0.95 or more: it is worse.
   */
  hybridNotAbove?: number;
}

export interface Summary {
  groups: Group[];
  noAnswer: { queries: number; found: Partial<Record<Way, number>> };
}

/** Groups by kind, and all that were asked in words together. `holds` limits the library to some screens. */
export function summarise(
  answered: readonly AnsweredQuery[],
  holds: (screenId: string) => boolean = () => true,
): Summary {
  const kindOf = (kind: Kind) => answered.filter(({ query }) => query.kind === kind);
  const inWords = answered.filter(({ query }) => 'query' in query.ask && query.kind !== 'no-answer');
  const groups = [
    ...KINDS.filter((kind) => kind !== 'no-answer').map((kind) => group(kind, kindOf(kind), holds)),
    group('all in words', inWords, holds),
  ].filter(({ queries }) => queries > 0);
  const unanswerable = kindOf('no-answer');
  const found: Summary['noAnswer']['found'] = {};
  for (const way of ['text', 'meaning', 'hybrid'] as const) {
    const wrong = unanswerable.filter(({ rankings }) => (rankings[way]?.length ?? 0) > 0);
    found[way] = unanswerable.length === 0 ? 0 : wrong.length / unanswerable.length;
  }
  return { groups, noAnswer: { queries: unanswerable.length, found } };
}

function group(
  name: Group['name'],
  answered: readonly AnsweredQuery[],
  holds: (screenId: string) => boolean,
): Group {
  const scores: Partial<Record<Way, QueryScores[]>> = {};
  for (const { query, rankings } of answered) {
    for (const [way, ranking] of Object.entries(rankings) as [Way, NonNullable<(typeof rankings)[Way]>][]) {
      const judged = within(ranking, query.grades, holds);
      if (judged !== undefined) (scores[way] ??= []).push(scoreRanking(judged.ranking, judged.grades));
    }
  }
  const ways: Group['ways'] = {};
  for (const [way, list] of Object.entries(scores) as [Way, QueryScores[]][]) {
    ways[way] = {
      ndcg10: estimate(list.map(({ ndcg10 }) => ndcg10)),
      precision1: mean(list.map(({ precision1 }) => precision1)),
      recall20: mean(list.map(({ recall20 }) => recall20)),
      empty: mean(list.map(({ empty }) => empty)),
    };
  }
  const { text, meaning, hybrid } = scores;
  return {
    name,
    queries: (hybrid ?? scores.layout ?? []).length,
    ways,
    ...(text === undefined || meaning === undefined || hybrid === undefined
      ? {}
      : { hybridNotAbove: againstBetter(hybrid, text, meaning) }),
  };
}

function againstBetter(hybrid: QueryScores[], text: QueryScores[], meaning: QueryScores[]): number {
  const ndcg = (list: QueryScores[]) => list.map(({ ndcg10 }) => ndcg10);
  const better = mean(ndcg(text)) > mean(ndcg(meaning)) ? text : meaning;
  return pairedBootstrap(ndcg(hybrid), ndcg(better));
}
