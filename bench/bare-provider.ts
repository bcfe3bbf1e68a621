import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

/**
 * oidc-provider as its manual sets it up, with its own adapter, which keeps everything in memory: the same library, key
 * size and form of tokens as the service, and nothing of ours. A process of its own, as the service is one. Prints
 * `{"url","clientId","resource","refreshTokens"}` when it listens.
 * Usage: node bench/bare-provider.ts NUMBER_OF_CONNECTIONS
 */
const CLIENT_ID = 'bench';
const ACCOUNT_ID = 'bench-user';
const SCOPE = 'mcp:read mcp:tools';
const DAY_SECONDS = 24 * 60 * 60;

const connections = Number(process.argv[2]);
const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const resource = `${url}/mcp`;
const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });

const provider = new Provider(url, {
  clients: [
    {
      client_id: CLIENT_ID,
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  ],
  routes: { token: '/oauth/token' },
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
  scopes: SCOPE.split(' '),
  clientAuthMethods: ['none'],
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  expiresWithSession: () => false,
  findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  ttl: { AccessToken: 900, Grant: 365 * DAY_SECONDS, RefreshToken: 30 * DAY_SECONDS },
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: () => ({
        audience: resource,
        scope: SCOPE,
        accessTokenTTL: 900,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
});
server.on('request', provider.callback());

const refreshTokens = await Promise.all(Array.from({ length: connections }, connect));
process.stdout.write(`${JSON.stringify({ url, clientId: CLIENT_ID, resource, refreshTokens })}\n`);

/** What a user's consent and the code after it leave behind. */
async function connect(): Promise<string> {
  const grant = new provider.Grant({ accountId: ACCOUNT_ID, clientId: CLIENT_ID });
  grant.addResourceScope(resource, SCOPE);
  grant.addOIDCScope(SCOPE);
  const client = await provider.Client.find(CLIENT_ID);
  if (client === undefined) throw new Error('The client is configured above.');
  const token = new provider.RefreshToken({
    accountId: ACCOUNT_ID,
    client,
    grantId: await grant.save(),
    gty: 'authorization_code',
    resource,
    scope: SCOPE,
  });
  return token.save();
}
