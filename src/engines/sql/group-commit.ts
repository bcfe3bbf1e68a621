import type { Database } from './schema.ts';

/** Runs work in a transaction. */
export type Transact = <Result>(work: (transaction: Database) => Promise<Result>) => Promise<Result>;

interface Waiting {
  work: (transaction: Database) => Promise<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** One transaction for each piece of work. */
export function createTransact(db: Database): Transact {
  return (work) => db.transaction().execute(work);
}

/**
 * One transaction for all the work that is asked for in the same turn of the event loop, in the order asked: SQLite does
 * one transaction after the other, and to begin and end one takes as long as a small piece of work. Each piece sees what
 * those before it did. When one throws, none of them is done and all callers get its error.
 */
export function createGroupCommit(transact: Transact): Transact {
  let waiting: Waiting[] = [];

  async function runAll(): Promise<void> {
    const group = waiting;
    waiting = [];
    try {
      const results = await transact(async (transaction) => {
        const done: unknown[] = [];
        for (const { work } of group) done.push(await work(transaction));
        return done;
      });
      for (const [index, { resolve }] of group.entries()) resolve(results[index]);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return <Result>(work: (transaction: Database) => Promise<Result>) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as Waiting['resolve'], reject });
      if (waiting.length === 1) setImmediate(() => void runAll());
    });
}
