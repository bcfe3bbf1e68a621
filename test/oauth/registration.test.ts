import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REDIRECT_URI, startOAuth, type OAuthService } from './client.ts';

const APPROVED = 'https://app.example.com/oauth/callback';

describe('/oauth/register', () => {
  let service: OAuthService;
  beforeAll(async () => {
    service = await startOAuth({ APPROVED_REDIRECT_URIS: APPROVED });
  });
  afterAll(() => service.close());

  it('registers a native client, and answers with what it is', async () => {
    const { status, headers, body } = await service.register({
      client_name: 'Drawing Board',
      redirect_uris: [REDIRECT_URI],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      scope: 'mcp:read mcp:tools',
    });
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(body).toEqual({
      client_id: expect.any(String) as string,
      client_id_issued_at: expect.any(Number) as number,
      client_name: 'Drawing Board',
      redirect_uris: [REDIRECT_URI],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'mcp:read mcp:tools',
    });
  });

  it.each([
    'http://127.0.0.1/callback',
    'http://127.0.0.1:33418/',
    'http://[::1]:8080/callback',
    'http://localhost:18047/oauth/callback?from=app',
    APPROVED,
  ])('takes %s', async (uri) => {
    const { status, body } = await service.register({ redirect_uris: [uri] });
    expect({ status, redirects: body['redirect_uris'] }).toEqual({ status: 201, redirects: [uri] });
  });

  it.each([
    ['https://app.example.com/oauth/callback/', 'npm run clients -- approve'],
    ['https://app.example.com/oauth/callback?x=1', 'npm run clients -- approve'],
    ['https://evil.example/callback', 'npm run clients -- approve'],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'npm run clients -- approve'],
    ['http://evil.example/callback', 'https'],
    ['http://127.0.0.1.evil.example/callback', 'loopback'],
    ['http://localhost.evil.example/callback', 'loopback'],
    ['http://2130706433/callback', 'loopback'],
    ['http://0x7f.1/callback', 'loopback'],
    ['http://127.1/callback', 'loopback'],
    ['http://0177.0.0.1/callback', 'loopback'],
    ['http://localhost\\@evil.example/callback', 'characters'],
    [' http://127.0.0.1/callback', 'characters'],
    ['http://127.0.0.1/call\r\nback', 'characters'],
    ['http://user:secret@127.0.0.1/callback', 'user name'],
    ['http://127.0.0.1/callback#part', 'fragment'],
    ['https://localhost/callback', 'use http'],
    ['https://app.example.com./callback', 'dot'],
    ['https://APP.example.com/oauth/callback', 'unusual'],
    ['javascript:alert(1)', 'scheme'],
    ['data:text/html,hi', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['/callback', 'absolute'],
    ['', 'characters'],
    [`http://127.0.0.1/${'a'.repeat(3000)}`, 'longer'],
  ])('refuses %j, and with it the whole registration', async (uri, remedy) => {
    const before = (await service.library.stores.oauth.clients.list()).length;
    const { status, body } = await service.register({ redirect_uris: [REDIRECT_URI, uri] });
    expect({ status, error: body['error'] }).toEqual({ status: 400, error: 'invalid_redirect_uri' });
    expect(body['error_description']).toContain(remedy);
    expect(await service.library.stores.oauth.clients.list()).toHaveLength(before);
  });

  it('takes what an operator approves by command while it runs', async () => {
    const uri = 'drawing-board://oauth/callback';
    const { approvedRedirectUris } = service.library.stores.oauth;
    expect((await service.register({ redirect_uris: [uri] })).status).toBe(400);
    await approvedRedirectUris.approve(uri);
    expect((await service.register({ redirect_uris: [uri] })).status).toBe(201);
  });

  it('issues no secret and takes the client as public, whatever it asks for', async () => {
    const { status, body } = await service.register({
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
      application_type: 'web',
      id_token_signed_response_alg: 'RS256',
      subject_type: 'public',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      application_type: 'native',
    });
    for (const absent of [
      'client_secret',
      'client_secret_expires_at',
      'id_token_signed_response_alg',
      'subject_type',
    ]) {
      expect(body).not.toHaveProperty(absent);
    }
  });

  it('drops scopes that nobody supports, and echoes what it kept', async () => {
    const scope = 'mcp:read claudeai offline_access openid';
    const { body } = await service.register({ redirect_uris: [REDIRECT_URI], scope });
    expect(body['scope']).toBe('mcp:read');
    const none = await service.register({ redirect_uris: [REDIRECT_URI], scope: 'claudeai' });
    expect(none.status).toBe(201);
    expect(none.body).not.toHaveProperty('scope');
  });

  it('cleans names of what would make them show as others', async () => {
    const { body } = await service.register({
      redirect_uris: [REDIRECT_URI],
      client_name: 'Board\u202E\u0000gpj',
    });
    expect(body['client_name']).toBe('Boardgpj');
    const long = await service.register({ redirect_uris: [REDIRECT_URI], client_name: '🎨'.repeat(300) });
    expect(long.body['client_name']).toBe('🎨'.repeat(200));
  });

  it.each([
    ['no redirect URIs', {}, 'invalid_redirect_uri', 'redirect_uris'],
    ['an empty list of them', { redirect_uris: [] }, 'invalid_redirect_uri', 'at least one'],
    ['a string for the list', { redirect_uris: REDIRECT_URI }, 'invalid_redirect_uri', 'array'],
    ['numbers in the list', { redirect_uris: [1] }, 'invalid_redirect_uri', 'array of strings'],
    [
      'a scope that is a list',
      { redirect_uris: [REDIRECT_URI], scope: ['mcp:read'] },
      'invalid_client_metadata',
      'scope',
    ],
    [
      'a name that is a number',
      { redirect_uris: [REDIRECT_URI], client_name: 1 },
      'invalid_client_metadata',
      'client_name',
    ],
    [
      'a script for its page',
      { redirect_uris: [REDIRECT_URI], client_uri: 'javascript:1' },
      'invalid_client_metadata',
      'client_uri',
    ],
    [
      'other grants',
      { redirect_uris: [REDIRECT_URI], grant_types: ['client_credentials'] },
      'invalid_client_metadata',
      'grant_types',
    ],
    [
      'other responses',
      { redirect_uris: [REDIRECT_URI], response_types: ['token'] },
      'invalid_client_metadata',
      'response_types',
    ],
    [
      'too many redirects',
      { redirect_uris: Array.from({ length: 33 }, (_, i) => `${REDIRECT_URI}/${i}`) },
      'invalid_redirect_uri',
      '32',
    ],
    ['a list', [], 'invalid_client_metadata', 'object'],
    ['null', null, 'invalid_client_metadata', 'object'],
    ['no JSON', '{', 'invalid_client_metadata', 'JSON'],
  ])('refuses %s, and says what is wrong', async (_name, metadata, error, named) => {
    const { status, body } = await service.register(metadata);
    expect({ status, error: body['error'] }).toEqual({ status: 400, error });
    expect(String(body['error_description']).toLowerCase()).toContain(named.toLowerCase());
  });

  it('refuses bodies of another type, and over-long ones', async () => {
    const post = (body: string, type: string) =>
      fetch(`${service.url}/oauth/register`, { method: 'POST', headers: { 'content-type': type }, body });
    const form = await post('redirect_uris=x', 'application/x-www-form-urlencoded');
    expect(form.status).toBe(400);
    expect(await form.json()).toMatchObject({ error: 'invalid_client_metadata' });
    const long = await post(
      JSON.stringify({ redirect_uris: [REDIRECT_URI], x: 'a'.repeat(70_000) }),
      'application/json',
    );
    expect(long.status).toBe(413);
    expect(await long.json()).toMatchObject({ error: 'invalid_client_metadata' });
  });
});
