import { decodeJwt } from 'jose';
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { authorization } from '../browser/client.ts';
import { advance, resetClock } from './clock.ts';
import { register } from './requests.ts';
import { startClientsService, type ClientsService } from './user.ts';

// Requests that clients were seen to send, whatever the standards say.

const REFRESH_TOKEN_SECONDS = 30 * 24 * 60 * 60;
const REDIRECT = 'http://127.0.0.1:6276/oauth/callback';

let service: ClientsService;
let clientId: string;
beforeAll(async () => {
  service = await startClientsService();
  clientId = await registered({});
});
afterAll(() => service.close());

async function registered(metadata: Record<string, unknown>): Promise<string> {
  const { status, body } = await register(service.url, { redirect_uris: [REDIRECT], ...metadata });
  expect(status).toBe(201);
  return body.client_id ?? '';
}

const request = (extra: Record<string, string> = {}) =>
  authorization(service.url, { clientId, redirectUri: REDIRECT, extra });

/** Where the browser is sent before anybody is asked anything. */
async function refusalOf(url: string): Promise<URLSearchParams> {
  const answer = await fetch(url, { redirect: 'manual' });
  const location = new URL(answer.headers.get('location') ?? 'none:');
  expect(location.origin + location.pathname).toBe(REDIRECT);
  expect(location.searchParams.get('iss')).toBe(service.url);
  return location.searchParams;
}

async function redeem(asked: ReturnType<typeof request>): Promise<Record<string, unknown>> {
  const answer = await service.approve(asked.url);
  const { status, body } = await asked.redeem(answer.searchParams.get('code') ?? '');
  expect(status).toBe(200);
  return body;
}

describe('resource', () => {
  it.each([
    ['with a slash at its end', (mcp: string) => `${mcp}/`],
    ['with a scheme in capitals', (mcp: string) => mcp.replace('http:', 'HTTP:')],
  ])('is taken %s; the token has the canonical spelling', async (_how, respell) => {
    const { access_token } = await redeem(request({ resource: respell(`${service.url}/mcp`) }));
    expect(decodeJwt(String(access_token)).aud).toBe(`${service.url}/mcp`);
  });

  it.each(['?session=1', '/sse', '#top'])('with %s is refused, with what to send', async (tail) => {
    const refusal = await refusalOf(request({ resource: `${service.url}/mcp${tail}` }).url);
    expect(refusal.get('error')).toBe('invalid_target');
    expect(refusal.get('error_description')).toContain(`${service.url}/mcp${tail} is not known`);
    expect(refusal.get('error_description')).toContain(`use ${service.url}/mcp for MCP`);
  });

  it('that is left out is asked for by name and value', async () => {
    const url = new URL(request().url);
    url.searchParams.delete('resource');
    const refusal = await refusalOf(url.href);
    expect(refusal.get('error')).toBe('invalid_target');
    expect(refusal.get('error_description')).toContain(
      `The parameter resource is missing; use ${service.url}/mcp for MCP`,
    );
  });

  it('of the metadata is exactly the address that users type', async () => {
    const found = await fetch(`${service.url}/.well-known/oauth-protected-resource/mcp`);
    expect(await found.json()).toMatchObject({ resource: `${service.url}/mcp` });
  });
});

describe('scope', () => {
  it.each(['claudeai', 'offline_access', 'openid profile email'])(
    '%s is dropped at registration, and refused by name at authorization',
    async (scope) => {
      const { status, body } = await register(service.url, { redirect_uris: [REDIRECT], scope });
      expect([status, body['scope']]).toEqual([201, undefined]);
      const refusal = await refusalOf(request({ scope: `mcp:read ${scope}` }).url);
      expect(refusal.get('error')).toBe('invalid_scope');
      expect(refusal.get('error_description')).toBe(
        `The scope ${scope.split(' ')[0]} is not supported; there are mcp:read and mcp:tools.`,
      );
    },
  );

  it('may be named at authorization although none was registered', async () => {
    expect(await redeem(request({ scope: 'mcp:read' }))).toMatchObject({ scope: 'mcp:read' });
  });

  it('keeps the supported part of a registration that has more', async () => {
    const { body } = await register(service.url, { redirect_uris: [REDIRECT], scope: 'claudeai mcp:read' });
    expect(body['scope']).toBe('mcp:read');
  });
});

