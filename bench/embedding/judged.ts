import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { below, createRandom, pick } from '../../scripts/train/random.ts';

export interface Topic {
  readonly name: string;
  readonly asks: readonly string[];
  readonly screens: readonly string[];
}

/** Reads one of the judged files beside this one: topics, each with questions and the screens that answer them. */
export async function readTopics(file: string): Promise<Topic[]> {
  const topics: { name: string; asks: string[]; screens: string[] }[] = [];
  for (const line of (await readFile(join(import.meta.dirname, file), 'utf8')).split('\n')) {
    const [, kind, text] = /^ {2}(ask|screen): (.+)$/.exec(line) ?? [];
    if (kind === 'ask') topics.at(-1)!.asks.push(text!);
    else if (kind === 'screen') topics.at(-1)!.screens.push(text!);
    else if (line !== '' && !line.startsWith('#')) topics.push({ name: line, asks: [], screens: [] });
  }
  return topics;
}

/** The questions of sample.txt, each with the sample's screens that have the pattern, as their text. */
export async function readSample(): Promise<{ topics: Topic[]; screens: string[] }> {
  const folder = join(import.meta.dirname, '../../sample');
  const manifest: { screens: { file: string; pattern: string[] }[] } = JSON.parse(
    await readFile(join(folder, 'manifest.json'), 'utf8'),
  );
  const truth = (await readFile(join(folder, 'truth.jsonl'), 'utf8')).trim().split('\n');
  const textOf = new Map(truth.map((line) => JSON.parse(line)).map(({ file, text }) => [file, text]));
  const screens = manifest.screens.filter(({ file }) => textOf.get(file));
  const topics = (await readTopics('sample.txt')).map((topic) => ({
    ...topic,
    screens: screens
      .filter(({ pattern }) => pattern.includes(topic.name))
      .map(({ file }) => textOf.get(file)),
  }));
  return { topics, screens: screens.map(({ file }) => textOf.get(file)) };
}

/** The same topics with a slip in the longest word of every question: a letter left out, doubled, swapped or wrong. */
export function misspelled(topics: readonly Topic[]): Topic[] {
  const random = createRandom(1);
  return topics.map((topic) => ({
    ...topic,
    asks: topic.asks.map((ask) => {
      const longest = (ask.match(/[a-z]+/gi) ?? []).toSorted((a, b) => b.length - a.length)[0]!;
      const at = 1 + below(longest.length - 2, random);
      const [before, letter, after] = [longest.slice(0, at), longest[at]!, longest.slice(at + 1)];
      const wrong = String.fromCharCode(97 + below(26, random));
      const slips = [
        before + after,
        before + letter + letter + after,
        before + after[0]! + letter + after.slice(1),
      ];
      return ask.replace(longest, pick([...slips, before + wrong + after], random));
    }),
  }));
}

/**
 * Normalised discounted cumulative gain of the first ten, for relevance that is yes or no (Järvelin and Kekäläinen, 2002).
 * @param ranking whether each place holds something relevant, best place first
 * @param relevant how many relevant things there are
 */
export function ndcgAt10(ranking: readonly boolean[], relevant: number): number {
  const discount = (place: number): number => 1 / Math.log2(place + 2);
  let gain = 0;
  let ideal = 0;
  for (let place = 0; place < 10; place += 1) {
    if (ranking[place]) gain += discount(place);
    if (place < relevant) ideal += discount(place);
  }
  return gain / ideal;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
