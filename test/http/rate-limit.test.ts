import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ screens: [], settings: { RATE_LIMIT: '3' } });
});
afterAll(() => service.close());

test('a user has so many requests a minute, is told how many are left, and does not take from others', async () => {
  const token = await service.token();
  const ask = () => fetch(`${service.url}/api/v1/screens`, { headers: { authorization: `Bearer ${token}` } });

  for (const left of [2, 1, 0]) {
    const response = await ask();
    expect(response.status).toBe(200);
    expect(response.headers.get('ratelimit-policy')).toBe('"user";q=3;w=60');
    expect(response.headers.get('ratelimit')).toMatch(new RegExp(`^"user";r=${left};t=\\d+$`));
    expect(response.headers.get('retry-after')).toBeNull();
  }
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(refused.headers.get('content-type')).toBe('application/problem+json');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.headers.get('ratelimit')).toMatch(/^"user";r=0;t=\d+$/);
  expect(await refused.json()).toMatchObject({ code: 'rate_limited', status: 429 });

  expect((await service.get('/screens')).status).toBe(200);
});

test('0 is no limit', async () => {
  const unlimited = await startTestService({ screens: [] });
  try {
    const response = await unlimited.get('/screens');
    expect(response.headers.get('ratelimit')).toBeNull();
  } finally {
    await unlimited.close();
  }
});
