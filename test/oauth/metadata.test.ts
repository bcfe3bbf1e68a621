import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOAuth, type OAuthService } from './client.ts';

const BASE_URL = 'https://vitrine.example.com';

describe('authorization server metadata', () => {
  let service: OAuthService;
  beforeAll(async () => {
    service = await startOAuth();
  });
  afterAll(() => service.close());

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${service.url}${path}`, { headers });

  it('has what clients need, and nothing of OpenID', async () => {
    const response = await get('/.well-known/oauth-authorization-server');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const { url } = service;
    expect(await response.json()).toEqual({
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize`,
      token_endpoint: `${url}/oauth/token`,
      registration_endpoint: `${url}/oauth/register`,
      revocation_endpoint: `${url}/oauth/revoke`,
      jwks_uri: `${url}/.well-known/jwks.json`,
      scopes_supported: ['mcp:read', 'mcp:tools'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: `${url}/docs`,
    });
  });

  /** `fetch` sends no host but the right one. */
  async function ask(path: string, headers: Record<string, string>) {
    const [answer] = (await once(httpGet(`${service.url}${path}`, { headers }), 'response')) as [
      IncomingMessage,
    ];
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
  }

  it('takes its addresses from configuration, whatever host is asked', async () => {
    const { body } = await ask('/.well-known/oauth-authorization-server', { host: 'evil.example' });
    expect(body).not.toContain('evil.example');
  });

  it.each([{ host: '%%%' }, { host: 'localhost:99999' }, { 'x-forwarded-host': '%%%' }])(
    'authorizes whatever host is asked: %j',
    async (headers) => {
      const { parameters } = service.request(await service.newClient());
      const path = `/oauth/authorize?${new URLSearchParams(parameters).toString()}`;
      const answer = await ask(path, headers);
      expect(answer.status).toBe(303);
      expect(answer.headers.location).toMatch(/^\/oauth\/interaction\//);
      expect(JSON.stringify(service.logged)).not.toContain(parameters['state']);
    },
  );

  it.each([
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/nothing',
  ])('answers a probe of %s with a problem in JSON', async (path) => {
    const response = await get(path, { accept: 'text/html' });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toMatch(/json/);
  });

  it.each([
    ['GET', '/oauth/token'],
    ['GET', '/oauth/register'],
    ['GET', '/oauth/revoke'],
    ['POST', '/oauth/authorize'],
    ['POST', '/.well-known/oauth-authorization-server'],
  ])('refuses %s %s, and says which methods there are', async (method, path) => {
    const response = await fetch(`${service.url}${path}`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBeTruthy();
  });

  it.each(['/oauth/token', '/oauth/register', '/oauth/revoke'])(
    'lets pages of any origin call %s',
    async (path) => {
      const preflight = await fetch(`${service.url}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://client.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type, mcp-protocol-version',
        },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
      expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain(
        'mcp-protocol-version',
      );
      const answer = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { origin: 'https://client.example' },
      });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.status).toBe(400);
    },
  );

  it('lets no page of another origin read /oauth/authorize', async () => {
    const answer = await get('/oauth/authorize', { origin: 'https://client.example' });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('behind TLS', () => {
  it('has cookies that are for https alone, whatever the proxy tells', async () => {
    const service = await startOAuth({ BASE_URL });
    const { body } = await service.register({ redirect_uris: ['http://127.0.0.1/callback'] });
    const { parameters } = service.request(String(body['client_id']), {
      redirect_uri: 'http://127.0.0.1:4000/callback',
    });
    const answer = await fetch(
      `${service.url}/oauth/authorize?${new URLSearchParams(parameters).toString()}`,
      {
        redirect: 'manual',
      },
    );
    expect(answer.status).toBe(303);
    const cookies = answer.headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies)
      expect(cookie).toMatch(/; secure; httponly; samesite=lax|; samesite=lax; secure; httponly/i);
    await service.close();
  });
});
