import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { advance, MCP_TOKEN_SECONDS, resetClock, REVOCATION_SECONDS } from './clock.ts';
import { startDocumentHost, type DocumentHost } from './document-host.ts';
import { startClientsService, type ClientsService } from './user.ts';

// Nothing listens there: the user's browser only has to be sent there.
const REDIRECT = 'http://127.0.0.1:49152/callback';
const METADATA = {
  client_name: 'Drawing Board',
  redirect_uris: [REDIRECT],
  token_endpoint_auth_method: 'none',
};
const SCOPE = 'mcp:read mcp:tools';
const CALL = {
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'list_filters', arguments: {} },
  }),
  headers: new Headers({ 'content-type': 'application/json', accept: 'application/json' }),
};
/** The server under test speaks plain http, as it does behind a proxy that speaks https. */
const HTTP = { [oauth.allowInsecureRequests]: true };

let service: ClientsService;
let host: DocumentHost;
let endpoint: URL;
beforeAll(async () => {
  host = await startDocumentHost(METADATA);
  service = await startClientsService({ fetchDocument: host.fetchDocument });
  endpoint = new URL(`${service.url}/mcp`);
});
afterAll(async () => {
  await service.close();
  await host.close();
});
afterEach(resetClock);

async function expectToolResult(response: Response): Promise<void> {
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ id: 1, result: { structuredContent: {} } });
}

/** From the refusal at the MCP endpoint to the address of its metadata, and from there to the authorization server. */
async function discoverIssuer(): Promise<URL> {
  const refused = await oauth
    .protectedResourceRequest('none', 'POST', endpoint, CALL.headers, CALL.body, HTTP)
    .catch((error: unknown) => error);
  if (!(refused instanceof oauth.WWWAuthenticateChallengeError))
    throw new Error(`No challenge: ${String(refused)}`);
  const [challenge] = refused.cause;
  expect(challenge).toMatchObject({ scheme: 'bearer', parameters: { scope: SCOPE } });
  const found = await oauth.resourceDiscoveryRequest(endpoint, HTTP);
  expect(found.url).toBe(challenge?.parameters.resource_metadata);
  const resource = await oauth.processResourceDiscoveryResponse(endpoint, found);
  const [issuer = ''] = resource.authorization_servers ?? [];
  return new URL(issuer);
}

describe('openid-client', () => {
  const options: client.DynamicClientRegistrationRequestOptions = {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  };
  const public_ = client.None();

  it.each([
    ['that registers', (issuer: URL) => client.dynamicClientRegistration(issuer, METADATA, public_, options)],
    [
      'that publishes a metadata document',
      (issuer: URL) => client.discovery(issuer, host.url, METADATA, public_, options),
    ],
  ])('a client %s calls a tool, refreshes, and is refused once revoked', async (_kind, configure) => {
    const config = await configure(await discoverIssuer());
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const answer = await service.approve(
      client.buildAuthorizationUrl(config, {
        redirect_uri: REDIRECT,
        scope: SCOPE,
        state,
        resource: endpoint.href,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }),
    );
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    const tokens = await client.authorizationCodeGrant(config, answer, checks, { resource: endpoint.href });
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: MCP_TOKEN_SECONDS, scope: SCOPE });
    const call = (token: string) =>
      client.fetchProtectedResource(config, token, endpoint, 'POST', CALL.body, CALL.headers);
    await expectToolResult(await call(tokens.access_token));

    advance(MCP_TOKEN_SECONDS + 10);
    await expect(call(tokens.access_token)).rejects.toMatchObject({ status: 401 });
    const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', {
      resource: endpoint.href,
    });
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    await expectToolResult(await call(next.access_token));

    await client.tokenRevocation(config, next.refresh_token ?? '', { token_type_hint: 'refresh_token' });
    advance(REVOCATION_SECONDS);
    await expect(call(next.access_token)).rejects.toMatchObject({ status: 401 });
    await expect(
      client.refreshTokenGrant(config, next.refresh_token ?? '', { resource: endpoint.href }),
    ).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
  });
});

describe('oauth4webapi', () => {
  const public_ = oauth.None();
  let server: oauth.AuthorizationServer;
  beforeAll(async () => {
    const issuer = await discoverIssuer();
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...HTTP });
    server = await oauth.processDiscoveryResponse(issuer, found);
  });

  const register = async () =>
    oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(server, METADATA, HTTP),
    );

  it.each([
    ['that registers', register],
    ['that publishes a metadata document', () => Promise.resolve({ client_id: host.url })],
  ])('a client %s calls a tool, refreshes, and is refused once revoked', async (_kind, identify) => {
    const self: oauth.Client = await identify();
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const authorize = new URL(server.authorization_endpoint ?? '');
    authorize.search = new URLSearchParams({
      response_type: 'code',
      client_id: self.client_id,
      redirect_uri: REDIRECT,
      scope: SCOPE,
      state,
      resource: endpoint.href,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    const answer = oauth.validateAuthResponse(server, self, await service.approve(authorize), state);
    const additionalParameters = { resource: endpoint.href };
    const settings = { additionalParameters, ...HTTP };
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      self,
      await oauth.authorizationCodeGrantRequest(server, self, public_, answer, REDIRECT, verifier, settings),
    );
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: MCP_TOKEN_SECONDS, scope: SCOPE });
    const call = (token: string) =>
      oauth.protectedResourceRequest(token, 'POST', endpoint, CALL.headers, CALL.body, HTTP);
    await expectToolResult(await call(tokens.access_token));

    // The public keys are enough to verify it as RFC 9068 says.
    const shown = new Request(endpoint, { headers: { authorization: `Bearer ${tokens.access_token}` } });
    const claims = await oauth.validateJwtAccessToken(server, shown, endpoint.href, HTTP);
    expect(claims).toMatchObject({ client_id: self.client_id, scope: SCOPE });

    const refresh = (token = '') => oauth.refreshTokenGrantRequest(server, self, public_, token, settings);
    advance(MCP_TOKEN_SECONDS + 10);
    await expect(call(tokens.access_token)).rejects.toMatchObject({ status: 401 });
    const next = await oauth.processRefreshTokenResponse(server, self, await refresh(tokens.refresh_token));
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    await expectToolResult(await call(next.access_token));

    const revoked = await oauth.revocationRequest(server, self, public_, next.refresh_token ?? '', HTTP);
    await oauth.processRevocationResponse(revoked);
    advance(REVOCATION_SECONDS);
    await expect(call(next.access_token)).rejects.toMatchObject({ status: 401 });
    await expect(
      oauth.processRefreshTokenResponse(server, self, await refresh(next.refresh_token)),
    ).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
  });
});
