import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { challengeOf, decode, REDIRECT_URI, startOAuth, tokensOf, type OAuthService } from './client.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('/oauth/token', () => {
  let service: OAuthService;
  let clientId: string;
  beforeAll(async () => {
    service = await startOAuth();
    clientId = await service.newClient();
  });
  afterAll(() => service.close());
  afterEach(() => void vi.useRealTimers());

  /** The whole process goes on to a later moment. */
  function travel(ms: number): void {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  }

  it('answers a code with what the contract says, and is not for caches', async () => {
    const { form } = await service.code(clientId, { scope: 'mcp:read' });
    const { status, headers, body } = await service.postToken(form);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(body).toSorted()).toEqual([
      'access_token',
      'expires_in',
      'refresh_token',
      'scope',
      'token_type',
    ]);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'mcp:read' });
  });

  it('signs MCP tokens as RFC 9068 says, by the key that jwks.json has', async () => {
    const { accessToken } = await service.connect(clientId);
    const { header, claims } = decode(accessToken);
    const { keys } = (await (await fetch(`${service.url}/.well-known/jwks.json`)).json()) as {
      keys: { kid: string }[];
    };
    expect(header).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
    expect(keys.map((key) => key.kid)).toContain(header['kid']);
    expect(claims).toMatchObject({
      iss: service.url,
      sub: service.userId,
      aud: service.resources.mcp.id,
      client_id: clientId,
      scope: 'mcp:read mcp:tools',
    });
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(900);
    expect(claims).toHaveProperty('jti');
    expect(claims).toHaveProperty('grant_id');
    expect(await service.callMcp(accessToken)).toBe(200);
  });

  it('signs tokens of the REST API by HS256 for a day; neither host takes the token of the other', async () => {
    const api = await service.connect(clientId, { resource: service.resources.api.id });
    const { header, claims } = decode(api.accessToken);
    expect(header).toMatchObject({ alg: 'HS256', typ: 'at+jwt' });
    expect(claims).toMatchObject({ aud: service.resources.api.id, scope: 'api' });
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(86_400);
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    expect((await fetch(`${service.url}/api/v1/screens`, bearer(api.accessToken))).status).toBe(200);
    expect(await service.callMcp(api.accessToken)).toBe(401);
    const mcp = await service.connect(clientId);
    expect((await fetch(`${service.url}/api/v1/screens`, bearer(mcp.accessToken))).status).toBe(401);
  });

  it('rotates: every refresh has a new token, which works', async () => {
    const first = await service.connect(clientId);
    const answer = await service.refresh(clientId, first.refreshToken);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toMatchObject({ expires_in: 900, scope: 'mcp:read mcp:tools' });
    const second = tokensOf(answer);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(await service.callMcp(second.accessToken)).toBe(200);
    const third = await service.refresh(clientId, second.refreshToken, { scope: 'mcp:read' });
    expect(third.body).toMatchObject({ scope: 'mcp:read' });
  });

  it('ends the whole family when a refresh token comes twice, its access tokens included', async () => {
    const first = await service.connect(clientId);
    const second = tokensOf(await service.refresh(clientId, first.refreshToken));
    const again = await service.refresh(clientId, first.refreshToken);
    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(again.body['error_description']).toContain('used before');
    expect((await service.refresh(clientId, second.refreshToken)).body['error']).toBe('invalid_grant');
    travel(60_000);
    expect(await service.callMcp(second.accessToken)).toBe(401);
  });

  it('ends what a code was exchanged for when the code comes again', async () => {
    const { form } = await service.code(clientId);
    const tokens = tokensOf(await service.postToken(form));
    const again = await service.postToken(form);
    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(again.body['error_description']).toContain('used before');
    expect((await service.refresh(clientId, tokens.refreshToken)).status).toBe(400);
  });

  it('keeps two connections of one client in one browser apart', async () => {
    const one = await service.connect(clientId);
    const other = await service.connect(clientId);
    await service.refresh(clientId, one.refreshToken);
    expect((await service.refresh(clientId, one.refreshToken)).status).toBe(400);
    const lives = tokensOf(await service.refresh(clientId, other.refreshToken));
    await service.revoke({ token: lives.refreshToken });
    expect((await service.refresh(clientId, lives.refreshToken)).status).toBe(400);
  });

  it.each([
    ['missing', undefined, 'invalid_target'],
    ['of another resource', 'api', 'invalid_grant'],
    ['unknown', 'https://elsewhere.example/mcp', 'invalid_grant'],
    ['repeated', 'twice', 'invalid_target'],
  ])('uses up neither code nor refresh token when the resource is %s', async (_name, wrong, error) => {
    const { form } = await service.code(clientId);
    const spoil = (right: Record<string, string>) => {
      const spoilt = new URLSearchParams(right);
      if (wrong === undefined) spoilt.delete('resource');
      else if (wrong === 'twice') spoilt.append('resource', String(right['resource']));
      else spoilt.set('resource', wrong === 'api' ? service.resources.api.id : wrong);
      return spoilt;
    };
    const refused = await service.postToken(spoil(form));
    expect(refused).toMatchObject({ status: 400, body: { error } });
    expect(refused.body['error_description']).toContain(service.resources.mcp.id);
    const { refreshToken } = tokensOf(await service.postToken(form));

    const refresh = {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: refreshToken,
      resource: service.resources.mcp.id,
    };
    expect(await service.postToken(spoil(refresh))).toMatchObject({ status: 400, body: { error } });
    expect((await service.postToken(refresh)).status).toBe(200);
  });

  it('takes the resource in other spellings, and issues for the canonical one', async () => {
    const spelled = `${service.resources.mcp.id.replace('http:', 'HTTP:')}/`;
    const { form } = await service.code(clientId, { resource: spelled });
    const { accessToken, refreshToken } = tokensOf(await service.postToken({ ...form, resource: spelled }));
    expect(decode(accessToken).claims['aud']).toBe(service.resources.mcp.id);
    const refreshed = tokensOf(await service.refresh(clientId, refreshToken, { resource: spelled }));
    expect(decode(refreshed.accessToken).claims['aud']).toBe(service.resources.mcp.id);
  });

  it.each([
    ['a wrong verifier', { code_verifier: 'a'.repeat(43) }, 'code_verifier'],
    ['no verifier', { code_verifier: '' }, 'code_verifier'],
    ['another redirect URI', { redirect_uri: `${REDIRECT_URI}/other` }, 'redirect_uri'],
    ['an unknown code', { code: 'unknown' }, 'code'],
  ])('refuses %s as invalid_grant, and the code stays good', async (_name, changes, named) => {
    const { form } = await service.code(clientId);
    const refused = await service.postToken({ ...form, ...changes });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(refused.body['error_description']).toContain(named);
    expect((await service.postToken(form)).status).toBe(200);
  });

  it('takes a verifier of 128 characters with all that RFC 7636 allows', async () => {
    const verifier = 'aZ09-._~'.repeat(16);
    const { form } = await service.code(clientId, { code_challenge: challengeOf(verifier) });
    expect((await service.postToken({ ...form, code_verifier: verifier })).status).toBe(200);
  });

  it('gives neither code nor refresh token of one client to another', async () => {
    const other = await service.newClient();
    const { form } = await service.code(clientId);
    expect(await service.postToken({ ...form, client_id: other })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    const { refreshToken } = tokensOf(await service.postToken(form));
    const stolen = await service.refresh(other, refreshToken);
    expect(stolen).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(stolen.body['error_description']).toContain('another client');
    expect((await service.refresh(clientId, refreshToken)).status).toBe(200);
  });

  it('refuses scopes: unsupported ones, and more than was granted', async () => {
    const { form } = await service.code(clientId, { scope: 'mcp:read' });
    expect(await service.postToken({ ...form, scope: 'mcp:write' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    });
    const { refreshToken } = tokensOf(await service.postToken(form));
    for (const scope of ['mcp:tools', 'mcp:write']) {
      expect(await service.refresh(clientId, refreshToken, { scope })).toMatchObject({
        status: 400,
        body: { error: 'invalid_scope' },
      });
    }
    expect((await service.refresh(clientId, refreshToken)).status).toBe(200);
  });

  it('lets a code live for a minute', async () => {
    const { form } = await service.code(clientId);
    travel(61_000);
    const late = await service.postToken(form);
    expect(late).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(late.body['error_description']).toContain('expired');
  });

  it('lets a refresh token live for thirty days from its issue, and a connection for a year', async () => {
    let { refreshToken } = await service.connect(clientId);
    const start = Date.now();
    travel(29 * DAY_MS);
    ({ refreshToken } = tokensOf(await service.refresh(clientId, refreshToken)));
    travel(31 * DAY_MS);
    const late = await service.refresh(clientId, refreshToken);
    expect(late).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(late.body['error_description']).toContain('expired');

    vi.useRealTimers();
    ({ refreshToken } = await service.connect(clientId));
    for (let days = 25; days < 365; days += 25) {
      vi.useFakeTimers({ toFake: ['Date'], now: start + days * DAY_MS });
      ({ refreshToken } = tokensOf(await service.refresh(clientId, refreshToken)));
    }
    vi.useFakeTimers({ toFake: ['Date'], now: start + 366 * DAY_MS });
    expect((await service.refresh(clientId, refreshToken)).body['error']).toBe('invalid_grant');
  });

  it('answers JSON also to who asks for a page', async () => {
    const { status, headers, body } = await service.postToken(
      { grant_type: 'refresh_token' },
      { accept: 'text/html' },
    );
    expect(status).toBe(400);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body['error']).toBe('invalid_request');
  });

  it('refuses clients that are unknown, or show a secret, and says how it is done', async () => {
    const unknown = await service.refresh('nobody', 'whatever');
    expect(unknown).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(unknown.body['error_description']).toContain('/oauth/register');
    const basic = `Basic ${Buffer.from(`${clientId}:secret`).toString('base64')}`;
    const secret = await service.postToken(
      { grant_type: 'refresh_token', refresh_token: 'x' },
      { authorization: basic },
    );
    expect(secret.body['error_description']).toContain('without a secret');
    expect(secret.status).toBe(401);
  });

  it('stops for a removed user, a removed client and a withdrawn redirect URI at once', async () => {
    const { accounts, oauth } = service.library.stores;
    const gone = await service.newClient();
    const tokens = await service.connect(gone);
    const { form } = await service.code(gone);
    await oauth.clients.remove(gone);
    expect((await service.refresh(gone, tokens.refreshToken)).status).toBe(401);
    expect((await service.postToken(form)).status).toBe(401);
    expect((await service.authorize(service.request(gone).parameters)).status).toBe(401);

    const hosted = 'https://app.example.com/callback';
    await oauth.approvedRedirectUris.approve(hosted);
    const approved = await service.newClient([hosted]);
    const kept = await service.connect(approved, { redirect_uri: hosted });
    await oauth.approvedRedirectUris.withdraw(hosted);
    expect(
      (await service.authorize(service.request(approved, { redirect_uri: hosted }).parameters)).status,
    ).toBe(401);
    expect((await service.refresh(approved, kept.refreshToken)).body['error']).toBe('invalid_client');

    const last = await service.connect(clientId);
    const { form: unused } = await service.code(clientId);
    await accounts.remove(service.userId);
    expect((await service.refresh(clientId, last.refreshToken)).body['error']).toBe('invalid_grant');
    expect((await service.postToken(unused)).body['error']).toBe('invalid_grant');
  });
});
