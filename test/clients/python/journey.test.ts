import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { advance, resetClock, REVOCATION_SECONDS } from '../clock.ts';
import { startDocumentHost, type DocumentHost } from '../document-host.ts';
import { startClientsService, type ClientsService } from '../user.ts';

const JOURNEY = join(import.meta.dirname, 'journey.py');
const REDIRECT = 'http://127.0.0.1:33418/callback';

let service: ClientsService;
let host: DocumentHost;
beforeAll(async () => {
  host = await startDocumentHost({
    client_name: 'Drawing Board',
    redirect_uris: ['http://127.0.0.1/callback'],
  });
  service = await startClientsService({ fetchDocument: host.fetchDocument });
});
afterAll(async () => {
  await service.close();
  await host.close();
});
afterEach(resetClock);

it.each([
  ['registers', 'auto', undefined],
  ['registers', 'legacy', undefined],
  ['publishes a metadata document', 'auto', () => host.url],
])(
  'a Python client that %s (mode %s) calls a tool, refreshes, and is refused once revoked',
  async (_kind, mode, document) => {
    const given = [`${service.url}/mcp`, REDIRECT, mode, ...(document === undefined ? [] : [document()])];
    const child = spawn('python3', [JOURNEY, ...given], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const events: Record<string, unknown>[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      const event = JSON.parse(line) as Record<string, unknown>;
      events.push(event);
      if (event['event'] === 'revoked') {
        advance(REVOCATION_SECONDS);
        child.stdin.write('\n');
      } else if (event['event'] === 'open') {
        const asked = events.filter((each) => each['event'] === 'open').length;
        // Asked once more, after it was refused, nobody answers.
        if (asked > 1) child.stdin.end();
        else child.stdin.write(`${(await service.approve(String(event['url']))).href}\n`);
      }
    }
    expect(await ended).toBe(0);
    const clientId = document?.() ?? expect.stringMatching(/^[\w-]{36}$/);
    expect(events).toEqual([
      { event: 'open', url: expect.stringContaining(`${service.url}/oauth/authorize?`) },
      { event: 'called', failed: false },
      { event: 'connected', client_id: clientId, scope: 'mcp:read mcp:tools' },
      { event: 'called', failed: false },
      { event: 'refreshed', rotated: true },
      { event: 'revoked', status: 200 },
      { event: 'open', url: expect.stringContaining(`${service.url}/oauth/authorize?`) },
    ]);
    expect(service.issued().slice(-2)).toEqual(['authorization_code', 'refresh_token']);
  },
);
