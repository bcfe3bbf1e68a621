import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorization } from '../browser/client.ts';
import { createVisitor } from '../pages/visitor.ts';
import { callMcp, register } from './requests.ts';
import { EMAIL, PASSWORD, startClientsService, type ClientsService } from './user.ts';

const REDIRECT = 'http://127.0.0.1:6276/oauth/callback';
const OTHER = 'oscar@example.com';
const CHALLENGE = /^Bearer .*resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource\/mcp"/;

let service: ClientsService;
let clientId: string;
let token: string;
beforeAll(async () => {
  service = await startClientsService();
  const { body } = await register(service.url, { client_name: 'Drawing Board', redirect_uris: [REDIRECT] });
  clientId = body.client_id ?? '';
  token = await service.token({ resource: 'mcp' });
});
afterAll(() => service.close());

describe('the MCP endpoint', () => {
  it('answers a tools/list that accepts JSON alone, with no initialize before it', async () => {
    const answer = await callMcp(service.url, token, { accept: 'application/json' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await answer.json()).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
  });

  it.each(['GET', 'HEAD', 'DELETE', 'POST'])('challenges a %s without a token', async (method) => {
    const answer = await fetch(`${service.url}/mcp`, { method });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(CHALLENGE);
  });

  it.each(['GET', 'HEAD', 'DELETE'])('tells a %s with a token that it takes POST', async (method) => {
    const answer = await fetch(`${service.url}/mcp`, {
      method,
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toContain('POST');
  });
});

describe('a client in a page of another origin', () => {
  const origin = 'http://localhost:6274';
  const wanted = [
    'authorization',
    'content-type',
    'mcp-protocol-version',
    'mcp-method',
    'mcp-name',
    'mcp-session-id',
  ];

  it.each([
    ['POST', '/mcp', wanted],
    ['POST', '/oauth/token', wanted],
    ['POST', '/oauth/register', wanted],
    ['POST', '/oauth/revoke', wanted],
    ['GET', '/.well-known/oauth-authorization-server', ['mcp-protocol-version']],
    ['GET', '/.well-known/oauth-protected-resource/mcp', ['mcp-protocol-version']],
  ])('may send a %s to %s with its headers', async (method, path, headers) => {
    const preflight = await fetch(service.url + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': headers.join(','),
      },
    });
    expect(preflight.status).toBe(204);
    expect(['*', origin]).toContain(preflight.headers.get('access-control-allow-origin'));
    expect(preflight.headers.get('access-control-allow-methods')).toContain(method);
    const allowed = (preflight.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ');
    expect(allowed).toEqual(expect.arrayContaining(headers));
  });

  it('may read why it was refused', async () => {
    const answer = await callMcp(service.url, undefined, { origin });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
  });
});

describe('a consent in a browser where somebody else is signed in', () => {
  it('shows who that is, offers to switch, and gives the access to whom it was switched to', async () => {
    await service.addUser(OTHER);
    const browser = createVisitor(service.url);
    await browser.signIn(OTHER, PASSWORD);
    const asked = authorization(service.url, { clientId, redirectUri: REDIRECT });
    let at = asked.url;
    /** Follows redirects up to a page of the service. */
    const settle = async (response: Response): Promise<string> => {
      const location = response.headers.get('location');
      if (location === null) return response.text();
      at = new URL(location, service.url).href;
      return at.startsWith(service.url) ? settle(await browser.get(at)) : '';
    };
    const page = await settle(await browser.get(at));
    expect(page).toContain(OTHER);
    expect(page).toContain(`${new URL(at).pathname}/switch`);

    const signIn = await settle(await browser.submit(at, `${at}/switch`, {}));
    expect(signIn).toContain('name="password"');
    const switched = await settle(
      await browser.submit(at, `${at}/login`, { email: EMAIL, password: PASSWORD }),
    );
    expect(switched).toContain(EMAIL);
    expect(switched).not.toContain(OTHER);
    await settle(await browser.submit(at, `${at}/confirm`, {}));
    const { body } = await asked.redeem(new URL(at).searchParams.get('code') ?? '');
    expect(decodeJwt(String(body['access_token'])).sub).toBe(service.user.id);
  });
});
