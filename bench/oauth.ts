import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { approve } from '../test/pages/approve.ts';
import { createVisitor } from '../test/pages/visitor.ts';
import { printTable, sideBySide } from './measure.ts';
import { startServer } from './server.ts';

/** Apps that refresh at the same time, each its own token, one after the other. */
const CONNECTIONS = 8;
const REFRESHES_PER_ROUND = 10;
const ROUNDS = 60;
/** Servers run for days: what counts is how fast they are once their code is compiled. */
const WARM_UP_ROUNDS = 25;
const REDIRECT = 'http://127.0.0.1/callback';

/** A token endpoint and the connections that refresh at it. */
interface Contestant {
  url: string;
  clientId: string;
  resource: string;
  /** The latest of each connection. */
  refreshTokens: string[];
}

/** Refreshes a second of the service on SQLite, and of bare oidc-provider with its own adapter in memory. */
export async function benchOAuth(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  const server = await startServer(dataDir);
  const bare = await startBareProvider();
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  try {
    const ours = await connect(server.url, server.account);
    const ways = { ours: () => refreshAll(agent, ours), bare: () => refreshAll(agent, bare) };
    await sideBySide(WARM_UP_ROUNDS, ways);
    const times = await sideBySide(ROUNDS, ways);
    const perSecond = ({ p50 }: { p50: number }) => (CONNECTIONS * REFRESHES_PER_ROUND * 1000) / p50;
    printTable(
      ['refreshes a second', 'service on SQLite', 'bare oidc-provider in memory', 'service / bare'],
      [
        [
          `${CONNECTIONS} connections`,
          perSecond(times.ours).toFixed(0),
          perSecond(times.bare).toFixed(0),
          `${(perSecond(times.ours) / perSecond(times.bare)).toFixed(2)}×`,
        ],
      ],
    );
  } finally {
    agent.destroy();
    await bare.stop();
    await server.stop();
    await rm(dataDir, { recursive: true });
  }
}

async function startBareProvider(): Promise<Contestant & { stop(): Promise<void> }> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'bare-provider.ts'), String(CONNECTIONS)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    ...(JSON.parse(line.toString()) as Contestant),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Registers an app and lets a user connect it several times. */
async function connect(url: string, account: { email: string; password: string }): Promise<Contestant> {
  const resource = `${url}/mcp`;
  const registered = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [REDIRECT] }),
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const visitor = createVisitor(url);
  const refreshTokens: string[] = [];
  for (let connection = 0; connection < CONNECTIONS; connection += 1) {
    const verifier = randomBytes(32).toString('base64url');
    const parameters = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: REDIRECT,
      state: randomBytes(16).toString('base64url'),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource,
    });
    const answer = await approve(visitor, `${url}/oauth/authorize?${parameters.toString()}`, account);
    const redeemed = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        code: answer.searchParams.get('code') ?? '',
        redirect_uri: REDIRECT,
        code_verifier: verifier,
        resource,
      }),
    });
    refreshTokens.push(((await redeemed.json()) as { refresh_token: string }).refresh_token);
  }
  return { url, clientId, resource, refreshTokens };
}

async function refreshAll(agent: Agent, contestant: Contestant): Promise<void> {
  const { refreshTokens } = contestant;
  await Promise.all(
    refreshTokens.map(async (_token, index) => {
      for (let count = 0; count < REFRESHES_PER_ROUND; count += 1) {
        refreshTokens[index] = await refresh(agent, contestant, refreshTokens[index] ?? '');
      }
    }),
  );
}

/** Returns the next refresh token. Throws when there is none. */
async function refresh(
  agent: Agent,
  { url, clientId, resource }: Contestant,
  token: string,
): Promise<string> {
  const outgoing = request(`${url}/oauth/token`, {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  outgoing.end(
    new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: token,
      resource,
    }).toString(),
  );
  const [response] = (await once(outgoing, 'response')) as [Parameters<typeof text>[0]];
  const body = await text(response);
  const { refresh_token: next } = JSON.parse(body) as { refresh_token?: string };
  if (next === undefined) throw new Error(`No token from ${url}: ${body}`);
  return next;
}
