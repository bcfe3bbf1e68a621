import type { JWK } from 'jose';
import { errors, interactionPolicy, Provider, type Configuration } from 'oidc-provider';
import { SUPPORTED_SCOPES } from './client-metadata.ts';
import type { KeySet } from './key-set.ts';
import { createAdapterFactory, type AdapterOptions } from './records.ts';
import { canonicalResource } from './resources.ts';

const DAY_SECONDS = 24 * 60 * 60;
/** RFC 6749 §4.1.2 recommends ten minutes at most; a redirect takes a moment. */
const CODE_SECONDS = 60;
const REFRESH_TOKEN_SECONDS = 30 * DAY_SECONDS;
/** However often it is refreshed, a connection is confirmed by its user once a year. */
const GRANT_SECONDS = 365 * DAY_SECONDS;
/** Time to find the password. */
const INTERACTION_SECONDS = 60 * 60;
/** Only what an authorization that is under way needs; whoever is signed in is known by the pages. */
const SESSION_SECONDS = DAY_SECONDS;

export interface LibraryOptions extends AdapterOptions {
  keySet: Pick<KeySet, 'signingKey'>;
  users: { user(id: string): Promise<{ id: string } | undefined> };
  /** Signs the cookies. */
  cookieKey: string;
  /** A page that a person reads, for requests that cannot be answered by a redirect. */
  showFault: NonNullable<Configuration['renderError']>;
}

/**
 * oidc-provider as an OAuth 2.1 server and nothing else: codes with PKCE, refresh tokens that rotate, access tokens of two
 * resources. Registration, metadata, keys and revocation are answered by our own code.
 * @param signingKey of access tokens that are signed by RS256; the library reads its keys once
 */
export function createLibrary(signingKey: JWK & { kid: string }, options: LibraryOptions): Provider {
  const { issuer, resources, keySet, users, cookieKey, showFault } = options;
  const secure = issuer.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', secure, signed: true } as const;
  const provider = new Provider(issuer, {
    adapter: createAdapterFactory(options),
    clients: [],
    jwks: { keys: [{ ...signingKey, alg: 'RS256', use: 'sig' }] },
    claims: {},
    scopes: [...SUPPORTED_SCOPES],
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: {
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    routes: { authorization: '/oauth/authorize', token: '/oauth/token' },
    cookies: {
      keys: [cookieKey],
      names: {
        session: 'vitrine_authorization',
        interaction: 'vitrine_interaction',
        resume: 'vitrine_resume',
      },
      long: cookie,
      short: cookie,
    },
    ttl: {
      AccessToken: (_ctx, token) => token.resourceServer?.accessTokenTTL ?? CODE_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      Grant: GRANT_SECONDS,
      Interaction: INTERACTION_SECONDS,
      RefreshToken: (ctx) =>
        Math.max(1, Math.min(REFRESH_TOKEN_SECONDS, ctx.oidc.entities.Grant?.remainingTTL ?? 0)),
      Session: SESSION_SECONDS,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => {
          throw new errors.InvalidTarget();
        },
        async getResourceServerInfo(_ctx, id) {
          const resource = canonicalResource(id, resources);
          if (resource === undefined) throw new errors.InvalidTarget();
          const { signingAlgorithm: alg, accessTokenSeconds } = resource;
          const sign = alg === 'HS256' ? await symmetric(keySet) : ({ alg, kid: signingKey.kid } as const);
          return {
            audience: resource.id,
            scope: resource.scopes.join(' '),
            accessTokenTTL: accessTokenSeconds,
            accessTokenFormat: 'jwt',
            jwt: { sign },
          };
        },
      },
    },
    extraTokenClaims: (_ctx, token) => ('grantId' in token ? { grant_id: token.grantId } : undefined),
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    findAccount: async (_ctx, id) => {
      const user = await users.user(id);
      return user && { accountId: user.id, claims: () => ({ sub: user.id }) };
    },
    // Never one of an earlier consent: two connections would then die together.
    loadExistingGrant: (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? Promise.resolve(undefined) : ctx.oidc.provider.Grant.find(grantId);
    },
    interactions: {
      policy: createPolicy(),
      url: (_ctx, interaction) => `/oauth/interaction/${interaction.uid}`,
    },
    renderError: showFault,
  });
  // Scheme and host of requests are the configured ones, whatever stands in front of this server.
  provider.proxy = true;
  return provider;
}

async function symmetric(keySet: Pick<KeySet, 'signingKey'>) {
  const { kid, key } = await keySet.signingKey('HS256');
  if (!(key instanceof Uint8Array)) throw new TypeError('A key of HS256 is octets.');
  return { alg: 'HS256', kid, key: Buffer.from(key) } as const;
}

/** Sign-in, then consent. A user who was removed since the cookie was set has to sign in as somebody else. */
function createPolicy() {
  const policy = interactionPolicy.base();
  const login = policy.get('login');
  login?.checks.remove('no_session');
  login?.checks.add(
    new interactionPolicy.Check(
      'no_account',
      'Sign-in is required.',
      'login_required',
      (ctx) => ctx.oidc.account === undefined,
    ),
  );
  return policy;
}
