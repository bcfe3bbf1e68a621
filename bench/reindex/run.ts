import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../..');

export interface CommandResult {
  code: number | null;
  output: string;
  seconds: number;
}

/**
 * Runs one of the operator's commands as a process of its own.
 * @param killAfterMs end it by SIGKILL then, wherever it is; a command that is done by then is not touched
 */
export async function runCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  killAfterMs?: number,
): Promise<CommandResult> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const ended = once(child, 'close') as Promise<[number | null]>;
  if (killAfterMs !== undefined) {
    await Promise.race([ended, sleep(killAfterMs, undefined, { ref: false })]);
    child.kill('SIGKILL');
  }
  const [code] = await ended;
  return { code, output, seconds: (performance.now() - start) / 1000 };
}

const DOCTOR_TRIES = 20;

/** What `doctor` says in the end: a server may still be writing what was just saved. */
export async function lastWordOfDoctor(env: NodeJS.ProcessEnv): Promise<CommandResult> {
  for (let tries = 1; ; tries += 1) {
    const result = await runCommand(['scripts/doctor.ts'], env);
    if (result.code === 0 || tries === DOCTOR_TRIES) return result;
    await sleep(500);
  }
}
