import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateSigningKey, KEY_POLL_SECONDS } from '../../src/oauth/key-set.ts';
import { decode, REDIRECT_URI, startOAuth, tokensOf, type OAuthService } from './client.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const travel = (ms: number) => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
afterEach(() => void vi.useRealTimers());

describe('signing keys of a running server', () => {
  it('change without a restart: old tokens verify, new ones have the new key', async () => {
    const service = await startOAuth();
    const { signingKeys } = service.library.stores;
    const client = await service.newClient();
    const before = await service.connect(client);
    const activeFrom = new Date(Date.now() + KEY_POLL_SECONDS * 1000);
    const key = await generateSigningKey('RS256', activeFrom);
    await signingKeys.rotate(key, new Date(Date.now() + 20 * 60_000));

    const early = tokensOf(await service.refresh(client, before.refreshToken));
    expect(decode(early.accessToken).header['kid']).not.toBe(key.kid);
    travel((2 * KEY_POLL_SECONDS + 1) * 1000);
    const late = tokensOf(await service.refresh(client, early.refreshToken));
    expect(decode(late.accessToken).header['kid']).toBe(key.kid);
    for (const token of [before, early, late]) expect(await service.callMcp(token.accessToken)).toBe(200);
    const published = (await (await fetch(`${service.url}/.well-known/jwks.json`)).json()) as {
      keys: { kid: string }[];
    };
    expect(published.keys.map(({ kid }) => kid)).toContain(decode(before.accessToken).header['kid']);
    // An authorization that began with the old key ends with the new one.
    const { form } = await service.code(client);
    expect((await service.postToken(form)).status).toBe(200);
    await service.close();
  });
});

describe('limits by address', () => {
  it('answer 429 with the seconds to wait, and cost no token', async () => {
    const service = await startOAuth({ RATE_LIMIT: '40' });
    const client = await service.newClient();
    const { refreshToken } = await service.connect(client);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 40; attempt += 1) statuses.push((await service.postToken({})).status);
    const limited = await service.refresh(client, refreshToken);
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(limited.body).toMatchObject({ error: 'temporarily_unavailable' });
    expect((await service.register({ redirect_uris: [REDIRECT_URI] })).status).toBe(201);
    const registrations = await Promise.all(
      Array.from({ length: 3 }, () => service.register({ redirect_uris: [REDIRECT_URI] })),
    );
    expect(registrations.map(({ status }) => status)).toEqual([429, 429, 429]);
    const fresh = await service.library.stores.oauth.records.find('RefreshToken', hash(refreshToken));
    expect(fresh?.consumedAt).toBeUndefined();
    await service.close();
  });

  it('show a page at /oauth/authorize', async () => {
    const service = await startOAuth({ RATE_LIMIT: '3' });
    const { parameters } = service.request(await service.newClient());
    for (let attempt = 0; attempt < 3; attempt += 1) await service.authorize(parameters);
    const limited = await service.authorize(parameters);
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(limited.headers.get('content-type')).toMatch(/^text\/html/);
    expect(limited.headers.get('cache-control')).toBe('no-store');
    await service.close();
  });

  it.each([
    ['the address that the proxy saw, whatever the client claims', '192.0.2.7, 2001:db8::1', '2001:db8::1'],
    ['a network of IPv6 as one', '2001:db8::7', '2001:db8::1'],
  ])('count %s', async (_name, claimed, seen) => {
    const service = await startOAuth({ RATE_LIMIT: '3', TRUST_PROXY: 'on' });
    const ask = (address: string) => service.postToken({}, { 'x-forwarded-for': address });
    for (let attempt = 0; attempt < 3; attempt += 1) expect((await ask(seen)).status).toBe(400);
    expect((await ask(claimed)).status).toBe(429);
    expect((await ask(`${seen}, 198.51.100.9`)).status).toBe(400);
    await service.close();
  });
});

function hash(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}

describe('the audit log', () => {
  let service: OAuthService;
  beforeAll(async () => {
    service = await startOAuth();
  });
  afterAll(() => service.close());

  it('tells of registration, consent, issue, reuse and revocation, without a token or code in it', async () => {
    const client = await service.newClient();
    const { form } = await service.code(client);
    const { refreshToken, accessToken } = tokensOf(await service.postToken(form));
    const second = tokensOf(await service.refresh(client, refreshToken));
    await service.refresh(client, refreshToken);
    const other = await service.connect(client);
    await service.revoke({ token: other.refreshToken });
    await service.consent(service.request(client).parameters, 'abort');

    const audit = service.logged.filter((line) => line['audit'] === true);
    const events = audit.map((line) => line['event']);
    const told = [
      'client.registered',
      'consent.given',
      'token.issued',
      'token.reused',
      'token.revoked',
      'consent.denied',
    ];
    for (const event of told) expect(events).toContain(event);
    expect(audit.find((line) => line['event'] === 'token.issued')).toMatchObject({
      clientId: client,
      userId: service.userId,
      grantType: 'authorization_code',
      scope: 'mcp:read mcp:tools',
    });
    const log = JSON.stringify(service.logged);
    for (const secret of [
      form['code'],
      form['code_verifier'],
      refreshToken,
      accessToken,
      second.refreshToken,
    ]) {
      expect(log).not.toContain(secret);
    }
  });
});

describe('collection', () => {
  it('removes what has expired and registrations that nobody used, and nothing else', async () => {
    const service = await startOAuth();
    const { oauth } = service.library.stores;
    const unused = await service.newClient();
    const used = await service.newClient();
    const { refreshToken } = await service.connect(used);
    await service.code(used);

    travel(8 * DAY_MS);
    const collected = await service.collect();
    expect(collected.clients).toBe(1);
    expect(collected.records).toBeGreaterThan(0);
    expect(await oauth.clients.find(unused)).toBeUndefined();
    expect((await service.refresh(used, refreshToken)).status).toBe(200);
    await service.close();
  });
});
