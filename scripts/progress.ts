import { Presets, SingleBar } from 'cli-progress';

/** Progress of long work: a bar with rate and time left on a terminal, JSON lines elsewhere. */
export interface Progress {
  update(done: number): void;
  stop(): void;
}

const LINE_EVERY_MS = 1000;

/** @param label what is being done; `total` items in all */
export function createProgress(label: string, total: number): Progress {
  return process.stderr.isTTY ? createBar(label, total) : createLines(label, total);
}

function createBar(label: string, total: number): Progress {
  const startedAt = Date.now();
  const format = `${label} {bar} {value}/{total} · {rate}/s · {eta_formatted} left`;
  const bar = new SingleBar({ format, hideCursor: true, etaBuffer: 50 }, Presets.shades_classic);
  bar.start(total, 0, { rate: '–' });
  return {
    update(done) {
      bar.update(done, { rate: rateOf(done, startedAt) });
    },
    stop: () => bar.stop(),
  };
}

function createLines(label: string, total: number): Progress {
  const startedAt = Date.now();
  let done = 0;
  let printedAt = 0;
  function print(): void {
    printedAt = Date.now();
    process.stderr.write(
      `${JSON.stringify({ label, done, total, perSecond: Number(rateOf(done, startedAt)) })}\n`,
    );
  }
  return {
    update(value) {
      done = value;
      if (Date.now() - printedAt >= LINE_EVERY_MS) print();
    },
    stop: print,
  };
}

function rateOf(done: number, startedAt: number): string {
  return (done / Math.max(0.001, (Date.now() - startedAt) / 1000)).toFixed(1);
}
