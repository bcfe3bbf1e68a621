import { exportSPKI, importJWK, SignJWT, UnsecuredJWT, type CryptoKey, type JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueAccessToken } from '../../src/oauth/issue-token.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let userId: string;
let grantId: string;
beforeAll(async () => {
  service = await startTestService();
  const { accounts, grants } = service.library.stores;
  userId = (await accounts.add({ email: 'a@example.com', plan: 'pro', passwordHash: 'none' })).id;
  const { id } = await grants.add({
    userId,
    clientId: 'test',
    resource: service.resources.api.id,
    scope: 'api',
  });
  grantId = id;
});
afterAll(() => service.close());

const ask = (authorization?: string) =>
  fetch(`${service.url}/api/v1/screens`, { headers: authorization === undefined ? {} : { authorization } });

function claims(): JWTPayload {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: service.url,
    sub: userId,
    aud: service.resources.api.id,
    iat: now,
    exp: now + 600,
    jti: crypto.randomUUID(),
    client_id: 'test',
    scope: 'api',
    grant_id: grantId,
  };
}

/** A token that is right but for what the test changes. */
async function forge(change: {
  claims?: JWTPayload;
  header?: Record<string, string>;
  key?: Uint8Array | CryptoKey;
}) {
  const { kid, key } = await service.keySet.signingKey('HS256');
  return new SignJWT({ ...claims(), ...change.claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid, ...change.header })
    .sign(change.key ?? key);
}

async function expectRefused(response: Response): Promise<void> {
  expect(response.status).toBe(401);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('www-authenticate')).toMatch(
    /^Bearer error="invalid_token", error_description="[^"]+", /,
  );
  expect(response.headers.get('www-authenticate')).toContain(
    `resource_metadata="${service.url}/.well-known/oauth-protected-resource/api/v1"`,
  );
  expect(await response.json()).toMatchObject({ status: 401, code: 'invalid_token' });
}

describe('without a token', () => {
  test.each([undefined, '', 'Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz'])(
    'Authorization: %s',
    async (authorization) => {
      const response = await ask(authorization);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe(
        `Bearer resource_metadata="${service.url}/.well-known/oauth-protected-resource/api/v1"`,
      );
      expect(await response.json()).toMatchObject({ code: 'unauthorized', status: 401 });
    },
  );

  test('one in the query or in the body is not read', async () => {
    const token = await service.token();
    const response = await fetch(`${service.url}/api/v1/screens?access_token=${token}`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).not.toContain('error');
  });

  test('nothing but the description is open', async () => {
    for (const path of ['/screens', '/screens/grid-00', '/screens/grid-00/download', '/flows', '/flows/x']) {
      expect((await fetch(`${service.url}/api/v1${path}`)).status, path).toBe(401);
    }
    expect((await fetch(`${service.url}/api/v1/openapi.json`)).status).toBe(200);
  });
});

describe('with a token', () => {
  test('a good one gets in, whatever the case of the scheme', async () => {
    const token = await service.token();
    expect((await ask(`Bearer ${token}`)).status).toBe(200);
    expect((await ask(`bearer ${token}`)).status).toBe(200);
    expect((await ask(`Bearer ${await forge({})}`)).status).toBe(200);
  });

  test.each(['x', 'a.b.c', '🙂'.normalize(), 'null', 'a b c', '"quoted"'])('nonsense: %s', async (token) => {
    // Header values are bytes: what is no Latin-1 is sent as UTF-8 bytes.
    await expectRefused(await ask(`Bearer ${Buffer.from(token).toString('latin1')}`));
  });

  test('alg none', async () => {
    const { iss, sub, aud, iat, exp, ...rest } = claims();
    const token = new UnsecuredJWT(rest)
      .setIssuer(iss as string)
      .setSubject(sub as string)
      .setAudience(aud as string)
      .setIssuedAt(iat)
      .setExpirationTime(exp as number)
      .encode();
    await expectRefused(await ask(`Bearer ${token}`));
    const { kid } = await service.keySet.signingKey('HS256');
    const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt', kid })).toString('base64url');
    await expectRefused(await ask(`Bearer ${header}.${token.split('.')[1]}.`));
  });

  test('HS256, signed with the public RSA key as if it were a secret', async () => {
    const [published] = await service.keySet.publicKeys();
    const publicKey = (await importJWK({ ...published }, 'RS256')) as CryptoKey;
    const secrets = [await exportSPKI(publicKey), JSON.stringify(published), published?.n ?? ''];
    for (const secret of secrets) {
      const token = await forge({ header: { kid: published?.kid ?? '' }, key: Buffer.from(secret) });
      await expectRefused(await ask(`Bearer ${token}`));
    }
  });

  test('of the MCP endpoint', async () => {
    await expectRefused(await ask(`Bearer ${await service.token({ resource: 'mcp' })}`));
  });

  test('signed with the MCP key for the REST API', async () => {
    const { kid, key } = await service.keySet.signingKey('RS256');
    const token = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid })
      .sign(key);
    await expectRefused(await ask(`Bearer ${token}`));
  });

  test.each<[what: string, change: Parameters<typeof forge>[0]]>([
    ['expired', { claims: { exp: Math.floor(Date.now() / 1000) - 60 } }],
    ['of another audience', { claims: { aud: 'https://other.example.com/api/v1' } }],
    ['of another issuer', { claims: { iss: 'https://other.example.com' } }],
    ['without an expiry', { claims: { exp: undefined } } as never],
    ['without a grant', { claims: { grant_id: undefined } }],
    ['of an unknown grant', { claims: { grant_id: 'nothing' } }],
    ["of another user's grant", { claims: { sub: 'someone' } }],
    ['of another type', { header: { typ: 'JWT' } }],
    ['of an unknown key', { header: { kid: 'nothing' } }],
    ['signed with another key', { key: Buffer.alloc(32, 7) }],
  ])('%s', async (_what, change) => {
    await expectRefused(await ask(`Bearer ${await forge(change)}`));
  });

  test('with a bit of the signature changed', async () => {
    const token = await service.token();
    const dot = token.lastIndexOf('.') + 1;
    const changed = token[dot] === 'A' ? 'B' : 'A';
    await expectRefused(await ask(`Bearer ${token.slice(0, dot)}${changed}${token.slice(dot + 1)}`));
  });

  test('of an account that was removed', async () => {
    const { accounts, grants } = service.library.stores;
    const user = await accounts.add({ email: 'gone@example.com', plan: 'pro', passwordHash: 'none' });
    const resource = service.resources.api;
    const grant = await grants.add({
      userId: user.id,
      clientId: 'test',
      resource: resource.id,
      scope: 'api',
    });
    const token = await issueAccessToken({ issuer: service.url, resource, grant, keySet: service.keySet });
    await accounts.remove(user.id);
    await expectRefused(await ask(`Bearer ${token}`));
  });
});

test('no token and no query reaches the log', async () => {
  const token = await service.token();
  await fetch(`${service.url}/api/v1/screens?q=secretword`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await fetch(`${service.url}/api/v1/screens?access_token=${token}`);
  const log = JSON.stringify(service.logged);
  expect(log).toContain('"path":"/api/v1/screens"');
  expect(log).not.toContain('secretword');
  expect(log).not.toContain(token.split('.')[2]);
});
