import { printTable } from '../measure.ts';
import { scoreRanking } from './metrics.ts';
import type { AnsweredQuery } from './run-queries.ts';
import type { Group, Summary, WaySummary } from './summary.ts';

const WORST_SHOWN = 40;
const HITS_SHOWN = 5;

const write = (line: string) => process.stdout.write(`${line}\n`);
const fixed = (value: number) => value.toFixed(2).replace(/^0/, '');
const percent = (value: number) => `${Math.round(value * 100)} %`;
const withInterval = ({ ndcg10: { mean, low, high } }: WaySummary) =>
  `${fixed(mean)} (${fixed(low)}–${fixed(high)})`;

/** The whole report as Markdown tables. */
export function printReport(all: Summary, captured: Summary, drawn: Summary): void {
  const inWords = all.groups.filter(({ ways }) => ways.hybrid !== undefined);
  write('nDCG@10, with the interval that 95 in 100 resamples of the queries fall in:\n');
  printTable(
    ['kind', 'queries', 'text', 'meaning', 'hybrid', 'hybrid not above the better, p'],
    inWords.map((group) => [
      group.name,
      String(group.queries),
      cell(group, 'text', withInterval),
      cell(group, 'meaning', withInterval),
      cell(group, 'hybrid', withInterval),
      group.hybridNotAbove === undefined ? '' : fixed(group.hybridNotAbove),
    ]),
  );
  write(
    'First place of use (P@1), recall@20 and answerable queries left empty, by hybrid; look-alike and look-across by layout:\n',
  );
  printTable(
    ['kind', 'queries', 'P@1', 'recall@20', 'left empty', 'nDCG@10, captured', 'nDCG@10, drawn'],
    all.groups.map((group) => {
      const way = group.ways.hybrid === undefined ? 'layout' : 'hybrid';
      const same = (other: Summary) => other.groups.find(({ name }) => name === group.name);
      return [
        group.name,
        String(group.queries),
        cell(group, way, ({ precision1 }) => fixed(precision1)),
        cell(group, way, ({ recall20 }) => fixed(recall20)),
        cell(group, way, ({ empty }) => percent(empty)),
        cell(same(captured), way, ({ ndcg10 }) => fixed(ndcg10.mean)),
        cell(same(drawn), way, ({ ndcg10 }) => fixed(ndcg10.mean)),
      ];
    }),
  );
  const { queries, found } = all.noAnswer;
  write(
    `Of ${queries} queries that nothing answers, found something: text ${percent(found.text ?? 0)}, ` +
      `meaning ${percent(found.meaning ?? 0)}, hybrid ${percent(found.hybrid ?? 0)}.`,
  );
}

function cell(
  group: Group | undefined,
  way: keyof Group['ways'],
  show: (summary: WaySummary) => string,
): string {
  const summary = group?.ways[way];
  return summary === undefined ? '' : show(summary);
}

/** The queries that fare worst, with what was found and what was missed. */
export function printWorst(answered: readonly AnsweredQuery[]): void {
  const scored = answered.map(({ query, rankings }) => {
    const ranking = rankings.hybrid ?? rankings.layout ?? [];
    const score =
      query.grades.size > 0 ? scoreRanking(ranking, query.grades).ndcg10 : Number(ranking.length === 0);
    return { query, ranking, score };
  });
  write('');
  for (const { query, ranking, score } of scored
    .toSorted((a, b) => a.score - b.score)
    .slice(0, WORST_SHOWN)) {
    const { ask, grades, id } = query;
    write(`${fixed(score)}  ${id}  ${'like' in ask ? `like ${ask.like}` : ask.query}`);
    const hits = ranking.slice(0, HITS_SHOWN).map((hit) => `${hit.id} ${grades.get(hit.id) ?? 0}`);
    write(`      found: ${hits.join(', ') || 'nothing'}`);
    const seen = new Set(ranking.slice(0, HITS_SHOWN).flatMap((hit) => [hit.id, ...hit.alike]));
    const missed = [...grades].filter(([screen, grade]) => grade === 2 && !seen.has(screen));
    if (missed.length > 0)
      write(
        `      missed: ${missed
          .slice(0, HITS_SHOWN)
          .map(([screen]) => screen)
          .join(', ')}`,
      );
  }
}
