import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { answerOf, startOAuth, type OAuthService } from './client.ts';

describe('/oauth/revoke', () => {
  let service: OAuthService;
  let clientId: string;
  beforeAll(async () => {
    service = await startOAuth();
    clientId = await service.newClient();
  });
  afterAll(() => service.close());
  afterEach(() => void vi.useRealTimers());

  const inAMinute = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  const form = async (fields: Record<string, string>) =>
    answerOf(
      await fetch(`${service.url}/oauth/revoke`, { method: 'POST', body: new URLSearchParams(fields) }),
    );

  it('takes the JSON body of the contract, and answers 200 with an empty body', async () => {
    const { refreshToken, accessToken } = await service.connect(clientId);
    const response = await fetch(`${service.url}/oauth/revoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: refreshToken, token_type_hint: 'refresh_token' }),
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect((await service.refresh(clientId, refreshToken)).body['error']).toBe('invalid_grant');
    inAMinute();
    expect(await service.callMcp(accessToken)).toBe(401);
  });

  it('takes the form of RFC 7009, with the client or without', async () => {
    const one = await service.connect(clientId);
    expect((await form({ token: one.refreshToken, client_id: clientId })).status).toBe(200);
    expect((await service.refresh(clientId, one.refreshToken)).status).toBe(400);
    const other = await service.connect(clientId);
    expect((await form({ token: other.refreshToken })).status).toBe(200);
    expect((await service.refresh(clientId, other.refreshToken)).status).toBe(400);
  });

  it('ends the whole connection by a used refresh token, or by an access token', async () => {
    const { refreshToken } = await service.connect(clientId);
    const next = await service.refresh(clientId, refreshToken);
    await service.revoke({ token: refreshToken });
    expect((await service.refresh(clientId, String(next.body['refresh_token']))).status).toBe(400);

    const other = await service.connect(clientId);
    expect((await service.revoke({ token: other.accessToken, token_type_hint: 'access_token' })).status).toBe(
      200,
    );
    expect((await service.refresh(clientId, other.refreshToken)).status).toBe(400);
  });

  it.each(['unknown', 'a.b.c', ' ', 'x'.repeat(10_000)])(
    'answers 200 for a token that is none: %j',
    async (token) => {
      expect((await service.revoke({ token })).status).toBe(200);
    },
  );

  it('leaves the tokens of another client than the one that is named alone', async () => {
    const { refreshToken } = await service.connect(clientId);
    const other = await service.newClient();
    expect(await form({ token: refreshToken, client_id: other })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect((await service.refresh(clientId, refreshToken)).status).toBe(200);
  });

  it.each([
    {},
    { token: '' },
    { token: 1 },
    { token: null },
    { token: ['a'] },
    { refresh_token: 'a' },
    [],
    'null',
    '{',
  ])('refuses %j as invalid_request, and names what is missing', async (body) => {
    const answer = await service.revoke(body);
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(answer.body['error_description']).toMatch(/token|JSON object/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('refuses a body of another type', async () => {
    const answer = await fetch(`${service.url}/oauth/revoke`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'token=a',
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'invalid_request' });
  });
});
