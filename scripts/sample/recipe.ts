import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** Where a recipe installs, configures and runs its application. */
export interface Place {
  /** Installed packages; kept between runs. */
  tools: string;
  /** The application's database, uploads and settings; emptied before each run. */
  data: string;
  /** The recipe's own files, `apps/<appId>/`. */
  assets: string;
  /** The loopback port that the application is to listen on. */
  port: number;
}

export interface Command {
  file: string;
  args: string[];
  cwd?: string;
  /** Added to the inherited environment. */
  env?: Record<string, string>;
  /** Written to the command's standard input. */
  input?: string;
}

export type Viewport = 'desktop' | 'phone';

export interface ShotFacts {
  /** What a designer would file the screen under, one to five words of the pattern vocabulary. */
  pattern: string[];
  theme: 'light' | 'dark';
  captionText?: string;
  /** Near-lossless, for a screen full of photographs that would be over 250 KB. */
  photographic?: boolean;
}

/** What a journey works with. */
export interface Stage {
  place: Place;
  /** `http://127.0.0.1:<port>` */
  origin: string;
  /**
   * A fresh page of its own browser context.
   * `like` copies the cookies and local storage of another page, so that a signed-in person changes the device.
   */
  open(options?: { viewport?: Viewport; scheme?: 'light' | 'dark'; like?: Page }): Promise<Page>;
  /** Saves what the page shows as the next screen, `<appId>-<slug>`. Throws when a network address is visible. */
  shot(page: Page, slug: string, facts: ShotFacts): Promise<void>;
}

export interface RecipeFlow {
  /** The flow's id is `<appId>-<slug>`. */
  slug: string;
  type: string;
  name: string;
  description: string;
  /** Slugs of shots in the order that a person meets them. */
  screens: string[];
}

export interface AppRecipe {
  id: string;
  name: string;
  version: string;
  licence: string;
  /** The package and the registry that it comes from, as the sample's read-me names them. */
  source: string;
  /** Installs pinned packages into `place.tools`; does nothing when they are there. */
  install(place: Place): Promise<void>;
  /** Writes settings and demo content into the empty `place.data`. */
  prepare?(place: Place): Promise<void>;
  /** The server's command, which stays in the foreground. */
  start(place: Place): Command;
  /** A path that answers below 500 once the server is up. */
  readyPath: string;
  journey(stage: Stage): Promise<void>;
  flows: RecipeFlow[];
}

const READY_LIMIT_MS = 180_000;
const READY_POLL_MS = 500;
const STOP_LIMIT_MS = 10_000;
const OUTPUT_TAIL_CHARS = 4_000;

// coreutils' env adds to the inherited environment, and pins what would show this machine in a picture.
function spawnCommand(command: Command, stdio: 'pipe' | ['ignore', number, number]): ChildProcess {
  const fixed = { TZ: 'UTC', LANG: 'en_US.UTF-8', LANGUAGE: 'en', LC_ALL: 'C.UTF-8' };
  const pairs = Object.entries({ ...fixed, ...command.env }).map(([key, value]) => `${key}=${value}`);
  return spawn('env', [...pairs, command.file, ...command.args], { cwd: command.cwd, detached: true, stdio });
}

/** Runs a command to its end and returns what it printed. Throws with the end of its output when it fails. */
export async function run(command: Command): Promise<string> {
  const child = spawnCommand(command, 'pipe');
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  child.stdin?.end(command.input ?? '');
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) {
    throw new Error(
      `${command.file} ${command.args.join(' ')} ended with ${code}:\n${output.slice(-OUTPUT_TAIL_CHARS)}`,
    );
  }
  return output;
}

async function once(folder: string, pins: unknown, install: () => Promise<void>): Promise<void> {
  const stamp = join(folder, 'installed');
  const wanted = createHash('sha256').update(JSON.stringify(pins)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await install();
  writeFileSync(stamp, wanted);
}

/** Installs pinned PyPI packages into `place.tools/venv`. */
export async function pipInstall(place: Place, packages: string[]): Promise<void> {
  await once(place.tools, packages, async () => {
    await run({ file: 'python3', args: ['-m', 'venv', join(place.tools, 'venv')] });
    await run({ file: python(place), args: ['-m', 'pip', 'install', '--quiet', ...packages] });
  });
}

/** The interpreter that `pipInstall` made; its neighbours are the installed commands. */
export function python(place: Place, command = 'python'): string {
  return join(place.tools, 'venv', 'bin', command);
}

/** Installs pinned npm packages into `place.tools/node_modules`. */
export async function npmInstall(
  place: Place,
  dependencies: Record<string, string>,
  options: { overrides?: Record<string, string>; scripts?: boolean } = {},
): Promise<void> {
  await once(place.tools, { dependencies, options }, async () => {
    const manifest = { private: true, dependencies, overrides: options.overrides ?? {} };
    writeFileSync(join(place.tools, 'package.json'), JSON.stringify(manifest));
    const scripts = options.scripts === true ? [] : ['--ignore-scripts'];
    await run({ file: 'npm', args: ['install', '--no-audit', '--no-fund', ...scripts], cwd: place.tools });
  });
}

/** A file inside `place.tools/node_modules`. */
export function nodeModule(place: Place, ...path: string[]): string {
  return join(place.tools, 'node_modules', ...path);
}

/** A loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Starts a server, waits until `readyUrl` answers below 500 and returns the function that stops it.
 * Throws, naming the log, when the server ends early or is not ready in time.
 */
export async function serve(command: Command, readyUrl: string, log: string): Promise<() => Promise<void>> {
  const file = openSync(log, 'w');
  const child = spawnCommand(command, ['ignore', file, file]);
  let ended = false;
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => {
      ended = true;
      resolve();
    });
  });
  const stop = async () => {
    if (ended || child.pid === undefined) return;
    // The group, because some servers start workers.
    process.kill(-child.pid, 'SIGTERM');
    await Promise.race([closed, sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
    if (!ended) process.kill(-child.pid, 'SIGKILL');
  };
  const deadline = Date.now() + READY_LIMIT_MS;
  while (!(await answers(readyUrl))) {
    if (ended || Date.now() > deadline) {
      await stop();
      throw new Error(`the server ${ended ? 'ended' : 'was not ready in time'}; its log is ${log}`);
    }
    await sleep(READY_POLL_MS);
  }
  return stop;
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(READY_LIMIT_MS) });
    await response.body?.cancel();
    return response.status < 500;
  } catch {
    return false;
  }
}
