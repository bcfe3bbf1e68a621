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

function summarise(milliseconds: number[]): Timings {
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
