import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environmentWith } from './support/environment.ts';

const ROOT = join(import.meta.dirname, '..');

let dataDir: string;
let env: NodeJS.ProcessEnv;
let url: string;
let server: ChildProcess;
let printed = '';
let logged = '';

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'vitrine-first-start-'));
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  url = `http://localhost:${port}`;
  env = environmentWith({ PORT: String(port), DATA_DIR: dataDir });
  server = spawn(process.execPath, ['src/main.ts'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  server.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  server.stderr?.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  await until(() => printed.includes('claude mcp add'));
});
afterAll(async () => {
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');
  await rm(dataDir, { recursive: true });
});

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await done())) {
    if (server.exitCode !== null) throw new Error(`The server ended: ${logged}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function run(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
  return output.trim();
}

describe('the first start', () => {
  it('prints the address, the demo account and two lines to paste', () => {
    expect(printed).toContain(`Vitrine is at ${url}`);
    expect(printed).toMatch(/Demo account: demo@example\.com, password \S{16,}/);
    const settings = `BASE_URL=${url} DATA_DIR='${dataDir}'`;
    expect(printed).toContain(
      `curl -H "Authorization: Bearer $(${settings} npm run -s token -- --user demo@example.com --resource api)"`,
    );
    expect(printed).toContain(`${url}/mcp`);
  });

  it('answers at once, while the sample is still being loaded', async () => {
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('has the whole sample searchable soon, over both doors', { timeout: 240_000 }, async () => {
    const manifest = JSON.parse(await readFile(join(ROOT, 'sample/manifest.json'), 'utf8')) as {
      screens: unknown[];
      flows: unknown[];
    };
    const token = await run('scripts/token.ts', '--user', 'demo@example.com', '--resource', 'api');
    const headers = { authorization: `Bearer ${token}` };
    const total = async (path: string) => {
      const answer = await fetch(`${url}/api/v1/${path}`, { headers });
      return ((await answer.json()) as { total: number }).total;
    };
    await until(async () => (await total('screens')) === manifest.screens.length);
    await until(async () => (await total('flows')) === manifest.flows.length);
    expect(await total('screens?q=yearly')).toBeGreaterThan(0);

    const mcpToken = await run('scripts/token.ts', '--user', 'demo@example.com', '--resource', 'mcp');
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_screens', arguments: { query: 'paywall with a yearly plan', limit: 3 } },
    };
    const search = async () => {
      const answer = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${mcpToken}`,
          'content-type': 'application/json',
          accept: 'application/json',
        },
        body: JSON.stringify(call),
      });
      const { result } = (await answer.json()) as {
        result: { structuredContent: { screens: { pattern: string[] }[] } };
      };
      return result.structuredContent.screens;
    };
    await until(async () => (await search()).some((screen) => screen.pattern.includes('paywall')));
    expect(logged).toContain('the sample library is loaded');
  });

  it('stops when told to, and says nothing of a demo account at the next start', async () => {
    server.kill('SIGTERM');
    const [code] = (await once(server, 'exit')) as [number];
    expect(code).toBe(0);
    printed = '';
    server = spawn(process.execPath, ['src/main.ts'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    server.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await until(() => printed.includes('Vitrine is at'));
    expect(printed).not.toContain('Demo account');
  });
});
