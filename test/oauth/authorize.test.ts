import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVisitor } from '../pages/visitor.ts';
import { REDIRECT_URI, startOAuth, type OAuthService } from './client.ts';

describe('/oauth/authorize', () => {
  let service: OAuthService;
  let clientId: string;
  beforeAll(async () => {
    service = await startOAuth();
    clientId = await service.newClient();
  });
  afterAll(() => service.close());

  const withChanges = (changes: Record<string, string | undefined>, extra: [string, string][] = []) => {
    const { parameters } = service.request(clientId);
    const search = new URLSearchParams(parameters);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) search.delete(name);
      else search.set(name, value);
    }
    for (const [name, value] of extra) search.append(name, value);
    return { search, state: search.get('state') };
  };

  it('leads through consent back to the client, with code, state and issuer', async () => {
    const { parameters } = service.request(clientId);
    const back = await service.consent({ ...parameters, state: 'a b&c=ü/?#' });
    expect(back.href.startsWith(`${REDIRECT_URI}?`)).toBe(true);
    expect([...back.searchParams.keys()].toSorted()).toEqual(['code', 'iss', 'state']);
    expect(back.searchParams.get('state')).toBe('a b&c=ü/?#');
    expect(back.searchParams.get('iss')).toBe(service.url);
  });

  it('keeps the query of a registered redirect URI', async () => {
    const uri = 'http://localhost:4000/callback?from=app';
    const id = await service.newClient([uri]);
    const back = await service.consent(service.request(id, { redirect_uri: uri }).parameters);
    expect(back.searchParams.get('from')).toBe('app');
    expect(back.searchParams.get('code')).toBeTruthy();
  });

  it.each([
    ['missing response_type', { response_type: undefined }, 'invalid_request', 'response_type'],
    ['response_type token', { response_type: 'token' }, 'unsupported_response_type', 'code'],
    ['response_type code token', { response_type: 'code token' }, 'unsupported_response_type', 'code'],
    ['missing code_challenge', { code_challenge: undefined }, 'invalid_request', 'code_challenge'],
    ['a short code_challenge', { code_challenge: 'abc' }, 'invalid_request', '43'],
    [
      'a code_challenge with padding',
      { code_challenge: `${'a'.repeat(42)}=` },
      'invalid_request',
      'base64url',
    ],
    ['missing code_challenge_method', { code_challenge_method: undefined }, 'invalid_request', 'S256'],
    ['code_challenge_method plain', { code_challenge_method: 'plain' }, 'invalid_request', 'S256'],
    ['missing resource', { resource: undefined }, 'invalid_target', 'resource'],
    ['an unknown resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target', 'not known'],
    ['a resource with a fragment', { resource: 'http://127.0.0.1/mcp#x' }, 'invalid_target', 'not known'],
    ['a resource that is no URL', { resource: 'mcp' }, 'invalid_target', 'not known'],
    ['an unsupported scope', { scope: 'mcp:read claudeai' }, 'invalid_scope', 'claudeai'],
    ['the scope of the other resource', { scope: 'api' }, 'invalid_scope', 'api'],
    ['a request object', { request: 'e30.e30.' }, 'request_not_supported', 'plain parameters'],
    [
      'a request_uri',
      { request_uri: 'https://app.example/request' },
      'request_uri_not_supported',
      'plain parameters',
    ],
    ['response_mode fragment', { response_mode: 'fragment' }, 'invalid_request', 'query'],
    ['prompt none', { prompt: 'none' }, 'interaction_required', 'consent'],
  ] as const)(
    'tells the client of %s by redirect, with state and issuer',
    async (_name, changes, error, named) => {
      const { search, state } = withChanges(changes);
      const answer = await service.authorize(search);
      expect(answer.status).toBe(303);
      const back = new URL(answer.headers.get('location') ?? '');
      expect(`${back.origin}${back.pathname}`).toBe(REDIRECT_URI);
      expect(Object.fromEntries(back.searchParams)).toMatchObject({ error, state, iss: service.url });
      expect(back.searchParams.get('error_description')).toContain(named);
      expect(back.searchParams.has('code')).toBe(false);
    },
  );

  it('asks for a state', async () => {
    for (const state of [undefined, '']) {
      const back = new URL(
        (await service.authorize(withChanges({ state }).search)).headers.get('location') ?? '',
      );
      expect(back.searchParams.get('error')).toBe('invalid_request');
      expect(back.searchParams.get('error_description')).toContain('state');
    }
  });

  it.each([
    'response_type',
    'state',
    'code_challenge',
    'code_challenge_method',
    'scope',
    'prompt',
    'resource',
  ])('refuses a repeated %s', async (name) => {
    const { search } = withChanges({ [name]: 'login' }, [[name, 'login']]);
    const back = new URL((await service.authorize(search)).headers.get('location') ?? '');
    expect(back.searchParams.get('error')).toBe(name === 'resource' ? 'invalid_target' : 'invalid_request');
    expect(back.searchParams.get('error_description')).toContain(name);
  });

  it.each([
    ['an unknown client', { client_id: 'nobody' }, 401, '/oauth/register'],
    ['no client', { client_id: undefined }, 400, 'client_id is missing'],
    ['no redirect URI', { redirect_uri: undefined }, 400, 'redirect_uri is missing'],
    ['a redirect URI of others', { redirect_uri: 'https://evil.example/' }, 400, 'redirect_uri'],
    ['another path', { redirect_uri: `${REDIRECT_URI}/deeper` }, 400, 'redirect_uri'],
    ['a dot segment', { redirect_uri: `${REDIRECT_URI}/../evil` }, 400, 'redirect_uri'],
    ['another loopback name', { redirect_uri: 'http://localhost:49152/callback' }, 400, 'redirect_uri'],
    ['https to loopback', { redirect_uri: 'https://127.0.0.1:49152/callback' }, 400, 'redirect_uri'],
    ['a user in the address', { redirect_uri: 'http://evil@127.0.0.1:49152/callback' }, 400, 'redirect_uri'],
    ['a script', { redirect_uri: 'javascript:alert(1)' }, 400, 'redirect_uri'],
    [
      'an over-long redirect URI',
      { redirect_uri: `http://127.0.0.1/${'a'.repeat(5000)}` },
      400,
      'redirect_uri',
    ],
  ] as const)('shows a page for %s, and redirects nobody', async (_name, changes, status, named) => {
    const answer = await service.authorize(withChanges(changes).search);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.text()).toContain(named);
  });

  it.each(['client_id', 'redirect_uri'])('redirects nobody when %s is repeated', async (name) => {
    const { search } = withChanges({}, [[name, 'https://evil.example/']]);
    const answer = await service.authorize(search);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('more than once');
  });

  it('leaves the port of a loopback address to the client', async () => {
    const id = await service.newClient(['http://127.0.0.1/callback', 'http://[::1]/callback']);
    for (const redirect_uri of ['http://127.0.0.1:65000/callback', 'http://[::1]:1024/callback']) {
      const back = await service.consent(service.request(id, { redirect_uri }).parameters);
      expect(back.href.startsWith(redirect_uri)).toBe(true);
    }
  });

  it('leaves no port but its own to a hosted address', async () => {
    const uri = 'https://app.example.com/callback';
    await service.library.stores.oauth.approvedRedirectUris.approve(uri);
    const id = await service.newClient([uri, 'http://127.0.0.1/']);
    const other = service.request(id, { redirect_uri: 'https://app.example.com:8443/callback' });
    expect((await service.authorize(other.parameters)).status).toBe(400);
  });

  it('asks for the scopes that the client registered, or for both', async () => {
    const { body } = await service.register({ redirect_uris: [REDIRECT_URI], scope: 'mcp:read' });
    const registered = String(body['client_id']);
    const { form } = await service.code(registered);
    expect((await service.postToken(form)).body['scope']).toBe('mcp:read');
    const more = await service.code(registered, { scope: 'mcp:read mcp:tools' });
    expect((await service.postToken(more.form)).body['scope']).toBe('mcp:read mcp:tools');
    const { form: absent } = await service.code(clientId);
    expect((await service.postToken(absent)).body['scope']).toBe('mcp:read mcp:tools');
  });

  it('ignores parameters that it does not know', async () => {
    const { parameters } = service.request(clientId);
    const back = await service.consent({
      ...parameters,
      nonce: 'n',
      audience: 'x',
      max_age: '0',
      display: 'popup',
      prompt: 'toString',
    });
    expect(back.searchParams.get('code')).toBeTruthy();
  });

  it('tells the client of a denial', async () => {
    const { parameters } = service.request(clientId);
    const back = await service.consent(parameters, 'abort');
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: parameters['state'],
      iss: service.url,
    });
  });

  it('has nothing that another browser could go on with', async () => {
    const answer = await service.authorize(service.request(clientId).parameters);
    const interaction = new URL(answer.headers.get('location') ?? '', service.url);
    const uid = interaction.pathname.split('/').at(-1) ?? '';
    const stranger = createVisitor(service.url);
    expect((await stranger.get(interaction.pathname)).status).toBe(410);
    const resumed = await stranger.get(`/oauth/authorize/${uid}`);
    expect(resumed.status).toBe(400);
    expect(resumed.headers.get('location')).toBeNull();
  });

  it('stores neither codes, tokens nor cookies in clear', async () => {
    const { code, form } = await service.code(clientId);
    const { body } = await service.postToken(form);
    const { parameters } = service.request(clientId);
    await service.authorize(parameters);
    const secrets = [code, String(body['refresh_token']), ...service.visitor.cookies.values()];
    const { DatabaseSync } = await import('node:sqlite');
    const db = new DatabaseSync(`${service.dataDir}/library.db`, { readOnly: true });
    const rows = db
      .prepare('select * from oauth_records')
      .all()
      .map((row) => JSON.stringify(row));
    const sessions = db
      .prepare('select * from sign_in_sessions')
      .all()
      .map((row) => JSON.stringify(row));
    db.close();
    expect(rows.length).toBeGreaterThan(2);
    for (const secret of secrets.filter((value) => value.length > 10)) {
      expect([...rows, ...sessions].filter((row) => row.includes(secret))).toEqual([]);
    }
  });
});
