import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let port: string;
beforeAll(async () => {
  service = await startTestService({
    screens: [],
    settings: { ALLOWED_ORIGINS: 'https://chat.example.com' },
    mcp: (ctx) => {
      ctx.body = { reached: true };
    },
  });
  port = new URL(service.url).port;
});
afterAll(() => service.close());

function post(headers: Record<string, string>, method = 'POST', path = '/mcp') {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>(
    (resolve, reject) => {
      request(service.url + path, { method, headers }, (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      })
        .on('error', reject)
        .end();
    },
  );
}

describe('Host of /mcp', () => {
  test.each(['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST'])('%s is ours', async (name) => {
    expect((await post({ host: `${name}:${port}` })).status).toBe(200);
  });

  test.each([
    'evil.example.com',
    'localhost',
    'localhost.evil.example.com:PORT',
    '127.0.0.1.evil.example.com',
    'localhost.:PORT',

    '127.1:PORT.',
  ])('%s is foreign', async (name) => {
    const response = await post({ host: name.replace('PORT', port) });
    expect(response.status).toBe(403);
    expect(JSON.parse(response.body)).toMatchObject({
      code: 'foreign_host',
      detail: expect.stringContaining(service.url),
    });
  });
});

describe('Origin of /mcp', () => {
  test.each([
    'http://localhost:5173',
    'http://127.0.0.1:6274',
    'http://[::1]:80',
    'https://localhost:9',
    'https://chat.example.com',
  ])('a page of %s may call', async (origin) => {
    // A port that is the scheme's own never appears in an Origin.
    const sent = new URL(origin).origin;
    const response = await post({ origin: sent });
    expect(response.status).toBe(200);
    expect(response.headers['access-control-allow-origin']).toBe(sent);
    expect(response.headers['vary']).toContain('Origin');
    expect(response.headers['access-control-expose-headers']).toContain('WWW-Authenticate');
  });

  test.each([
    'https://evil.example.com',
    'null',
    'http://localhost.evil.example.com',
    'http://chat.example.com',
    'file://',
    'http://localhost:5173/',
  ])('a page of %s may not', async (origin) => {
    const response = await post({ origin });
    expect(response.status).toBe(403);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
    expect(JSON.parse(response.body)).toMatchObject({ code: 'foreign_origin' });
  });

  test('a preflight is answered before anything is asked of it', async () => {
    const headers = {
      'access-control-request-method': 'POST',
      'access-control-request-headers':
        'authorization,mcp-protocol-version,mcp-method,mcp-name,mcp-session-id',
    };
    const ours = await post({ ...headers, origin: 'http://localhost:6274' }, 'OPTIONS');
    expect(ours.status).toBe(204);
    expect(ours.headers['access-control-allow-origin']).toBe('http://localhost:6274');
    const allowed = String(ours.headers['access-control-allow-headers']).toLowerCase().split(', ');
    expect(allowed).toEqual(expect.arrayContaining(headers['access-control-request-headers'].split(',')));
    const foreign = await post({ ...headers, origin: 'https://evil.example.com' }, 'OPTIONS');
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
  });
});

test('OPTIONS without a preflight tells the method', async () => {
  const response = await post({}, 'OPTIONS');
  expect(response.status).toBe(204);
  expect(response.headers['allow']).toBe('OPTIONS, POST');
});

test('only /mcp is the endpoint', async () => {
  expect((await post({}, 'POST', '/mcp/other')).status).toBe(404);
  expect((await post({}, 'POST', '/mcpx')).status).toBe(404);
  for (const method of ['GET', 'DELETE', 'TRACE', 'HEAD'])
    expect((await post({}, method)).status, method).toBe(200);
});
