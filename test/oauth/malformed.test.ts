import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REDIRECT_URI, startOAuth, tokensOf, type OAuthService } from './client.ts';

/** What programs, broken clients and attackers put where a parameter belongs. */
const ODD_VALUES: Readonly<Record<string, string>> = {
  empty: '',
  space: ' ',
  'NUL and controls': 'a\u0000b\u0007\r\nX-Injected: 1',
  'lone percent': '%',
  'not ASCII': 'ü漢字🎨',
  markup: '"><script>alert(1)</script>',
  JSON: '{"$ne":null}',
  SQL: "' or 1=1 --",
  path: '../../etc/passwd',
  'a URL elsewhere': 'https://evil.example/callback',
  prototype: '__proto__',
  'over-long': 'a'.repeat(6000),
};
const AUTHORIZE = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'scope',
  'prompt',
  'response_mode',
  'request',
  'request_uri',
];
const CODE = ['grant_type', 'client_id', 'code', 'redirect_uri', 'code_verifier', 'resource', 'scope'];
const REFRESH = ['grant_type', 'client_id', 'refresh_token', 'resource', 'scope'];

/** Registered codes for these endpoints: RFC 6749 §4.1.2.1, §5.2, RFC 8707 §2, RFC 9101 §7, OpenID Connect Core §3.1.2.6. */
const CODES = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unsupported_grant_type',
  'unsupported_response_type',
  'request_not_supported',
  'request_uri_not_supported',
]);

type Change = (right: URLSearchParams, name: string) => void;
const CHANGES: [string, Change][] = [
  ['missing', (right, name) => right.delete(name)],
  ['repeated', (right, name) => right.append(name, right.get(name) ?? 'x')],
  ['repeated as an array', (right, name) => right.append(`${name}[]`, 'x')],
  ...Object.entries(ODD_VALUES).map(([what, value]): [string, Change] => [
    what,
    (right, name) => right.set(name, value),
  ]),
];
const casesOf = (names: string[]) =>
  names.flatMap((name) => CHANGES.map(([what, change]) => ({ name, what, change })));

describe('malformed parameters', () => {
  let service: OAuthService;
  let clientId: string;
  beforeAll(async () => {
    service = await startOAuth();
    clientId = await service.newClient();
  });
  afterAll(() => service.close());

  it.each(casesOf(AUTHORIZE))('of /oauth/authorize: $name, $what', async ({ name, change }) => {
    const parameters = new URLSearchParams(service.request(clientId).parameters);
    change(parameters, name);
    const answer = await service.authorize(parameters);
    const location = answer.headers.get('location');
    expect(answer.status).toBeLessThan(500);
    expect(answer.headers.get('x-injected')).toBeNull();
    if (location === null) {
      // A page, for a request whose client or address is not to be trusted.
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(await answer.text()).not.toContain('<script>alert');
      return;
    }
    const to = new URL(location, service.url);
    if (to.origin === service.url) {
      expect(to.pathname).toMatch(/^\/oauth\/interaction\//);
      return;
    }
    expect(`${to.origin}${to.pathname}`).toBe(REDIRECT_URI);
    expect(CODES).toContain(to.searchParams.get('error'));
    expect(to.searchParams.get('error_description')).toBeTruthy();
  });

  it.each(casesOf(CODE))('of a code request: $name, $what', async ({ name, change }) => {
    const { form } = await service.code(clientId);
    const spoilt = new URLSearchParams(form);
    change(spoilt, name);
    await expectRefusalOrTokens(spoilt);
  });

  it.each(casesOf(REFRESH))('of a refresh request: $name, $what', async ({ name, change }) => {
    const { refreshToken } = await service.connect(clientId);
    const spoilt = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: refreshToken,
      resource: service.resources.mcp.id,
    });
    change(spoilt, name);
    const answer = await expectRefusalOrTokens(spoilt);
    if (answer.status === 200) return;
    // Nothing was lost by it.
    tokensOf(await service.refresh(clientId, refreshToken));
  });

  async function expectRefusalOrTokens(form: URLSearchParams) {
    const answer = await service.postToken(form);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    if (answer.status === 200) return answer;
    expect([400, 401]).toContain(answer.status);
    expect(CODES).toContain(answer.body['error']);
    // RFC 6749 §5.2: visible ASCII without quote and backslash.
    expect(answer.body['error_description']).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
    return answer;
  }

  it.each([
    ['no body', undefined, undefined],
    ['JSON', 'application/json', '{"grant_type":"refresh_token"}'],
    ['text', 'text/plain', 'grant_type=refresh_token'],
    ['multipart', 'multipart/form-data; boundary=x', '--x--'],
    ['broken percent-encoding', 'application/x-www-form-urlencoded', 'grant_type=%E0%A4%A'],
    ['too long a form', 'application/x-www-form-urlencoded', `grant_type=${'a'.repeat(80_000)}`],
    [
      'a thousand parameters',
      'application/x-www-form-urlencoded',
      Array.from({ length: 1000 }, (_, i) => `p${i}=1`).join('&'),
    ],
  ])('of /oauth/token: a body that is %s', async (_name, type, body) => {
    const answer = await fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      ...(type === undefined ? {} : { headers: { 'content-type': type } }),
      ...(body === undefined ? {} : { body }),
    });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { error } = (await answer.json()) as { error: string };
    expect(CODES).toContain(error);
  });

  it('logs no failure of the server in all this', () => {
    const failures = service.logged.filter((line) => Number(line['level']) >= 50);
    expect(failures.map((line) => line['msg'])).toEqual([]);
  });
});
