import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EngineUnavailableError } from '../../domain/errors.ts';
import { openStateFile } from './state.ts';

interface Closable {
  close(): Promise<void>;
}

export interface GenerationsOptions<Index> {
  dir: string;
  /** Files are called NAME.db, NAME-2.db and so on. */
  name: string;
  /** What made the content; a process writes to what is being made only when it makes the same. */
  recipe: string;
  open: (file: string) => Promise<Index>;
}

/** An index kept in a file that can be replaced while processes use it. */
export interface Generations<Index> {
  /** Runs `work` on the file in use. It stays open until `work` has ended, whatever is promoted meanwhile. */
  onLive<T>(work: (index: Index) => Promise<T>): Promise<T>;
  /** Runs `work` on what is being made, if anything is, of this recipe. */
  onNext(work: (index: Index) => Promise<void>): Promise<void>;
  /** Takes up an interrupted rebuild of this recipe, or begins one, dropping any other. */
  begin(): { resumed: boolean; file: string };
  /** `file`, which `begin` named, is in use from now on. */
  promote(file: string): void;
  /** Runs `work` on a file that `begin` named. */
  onFile<T>(file: string, work: (index: Index) => Promise<T>): Promise<T>;
  /** Deletes the files that are neither in use nor being made. */
  dropUnused(): void;
  close(): Promise<void>;
}

interface Opened<Index> {
  index: Promise<Index>;
  users: number;
  retired: boolean;
}

export function createGenerations<Index extends Closable>(
  options: GenerationsOptions<Index>,
): Generations<Index> {
  const { dir, name, recipe, open } = options;
  const stateFile = openStateFile(dir, name);
  const opened = new Map<string, Opened<Index>>();

  /** Closes what the state no longer names as soon as nobody works on it. */
  async function retireOthers(): Promise<void> {
    const { live, next } = stateFile.read();
    for (const [file, one] of opened) {
      if (file === live || file === next?.file) continue;
      opened.delete(file);
      one.retired = true;
      await closeIdle(one);
    }
  }

  async function closeIdle(one: Opened<Index>): Promise<void> {
    if (one.retired && one.users === 0) await (await one.index).close();
  }

  async function onFile<T>(file: string, work: (index: Index) => Promise<T>): Promise<T> {
    const known = opened.get(file);
    const one = known ?? { index: open(join(dir, file)), users: 0, retired: false };
    opened.set(file, one);
    one.users += 1;
    try {
      return await work(await one.index);
    } finally {
      one.users -= 1;
      if ((await one.index.catch(() => undefined)) === undefined) opened.delete(file);
      else await closeIdle(one);
    }
  }

  return {
    async onLive(work) {
      for (;;) {
        await retireOthers();
        const { live } = stateFile.read();
        // A file that was opened just after it had been replaced may be a new, empty one: only a look afterwards tells.
        const done = await onFile(live, async (index) =>
          stateFile.read().live === live ? { result: await work(index) } : undefined,
        );
        if (done !== undefined) return done.result;
      }
    },
    async onNext(work) {
      const { next } = stateFile.read();
      if (next?.recipe === recipe) await onFile(next.file, work);
    },
    begin() {
      const { live, next } = stateFile.read();
      if (next?.recipe === recipe) return { resumed: true, file: next.file };
      mkdirSync(dir, { recursive: true });
      const file = `${name}-${highest(filesOf(dir, name)) + 1}.db`;
      stateFile.write({ live, next: { file, recipe } });
      return { resumed: false, file };
    },
    promote(file) {
      if (stateFile.read().next?.file !== file) {
        const cause = new Error(`${file} is no longer being made; another rebuild has replaced it.`);
        throw new EngineUnavailableError('The rebuilt index', { cause });
      }
      stateFile.write({ live: file });
    },
    onFile,
    dropUnused() {
      const { live, next } = stateFile.read();
      for (const file of filesOf(dir, name)) {
        const database = file.replace(/-(wal|shm)$/, '');
        if (database === live || database === next?.file) continue;
        try {
          rmSync(join(dir, file), { force: true });
        } catch {
          // Windows keeps a file that another process has open; the next rebuild drops it.
        }
      }
    },
    async close() {
      for (const one of opened.values()) await (await one.index.catch(() => undefined))?.close();
      opened.clear();
    },
  };
}

/** The index's database files, with SQLite's own beside them. */
function filesOf(dir: string, name: string): string[] {
  const pattern = new RegExp(`^${name}(-\\d+)?\\.db(-wal|-shm)?$`);
  return readdirSync(dir).filter((file) => pattern.test(file));
}

/** Numbers are never used twice, since a process may still have the old file open. */
function highest(files: readonly string[]): number {
  return Math.max(1, ...files.map((file) => Number(/-(\d+)\.db/.exec(file)?.[1] ?? 1)));
}
