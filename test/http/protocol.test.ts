import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { screenRecord } from '../support/screen-record.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** What fetch refuses to send: TRACE, a foreign Host. */
function raw(
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }> {
  return new Promise((resolve, reject) => {
    request(`${service.url}${path}`, { method, headers }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe('conditional requests', () => {
  test.each(['/screens', '/screens?q=account', '/screens/grid-00', '/flows', '/flows/flow-paywall'])(
    '%s',
    async (path) => {
      const first = await service.get(path);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]{27}"$/);
      expect(first.headers.get('vary')).toContain('Authorization');
      expect(first.headers.get('cache-control')).toBe('private, no-cache');

      for (const given of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const second = await service.get(path, { headers: { 'if-none-match': given } });
        expect(second.status, given).toBe(304);
        expect(second.headers.get('etag')).toBe(etag);
        expect(second.headers.get('vary')).toContain('Authorization');
        expect(await second.text()).toBe('');
      }
      expect((await service.get(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    },
  );

  test('the tag follows the content', async () => {
    const path = '/screens?appId=changing';
    const before = (await service.get(path)).headers.get('etag') ?? '';
    await service.addScreens([
      screenRecord('changing', { appId: 'changing', capturedAt: '2024-01-01T00:00:00.000Z' }),
    ]);
    const after = await service.get(path, { headers: { 'if-none-match': before } });
    expect(after.status).toBe(200);
    expect(after.headers.get('etag')).not.toBe(before);
  });

  test('a missing token is 401, whatever the tag', async () => {
    const response = await fetch(`${service.url}/api/v1/screens`, { headers: { 'if-none-match': '*' } });
    expect(response.status).toBe(401);
    expect(response.headers.get('vary')).toContain('Authorization');
  });
});

describe('methods', () => {
  test('HEAD is GET without the body', async () => {
    const get = await service.get('/screens');
    const head = await service.get('/screens', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    for (const name of ['etag', 'content-type', 'link', 'vary']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(await get.text())));
    expect((await service.get('/screens/nothing', { method: 'HEAD' })).status).toBe(404);
  });

  test.each([
    '/api/v1/screens',
    '/api/v1/flows/flow-paywall',
    '/api/v1/openapi.json',
    '/docs',
    '/',
    '/.well-known/jwks.json',
    '/files/images/a.webp',
  ])('OPTIONS %s tells the methods, without a token', async (path) => {
    const response = await fetch(service.url + path, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'PURGE'])(
    '%s is 405',
    async (method) => {
      for (const path of [
        '/api/v1/screens',
        '/api/v1/screens/grid-00/download',
        '/',
        '/.well-known/jwks.json',
      ]) {
        const response = await raw(method, path);
        expect(response.status, path).toBe(405);
        expect(response.headers['allow']).toBe('GET, HEAD, OPTIONS');
        expect(JSON.parse(response.body)).toMatchObject({ code: 'method_not_allowed', status: 405 });
      }
    },
  );

  test.each(['GET', 'POST', 'OPTIONS', 'TRACE', 'DELETE'])(
    '%s of what does not exist is 404',
    async (method) => {
      for (const path of [
        '/nothing',
        '/api/v1',
        '/api/v2/screens',
        '/API/v1/screens',
        '/.well-known/nothing',
      ]) {
        const response = await raw(method, path);
        expect(response.status, path).toBe(404);
        expect(JSON.parse(response.body)).toMatchObject({ code: 'not_found' });
      }
    },
  );
});

describe('CORS', () => {
  const origin = 'https://app.example.com';

  test('a preflight of the REST API needs no token and allows the Authorization header', async () => {
    const response = await fetch(`${service.url}/api/v1/screens`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization,if-none-match',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization');
    expect(response.headers.get('access-control-allow-methods')).toContain('GET');
    expect(response.headers.get('access-control-max-age')).toBe('7200');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('answers and errors can be read by any page, with the headers that matter', async () => {
    for (const path of ['/screens', '/screens/nothing', '/screens?limit=0', '/nothing']) {
      const response = await service.get(path, { headers: { origin } });
      expect(response.headers.get('access-control-allow-origin'), path).toBe('*');
      const exposed = response.headers.get('access-control-expose-headers')?.split(', ');
      expect(exposed).toEqual(
        expect.arrayContaining([
          'ETag',
          'Link',
          'Location',
          'RateLimit',
          'RateLimit-Policy',
          'Retry-After',
          'WWW-Authenticate',
        ]),
      );
    }
    const refused = await fetch(`${service.url}/api/v1/screens`, { headers: { origin } });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('metadata can be read by browser clients of MCP, absent documents too', async () => {
    for (const path of ['oauth-protected-resource/mcp', 'jwks.json', 'openid-configuration']) {
      const response = await fetch(`${service.url}/.well-known/${path}`, { headers: { origin } });
      expect(response.headers.get('access-control-allow-origin'), path).toBe('*');
    }
    const preflight = await fetch(`${service.url}/.well-known/oauth-protected-resource/mcp`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'mcp-protocol-version',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain(
      'mcp-protocol-version',
    );
  });
});

describe('every answer', () => {
  test('has a request id that the log knows, and security headers', async () => {
    const response = await service.get('/screens/nothing');
    const requestId = response.headers.get('x-request-id');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    await expect
      .poll(() => service.logged.find((line) => line['msg'] === 'request' && line['requestId'] === requestId))
      .toMatchObject({ method: 'GET', path: '/api/v1/screens/nothing', status: 404, ms: expect.any(Number) });
  });

  test('an id that the client makes up is not believed', async () => {
    const response = await service.get('/screens', { headers: { 'x-request-id': 'made-up-by-client' } });
    expect(response.headers.get('x-request-id')).not.toBe('made-up-by-client');
  });

  test('an id and a host from a trusted proxy are taken over', async () => {
    const proxied = await startTestService({
      screens: [],
      settings: { TRUST_PROXY: 'on' },
      mcp: (ctx) => {
        ctx.body = {};
      },
    });
    try {
      const ask = (forwardedHost: string) =>
        fetch(`${proxied.url}/mcp`, {
          method: 'POST',
          headers: { 'x-request-id': 'proxy-id-0001', 'x-forwarded-host': forwardedHost },
        });
      const response = await ask(new URL(proxied.url).host);
      expect(response.status).toBe(200);
      expect(response.headers.get('x-request-id')).toBe('proxy-id-0001');
      expect((await ask('evil.example.com')).status).toBe(403);
    } finally {
      await proxied.close();
    }
  });

  test('a fault of the service is 500 without a word about it, and is logged', async () => {
    const broken = await startTestService({
      screens: [],
      mcp: () => {
        throw new Error('secret detail');
      },
    });
    try {
      const response = await fetch(`${broken.url}/mcp`, { method: 'POST' });
      expect(response.status).toBe(500);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({ code: 'internal', status: 500 });
      expect(text).not.toContain('secret detail');
      expect(JSON.stringify(broken.logged)).toContain('secret detail');
    } finally {
      await broken.close();
    }
  });

  test('addresses come from configuration, never from the Host header', async () => {
    const token = await service.token();
    const answer = await raw('GET', '/api/v1/screens?limit=1', {
      host: 'evil.example.com',
      authorization: `Bearer ${token}`,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['link']).toContain(`<${service.url}/api/v1/screens?limit=1&cursor=`);
    expect(answer.body).not.toContain('evil');
    const metadata = await raw('GET', '/.well-known/oauth-protected-resource/mcp', {
      host: 'evil.example.com',
    });
    expect(metadata.body).not.toContain('evil');
  });
});
