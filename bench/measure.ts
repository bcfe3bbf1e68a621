import { performance } from 'node:perf_hooks';

/** Milliseconds of each call. */
export interface Timings {
  p50: number;
  p99: number;
}

/**
 * Runs several ways of doing the same thing in turn (A B C A B C …), so that a machine that grows slower or faster
 * meanwhile does so for all of them. The first round of each does not count.
 */
export async function sideBySide<Name extends string>(
  rounds: number,
  ways: Record<Name, (round: number) => unknown>,
): Promise<Record<Name, Timings>> {
  const names = Object.keys(ways) as Name[];
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const start = performance.now();
      await ways[name](round);
      if (round > 0) taken[name].push(performance.now() - start);
    }
  }
  return Object.fromEntries(names.map((name) => [name, summarise(taken[name])])) as Record<Name, Timings>;
}

/** Requests of each way a block. */
const BLOCK_REQUESTS = 64;

/** Timings of single requests, and how many were answered in a second of all that were under way. */
export interface Load extends Timings {
  perSecond: number;
}

/**
 * As `sideBySide`, with several requests under way at a time: blocks of each way in turn. The first block of each does
 * not count.
 */
export async function sideBySideUnderLoad<Name extends string>(
  { concurrency, requests }: { concurrency: number; requests: number },
  ways: Record<Name, (round: number) => Promise<unknown>>,
): Promise<Record<Name, Load>> {
  const names = Object.keys(ways) as Name[];
  const blocks = Math.ceil(requests / BLOCK_REQUESTS);
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  const busy = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  for (let block = 0; block <= blocks; block += 1) {
    for (const name of names) {
      let next = block * BLOCK_REQUESTS;
      const end = next + BLOCK_REQUESTS;
      const times: number[] = [];
      const start = performance.now();
      const askOn = async () => {
        while (next < end) {
          const asked = performance.now();
          next += 1;
          await ways[name](next - 1);
          times.push(performance.now() - asked);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, askOn));
      if (block === 0) continue;
      busy[name] += performance.now() - start;
      taken[name].push(...times);
    }
  }
  return Object.fromEntries(
    names.map((name) => {
      const perSecond = (taken[name].length / busy[name]) * 1000;
      return [name, { ...summarise(taken[name]), perSecond }];
    }),
  ) as Record<Name, Load>;
}

export function summarise(milliseconds: number[]): Timings {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** A Markdown table on standard output. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  process.stdout.write(`${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n\n`);
}

export const ms = (value: number) => `${value.toFixed(2)} ms`;
export const ratio = (a: number, b: number) => `${(a / b).toFixed(2)}×`;
