import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environmentWith } from '../support/environment.ts';
import { answerOf, startOAuth, tokensOf, type Answer, type OAuthService } from './client.ts';

const ROOT = join(import.meta.dirname, '../..');
const ROUNDS = 200;
const AT_ONCE = 8;

/** Two server processes on one database: this one, and one of its own. */
let service: OAuthService;
let second: ChildProcess;
let clientId: string;
let origins: string[];
beforeAll(async () => {
  service = await startOAuth();
  clientId = await service.newClient();
  const port = await freePort();
  const env = environmentWith({
    BASE_URL: service.url,
    ...service.sharing,
    PORT: String(port),
    SAMPLE: 'off',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'silent',
  });
  second = spawn(process.execPath, ['src/main.ts'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  if (second.stdout === null) throw new Error('Started without standard output.');
  const ended = once(second, 'exit').then(([code]) => {
    throw new Error(`The second server ended with ${String(code)}.`);
  });
  await Promise.race([once(second.stdout, 'data'), ended]);
  ended.catch(() => {});
  origins = [service.url, `http://127.0.0.1:${port}`];
});
afterAll(async () => {
  if (second.exitCode === null) {
    second.kill();
    await once(second, 'exit');
  }
  await service.close();
});

/** The same request so many times at once, half at each process. */
async function atOnce(form: Record<string, string>): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: AT_ONCE }, async (_, index) => {
      const body = new URLSearchParams(form);
      return answerOf(await fetch(`${origins[index % 2]}/oauth/token`, { method: 'POST', body }));
    }),
  );
}

function expectOneWinner(answers: Answer[]): Answer {
  const [winner, ...more] = answers.filter(({ status }) => status === 200);
  if (winner === undefined) throw new Error(`Nobody won: ${JSON.stringify(answers.map(({ body }) => body))}`);
  expect(more).toEqual([]);
  const losers = answers.filter((answer) => answer !== winner);
  for (const { status, body } of losers)
    expect({ status, error: body['error'] }).toEqual({ status: 400, error: 'invalid_grant' });
  return winner;
}

describe('two processes on one database', () => {
  it(
    `let one of ${AT_ONCE} concurrent refreshes of a token win, and end its family`,
    { timeout: 300_000 },
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { refreshToken } = await service.connect(clientId);
        const form = {
          grant_type: 'refresh_token',
          client_id: clientId,
          refresh_token: refreshToken,
          resource: service.resources.mcp.id,
        };
        const successor = tokensOf(expectOneWinner(await atOnce(form)));
        const after = await service.refresh(clientId, successor.refreshToken);
        expect(after).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      }
    },
  );

  it(
    `let one of ${AT_ONCE} concurrent redemptions of a code win, and end what it got`,
    { timeout: 300_000 },
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { form } = await service.code(clientId);
        const winner = tokensOf(expectOneWinner(await atOnce(form)));
        const after = await service.refresh(clientId, winner.refreshToken);
        expect(after).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      }
    },
  );
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
