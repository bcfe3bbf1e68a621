import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Summary, WaySummary } from './summary.ts';

const FLOOR_FILE = join(import.meta.dirname, 'floor.json');

const share = z.number().min(0).max(1);
const floorSchema = z.strictObject({
  /** Least nDCG@10 of hybrid over all queries in words. */
  hybridNdcg10: share,
  /** Least P@1 of hybrid over literal queries. */
  literalPrecision1: share,
  /** Least P@1 of look-alikes by layout. */
  lookAlikePrecision1: share,
  /** Least share of queries with no answer that hybrid leaves empty. */
  noAnswerEmpty: share,
  /** Greatest share of answerable queries that hybrid leaves empty. */
  answerableEmpty: share,
});

/** What is below the committed floor, one sentence each; empty when all holds. */
export function belowFloor({ groups, noAnswer }: Summary): string[] {
  const floor = floorSchema.parse(JSON.parse(readFileSync(FLOOR_FILE, 'utf8')));
  const of = (name: string, way: 'hybrid' | 'layout'): WaySummary => {
    const summary = groups.find((group) => group.name === name)?.ways[way];
    if (summary === undefined) throw new Error(`No query of ${name} was asked`);
    return summary;
  };
  const words = of('all in words', 'hybrid');
  const least: [string, number, number][] = [
    ['nDCG@10 of hybrid', words.ndcg10.mean, floor.hybridNdcg10],
    ['P@1 of literal queries', of('literal', 'hybrid').precision1, floor.literalPrecision1],
    ['P@1 of look-alikes', of('look-alike', 'layout').precision1, floor.lookAlikePrecision1],
    ['share of no-answer queries left empty', 1 - (noAnswer.found.hybrid ?? 0), floor.noAnswerEmpty],
    ['share of answerable queries answered', 1 - words.empty, 1 - floor.answerableEmpty],
  ];
  return least
    .filter(([, measured, floor]) => measured < floor)
    .map(([name, measured, floor]) => `The ${name} is ${measured.toFixed(3)}, below the floor of ${floor}.`);
}
