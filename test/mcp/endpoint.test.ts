import { createPublicKey } from 'node:crypto';
import { exportSPKI, importJWK, SignJWT, type CryptoKey } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/domain/vocabulary.ts';
import { startMcpService, type McpService } from './service.ts';

let service: McpService;
let good: string;
beforeAll(async () => {
  service = await startMcpService();
  good = await service.token({ resource: 'mcp' });
});
afterAll(() => service.close());

interface Ask {
  token?: string;
  body?: unknown;
  method?: string;
  headers?: Record<string, string>;
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_screen', arguments: { id: 'home' } },
};

function ask({ token, body = LIST, method = 'POST', headers = {} }: Ask = {}): Promise<Response> {
  return fetch(`${service.url}/mcp`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(method === 'GET' || method === 'HEAD'
      ? {}
      : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

/** The JSON-RPC message, whether it came as JSON or as the one event of a stream. */
async function message(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('text/event-stream')
    ? (/^data: (.+)$/m.exec(text)?.[1] ?? '')
    : text;
  return JSON.parse(json) as Record<string, unknown>;
}

describe('who gets in', () => {
  it('answers 401 with the way to a token when there is none', async () => {
    for (const method of ['POST', 'GET', 'DELETE']) {
      const response = await ask({ method });
      expect(response.status).toBe(401);
      const challenge = response.headers.get('www-authenticate');
      expect(challenge).toContain(
        `resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp"`,
      );
      expect(challenge).toContain('scope="mcp:read mcp:tools"');
      expect(challenge).not.toContain('error=');
    }
  });

  it('does not read a token from the query', async () => {
    const response = await fetch(`${service.url}/mcp?access_token=${good}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(LIST),
    });
    expect(response.status).toBe(401);
  });

  async function claims(changes: Record<string, unknown> = {}) {
    const [, payload = ''] = good.split('.');
    const decoded = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    return { ...decoded, ...changes };
  }

  async function sign(
    payload: Record<string, unknown>,
    header: { alg: string; typ?: string; kid?: string },
    key?: CryptoKey | Uint8Array,
  ) {
    const rsa = await service.keySet.signingKey('RS256');
    return new SignJWT(payload)
      .setProtectedHeader({ typ: 'at+jwt', kid: rsa.kid, ...header })
      .sign(key ?? rsa.key);
  }

  const refused: Record<string, () => Promise<string>> = {
    'a REST token': () => service.token({ resource: 'api' }),
    nonsense: () => Promise.resolve('nonsense'),
    'alg none': async () => {
      const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${part({ alg: 'none', typ: 'at+jwt' })}.${part(await claims())}.`;
    },
    'HS256 signed with the public key': async () => {
      const [jwk] = await service.keySet.publicKeys();
      const pem = await exportSPKI((await importJWK(jwk!, 'RS256')) as CryptoKey);
      return sign(await claims(), { alg: 'HS256' }, Buffer.from(pem));
    },
    'HS256 signed with the public key in DER': async () => {
      const [jwk] = await service.keySet.publicKeys();
      const der = createPublicKey({ key: jwk as never, format: 'jwk' }).export({
        type: 'spki',
        format: 'der',
      });
      return sign(await claims(), { alg: 'HS256' }, der);
    },
    'an expired one': async () =>
      sign(await claims({ exp: Math.floor(Date.now() / 1000) - 60 }), { alg: 'RS256' }),
    'another audience': async () =>
      sign(await claims({ aud: 'https://elsewhere.example.com/mcp' }), { alg: 'RS256' }),
    'another issuer': async () =>
      sign(await claims({ iss: 'https://elsewhere.example.com' }), { alg: 'RS256' }),
    'another type': async () => sign(await claims(), { alg: 'RS256', typ: 'JWT' }),
    'an unknown key': async () => sign(await claims(), { alg: 'RS256', kid: 'unknown' }),
    'an unknown grant': async () => sign(await claims({ grant_id: 'unknown' }), { alg: 'RS256' }),
    'another user’s grant': async () => sign(await claims({ sub: 'somebody' }), { alg: 'RS256' }),
    'no scope claim': async () => sign(await claims({ scope: undefined }), { alg: 'RS256' }),
  };

  it.each(Object.entries(refused))('answers 401 to %s', async (_name, make) => {
    const response = await ask({ token: await make() });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  });

  it('refuses a token whose time has come, by the clock', async () => {
    const other = await startMcpService();
    try {
      const token = await other.token({ resource: 'mcp' });
      const send = () =>
        fetch(`${other.url}/mcp`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(LIST),
        });
      other.advance(14 * 60);
      expect((await send()).status).toBe(200);
      other.advance(2 * 60);
      expect((await send()).status).toBe(401);
    } finally {
      await other.close();
    }
  });

  it('refuses a token whose account is gone', async () => {
    const token = await service.token({ resource: 'mcp' });
    const { accounts } = service.library.stores;
    const newest = (await accounts.users()).toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0]!;
    await accounts.remove(newest.id);
    expect((await ask({ token })).status).toBe(401);
  });
});

describe('what a token opens', () => {
  it.each([
    ['mcp:read', LIST, 200],
    ['mcp:tools', LIST, 200],
    ['mcp:tools', CALL, 200],
    ['mcp:read mcp:tools', [LIST, CALL], 200],
  ])('scope %s: %j is %i', async (scope, body, status) => {
    const token = await service.token({ resource: 'mcp', scope });
    expect((await ask({ token, body })).status).toBe(status);
  });

  it.each([
    ['mcp:read', CALL, 'mcp:tools'],
    ['mcp:tools', { jsonrpc: '2.0', id: 1, method: 'resources/list' }, 'mcp:read'],
    ['mcp:read', [LIST, CALL], 'mcp:tools'],
  ])('scope %s alone: %j is 403 and names %s', async (scope, body, missing) => {
    const response = await ask({ token: await service.token({ resource: 'mcp', scope }), body });
    expect(response.status).toBe(403);
    const challenge = response.headers.get('www-authenticate');
    expect(challenge).toContain('error="insufficient_scope"');
    expect(challenge).toContain(`scope="${missing}"`);
    expect(challenge).toContain('resource_metadata=');
  });

  it('tells a missing plan apart from a missing scope, and says where to go', async () => {
    const response = await ask({ token: await service.token({ resource: 'mcp', plan: 'free' }) });
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toBeNull();
    expect(await response.json()).toMatchObject({
      code: 'plan_required',
      plan: 'free',
      requiredPlans: ['pro', 'team', 'enterprise'],
      upgradeUrl: `${service.url}/account`,
    });
  });

  it.each(['pro', 'team', 'enterprise'] satisfies Plan[])('plan %s has MCP', async (plan) => {
    expect((await ask({ token: await service.token({ resource: 'mcp', plan }) })).status).toBe(200);
  });
});

describe('how it is spoken to', () => {
  it('takes POST only', async () => {
    for (const method of ['GET', 'HEAD', 'DELETE', 'PUT']) {
      const response = await ask({ token: good, method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST, OPTIONS');
    }
  });

  it('answers 2025-era calls as an event stream, and as JSON to who accepts nothing else', async () => {
    const stream = await ask({ token: good });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expect(await message(stream)).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
    const plain = await ask({ token: good, headers: { accept: 'application/json' } });
    expect(plain.status).toBe(200);
    expect(plain.headers.get('content-type')).toContain('application/json');
    expect(await message(plain)).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
    const any = await ask({ token: good, headers: { accept: '*/*' } });
    expect(any.status).toBe(200);
  });

  it('answers 2026-07-28 calls, as JSON to who accepts nothing else', async () => {
    const body = {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/list',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    };
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
      accept: 'application/json',
    };
    const response = await ask({ token: good, body, headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await message(response)).toMatchObject({ id: 7, result: { tools: expect.any(Array) } });
  });

  it('lets tools/list go without initialize, and accepts notifications', async () => {
    expect((await ask({ token: good })).status).toBe(200);
    const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    expect((await ask({ token: good, body: notification })).status).toBe(202);
  });

  it('answers broken JSON, other types and too much of it as such', async () => {
    const broken = await ask({ token: good, body: '{"jsonrpc": "2.0", ' });
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } });
    const text = await ask({ token: good, headers: { 'content-type': 'text/plain' } });
    expect(text.status).toBe(415);
    const large = await ask({
      token: good,
      body: JSON.stringify({ ...LIST, params: { x: 'x'.repeat(5 * 2 ** 20) } }),
    });
    expect(large.status).toBe(413);
    for (const body of ['null', '3', '"x"', '[]', '{}']) {
      const response = await ask({ token: good, body });
      expect(response.status).toBe(400);
    }
  });

  it('never logs a token or what was searched for', async () => {
    const body = { ...CALL, params: { name: 'search_screens', arguments: { query: 'my secret search' } } };
    await (await ask({ token: good, body })).text();
    const log = JSON.stringify(service.logged);
    expect(log).toContain('/mcp');
    expect(log).not.toContain('my secret search');
    expect(log).not.toContain(good.slice(0, 40));
  });

  it('limits requests by user and says when there are new ones', async () => {
    const limited = await startMcpService({ RATE_LIMIT: '2' });
    try {
      const token = await limited.token({ resource: 'mcp' });
      const send = () =>
        fetch(`${limited.url}/mcp`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(LIST),
        });
      expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
      const third = await send();
      expect(third.status).toBe(429);
      expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await limited.close();
    }
  });
});
