import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Which files hold an index: the one in use, and the one that a rebuild is filling. */
export interface GenerationState {
  live: string;
  next?: { file: string; recipe: string };
}

/** The state as every process sees it. */
export interface StateFile {
  /** As it is at this moment. Costs a look at the file's times unless it has changed. */
  read(): GenerationState;
  /** Replaces it at once: others read the old or the new, never a part. */
  write(state: GenerationState): void;
}

/** `NAME.json` in the folder. An index that was never rebuilt has none, and is in `NAME.db`. */
export function openStateFile(dir: string, name: string): StateFile {
  const path = join(dir, `${name}.json`);
  const initial: GenerationState = { live: `${name}.db` };
  let seen = '';
  let state = initial;

  function read(): GenerationState {
    const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
    const stamp = stats === undefined ? '' : `${stats.ino} ${stats.mtimeNs} ${stats.size}`;
    if (stamp !== seen) {
      state = stamp === '' ? initial : (JSON.parse(readFileSync(path, 'utf8')) as GenerationState);
      seen = stamp;
    }
    return state;
  }

  return {
    read,
    write(changed) {
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, JSON.stringify(changed), { flush: true });
      renameSync(draft, path);
    },
  };
}
