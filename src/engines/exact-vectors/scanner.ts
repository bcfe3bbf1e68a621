import { Worker } from 'node:worker_threads';
import { EngineUnavailableError } from '../../domain/errors.ts';
import type { VectorHit, VectorQuery } from '../../ports/vector-index.ts';
import type { Question, WorkerInput } from './worker.ts';

/** Asks the worker. One that died is started anew by the next question; what it was asked fails. */
export interface Scanner {
  ask(query: VectorQuery): Promise<VectorHit[]>;
  close(): Promise<void>;
}

interface Waiting {
  resolve: (hits: VectorHit[]) => void;
  reject: (error: Error) => void;
}

export function createScanner(input: WorkerInput): Scanner {
  let worker: Worker | undefined;
  let lastNumber = 0;
  const waiting = new Map<number, Waiting>();

  function start(): Worker {
    const started = new Worker(new URL('./worker.ts', import.meta.url), { workerData: input });
    // It never keeps the process alive by itself.
    started.unref();
    started.on('message', ({ number, hits }: { number: number; hits: VectorHit[] }) => {
      waiting.get(number)?.resolve(hits);
      waiting.delete(number);
    });
    started.on('error', (error) => fail(started, error));
    started.on('exit', () => fail(started, new Error('The worker ended.')));
    return started;
  }

  function fail(died: Worker, cause: unknown): void {
    if (worker !== died) return;
    worker = undefined;
    for (const { reject } of waiting.values())
      reject(new EngineUnavailableError('The vector index', { cause }));
    waiting.clear();
  }

  return {
    ask(query) {
      worker ??= start();
      lastNumber += 1;
      const question: Question = { number: lastNumber, query };
      return new Promise((resolve, reject) => {
        waiting.set(question.number, { resolve, reject });
        worker?.postMessage(question);
      });
    },
    async close() {
      await worker?.terminate();
    },
  };
}
