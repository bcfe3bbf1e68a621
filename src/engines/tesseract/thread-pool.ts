import { Worker } from 'node:worker_threads';

/** Threads that each answer one message at a time with one message. */
export interface ThreadPool<Request, Answer> {
  /**
   * Throws ThreadError when the thread ends before it answers, or does not answer in time. That thread is ended, and the
   * next question gets a new one.
   * @param signal ends the question, and the thread that works on it; its reason is thrown
   */
  ask(request: Request, signal?: AbortSignal): Promise<Answer>;
  /** Ends the threads; questions that are open throw ThreadError. */
  close(): Promise<void>;
}

export class ThreadError extends Error {
  override readonly name = 'ThreadError';
}

/** @param size at most this many threads, each started when it is first needed */
export function createThreadPool<Request, Answer>(options: {
  script: URL;
  size: number;
  timeoutMs: number;
}): ThreadPool<Request, Answer> {
  const { script, size, timeoutMs } = options;
  const idle: Worker[] = [];
  const threads = new Set<Worker>();
  const waiting: (() => void)[] = [];
  let busy = 0;
  let closed = false;

  function start(): Worker {
    // Not the flags of the process: a test runner's or debugger's are not meant for it.
    const thread = new Worker(script, { execArgv: [] });
    threads.add(thread);
    thread.once('exit', () => {
      threads.delete(thread);
      const at = idle.indexOf(thread);
      if (at >= 0) idle.splice(at, 1);
    });
    // An error while idle is followed by the exit above; unheard it would end the process.
    thread.on('error', () => undefined);
    return thread;
  }

  function exchange(thread: Worker, request: Request, signal?: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => fail(new ThreadError(`no answer within ${timeoutMs} ms`)), timeoutMs);
      const onExit = (): void => fail(new ThreadError('the thread ended'));
      const onError = (error: unknown): void =>
        fail(new ThreadError(error instanceof Error ? error.message : String(error), { cause: error }));
      const onAbort = (): void => fail(signal?.reason as Error);
      const onMessage = (answer: Answer): void => {
        settle();
        resolve(answer);
      };
      function settle(): void {
        clearTimeout(timer);
        thread.off('message', onMessage).off('exit', onExit).off('error', onError);
        signal?.removeEventListener('abort', onAbort);
      }
      function fail(error: Error): void {
        settle();
        void thread.terminate();
        reject(error);
      }
      thread.on('message', onMessage).on('exit', onExit).on('error', onError);
      signal?.addEventListener('abort', onAbort);
      thread.postMessage(request, []);
    });
  }

  return {
    async ask(request, signal) {
      if (busy >= size) await new Promise<void>((resolve) => waiting.push(resolve));
      else busy += 1;
      try {
        if (closed) throw new ThreadError('the threads are closed');
        signal?.throwIfAborted();
        const thread = idle.pop() ?? start();
        const answer = await exchange(thread, request, signal);
        idle.push(thread);
        return answer;
      } finally {
        // The place goes to the next in line, or is free.
        const next = waiting.shift();
        if (next === undefined) busy -= 1;
        else next();
      }
    },

    async close() {
      closed = true;
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };
}