describe('probes for metadata', () => {
  it.each([
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/mcp',
    '/mcp/.well-known/openid-configuration',
    '/mcp/.well-known/oauth-protected-resource',
  ])('%s is not there, in JSON', async (path) => {
    const answer = await fetch(service.url + path, { headers: { 'mcp-protocol-version': '2025-11-25' } });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toMatch(/json/);
    await expect(answer.json()).resolves.toMatchObject({ status: 404 });
  });

  it("the root form of the protected resource metadata is the MCP endpoint's", async () => {
    const answer = await fetch(`${service.url}/.well-known/oauth-protected-resource`);
    expect(await answer.json()).toMatchObject({
      resource: `${service.url}/mcp`,
      authorization_servers: [service.url],
    });
  });
});

describe('the authorization request', () => {
  it('may have a verifier of 128 characters with dots and tildes', async () => {
    const verifier = '.~_-'.repeat(32);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const answer = await service.approve(request({ code_challenge: challenge }).url);
    const token = await tokenRequest({
      grant_type: 'authorization_code',
      code: answer.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT,
      code_verifier: verifier,
      resource: `${service.url}/mcp`,
    });
    expect(token.status).toBe(200);
  });

  it.each([
    ['javascript:alert(1)', 'has the scheme javascript:, which is refused'],
    ['data:text/html,hello', 'has the scheme data:, which is refused'],
    ['http://tools.example/callback', 'is plain http to a host that is not loopback'],
    ['https://tools.example/callback#token', 'has a fragment'],
    ['https://user@tools.example/callback', 'has a user name or password'],
  ])('cannot be for %s', async (uri, fault) => {
    const { status, body } = await register(service.url, { redirect_uris: [REDIRECT, uri] });
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri']);
    expect(body.error_description).toContain(`${uri} ${fault}`);
  });
});

function tokenRequest(parameters: Record<string, string> | string): Promise<Response> {
  const body = new URLSearchParams(parameters);
  if (!body.has('client_id')) body.set('client_id', clientId);
  return fetch(`${service.url}/oauth/token`, { method: 'POST', body });
}

describe('a refresh', () => {
  afterEach(resetClock);
  let refreshToken: string;
  beforeEach(async () => {
    refreshToken = String((await redeem(request()))['refresh_token']);
  });

  it.each([
    ['no resource', '', 'invalid_target', 'resource must be there exactly once'],
    ['two resources', 'resource=MCP&resource=MCP', 'invalid_target', 'exactly once'],
    [
      'another resource',
      'resource=https://other.example/mcp',
      'invalid_grant',
      'must be the one of the authorization request',
    ],
    ['another scope', 'resource=MCP&scope=mcp:read+admin', 'invalid_scope', 'scope'],
    ['an unknown client_id', 'resource=MCP&client_id=nobody', 'invalid_client', 'register again'],
  ])(
    'with %s is refused with the remedy, and the token can still be used',
    async (_what, parameters, error, remedy) => {
      const mcp = encodeURIComponent(`${service.url}/mcp`);
      const refresh = `grant_type=refresh_token&refresh_token=${refreshToken}`;
      const refused = await tokenRequest(`${refresh}&${parameters.replaceAll('MCP', mcp)}`);
      expect(refused.status).toBe(error === 'invalid_client' ? 401 : 400);
      const body = (await refused.json()) as Record<string, string>;
      expect(body['error']).toBe(error);
      expect(body['error_description']).toContain(remedy);

      expect((await tokenRequest(`${refresh}&resource=${mcp}`)).status).toBe(200);
    },
  );

  it.each([
    ['revoked', (token: string) => token],
    ['never issued', () => 'a'.repeat(43)],
    ['made up', () => 'e30.e30.e30'],
  ])('with a token that was %s is invalid_grant, with what to do', async (_what, alter) => {
    await fetch(`${service.url}/oauth/revoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: refreshToken, token_type_hint: 'refresh_token' }),
    });
    const answer = await tokenRequest({
      grant_type: 'refresh_token',
      refresh_token: alter(refreshToken),
      resource: `${service.url}/mcp`,
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: 'invalid_grant',
      error_description: expect.stringContaining('send the user through authorization again'),
    });
  });

  it('with a token that nobody used for a month is invalid_grant', async () => {
    advance(REFRESH_TOKEN_SECONDS + 10);
    const answer = await tokenRequest({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      resource: `${service.url}/mcp`,
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: 'invalid_grant',
      error_description: 'The refresh token has expired; send the user through authorization again.',
    });
  });
});
