import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/middleware/problem.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ screens: [] });
});
afterAll(() => service.close());

async function json(path: string): Promise<Record<string, unknown>> {
  const response = await fetch(service.url + path);
  expect(response.status, path).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  return (await response.json()) as Record<string, unknown>;
}

describe('metadata', () => {
  test("the MCP endpoint's is at its path and at the root", async () => {
    const document = await json('/.well-known/oauth-protected-resource/mcp');
    expect(document).toEqual({
      resource: `${service.url}/mcp`,
      authorization_servers: [service.url],
      bearer_methods_supported: ['header'],
      resource_signing_alg_values_supported: ['RS256'],
      resource_documentation: `${service.url}/docs`,
      scopes_supported: ['mcp:read', 'mcp:tools'],
    });
    expect(await json('/.well-known/oauth-protected-resource')).toEqual(document);
  });

  test("the REST API's lists no scope", async () => {
    const document = await json('/.well-known/oauth-protected-resource/api/v1');
    expect(document).toMatchObject({
      resource: `${service.url}/api/v1`,
      authorization_servers: [service.url],
    });
    expect(document).not.toHaveProperty('scopes_supported');
  });

  test('the key set has public RSA keys and nothing secret', async () => {
    const { keys } = (await json('/.well-known/jwks.json')) as { keys: Record<string, string>[] };
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) {
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
      expect(key).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig' });
    }
  });

  test.each(['openid-configuration', 'oauth-protected-resource/nothing', 'security.txt'])(
    '/.well-known/%s is 404 as JSON',
    async (path) => {
      const response = await fetch(`${service.url}/.well-known/${path}`);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
    },
  );
});

describe('pages', () => {
  test('the start page says where the doors are, without a script', async () => {
    const response = await fetch(`${service.url}/`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await response.text();
    expect(html).toContain(`${service.url}/api/v1`);
    expect(html).toContain(`${service.url}/mcp`);
    expect(html).toContain('href="/docs"');
    expect(html).not.toContain('<script');
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
  });

  test('the documentation loads all it needs from here and explains every error', async () => {
    const response = await fetch(`${service.url}/docs`);
    expect(response.status).toBe(200);
    const html = await response.text();
    const assets = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets) {
      const asset = await fetch(service.url + path);
      expect(asset.status, path).toBe(200);
      expect(asset.headers.get('content-type')).toMatch(/^text\/(css|javascript)/);
    }
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    for (const code of Object.keys(PROBLEMS)) expect(html).toContain(`id="${code}"`);
    const hosts = response.headers.get('content-security-policy')?.match(/https?:\/\/[^ ;]+/g);
    expect(new Set(hosts)).toEqual(new Set([service.url]));
  });
});

test('/healthz tells whether the catalogue answers', async () => {
  expect(await json('/healthz')).toEqual({ status: 'ok' });
  const failing = await startTestService({ screens: [] });
  await failing.library.stores.close();
  const response = await fetch(`${failing.url}/healthz`);
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
  await failing.close();
});
