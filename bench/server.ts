import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

const START_TIMEOUT_MS = 60_000;

/** The server as a process of its own, as it runs in earnest. */
export interface RunningServer {
  url: string;
  /** A token for the REST API. */
  token: string;
  /** A new token for the MCP endpoint. */
  mcpToken(): Promise<string>;
  /** What it was started with. */
  env: NodeJS.ProcessEnv;
  /** Whose it is. */
  account: { email: string; password: string };
  /** Resident memory in MB, where the system tells it (Linux). */
  memoryMB(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts the server on a free port of this machine over an existing data folder.
 * @param settings beside those that a measurement needs
 */
export async function startServer(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<RunningServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // A data folder may have been served before.
  const email = `bench-${Date.now()}@example.com`;
  const env = {
    ...process.env,
    PORT: String(port),
    BASE_URL: url,
    DATA_DIR: dataDir,
    RATE_LIMIT: '0',
    LOG_LEVEL: 'error',
    SAMPLE: 'off',
    ...settings,
  };
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilAnswering(`${url}/healthz`, child);
  const added = await runScript(['scripts/users.ts', 'add', email, '--plan', 'pro'], env);
  const token = await runScript(['scripts/token.ts', '--user', email, '--resource', 'api'], env);
  return {
    url,
    token: token.trim(),
    mcpToken: async () =>
      (await runScript(['scripts/token.ts', '--user', email, '--resource', 'mcp'], env)).trim(),
    env,
    account: { email, password: /Password: (\S+)/.exec(added)?.[1] ?? '' },
    async memoryMB() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function untilAnswering(url: string, child: ChildProcess): Promise<void> {
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end;) {
    if (child.exitCode !== null) throw new Error(`The server ended with exit code ${child.exitCode}.`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The server does not answer.');
}

async function runScript(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`${args[0]} ended with exit code ${code}.`);
  return output;
}
