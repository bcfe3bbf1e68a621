import { createHmac } from 'node:crypto';
import * as oidc from 'openid-client';
import { parsePlan, PLANS, type Plan } from '../domain/vocabulary.ts';
import type { Accounts, User } from '../ports/accounts.ts';
import type { Identities } from '../ports/identities.ts';

const TIMEOUT_SECONDS = 10;
const SCOPE = 'openid email';

export interface UpstreamSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Claim that names the plan; absent: newcomers are on plan free and keep what the operator gives them. */
  planClaim?: string;
}

/** Sign-in at another OpenID provider. */
export interface Upstream {
  /** The provider's host, for people. */
  name: string;
  /**
   * Where to send the browser.
   * @param attempt random secret of this sign-in; the browser keeps it, and everything that protects the sign-in
   *   (state, nonce, PKCE verifier) comes from it
   * @param choose the provider asks who it is even if it knows
   * Throws UpstreamError.
   */
  authorizationUrl(attempt: string, options: { choose: boolean }): Promise<URL>;
  /** The user that the provider names. Throws UpstreamError. */
  finish(attempt: string, query: string): Promise<User>;
}

/** Sign-in at the provider did not work; the message is for the person who tried, the cause for the log. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  /** Whether the provider could not be reached, or the sign-in is not valid. */
  readonly kind: 'unreachable' | 'refused';
  constructor(kind: 'unreachable' | 'refused', message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

export function createUpstream({
  settings,
  redirectUri,
  accounts,
  identities,
}: {
  settings: UpstreamSettings;
  /** Where the provider sends the browser back to; it has to be registered there. */
  redirectUri: string;
  accounts: Pick<Accounts, 'setPlan'>;
  identities: Identities;
}): Upstream {
  const issuer = new URL(settings.issuer);
  const name = issuer.host;
  let discovering: Promise<oidc.Configuration> | undefined;

  /** Asked on first use, and again after a failure, so that the service starts without the provider. */
  async function configuration(): Promise<oidc.Configuration> {
    discovering ??= discover(issuer, settings);
    try {
      return await discovering;
    } catch (error) {
      discovering = undefined;
      throw new UpstreamError('unreachable', `${name} cannot be reached at the moment. Try again later.`, {
        cause: error,
      });
    }
  }

  async function claimsOf(attempt: string, query: string): Promise<Claims> {
    const config = await configuration();
    const callback = new URL(redirectUri);
    callback.search = query;
    try {
      const tokens = await oidc.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: derive(attempt, 'verifier'),
        expectedState: derive(attempt, 'state'),
        expectedNonce: derive(attempt, 'nonce'),
        idTokenExpected: true,
      });
      const idToken = tokens.claims();
      if (idToken === undefined) throw new Error('There is no ID token.');
      // Providers may tell e-mail and plan there only (OpenID Connect Core §5.4).
      const more =
        config.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : await oidc.fetchUserInfo(config, tokens.access_token, idToken.sub);
      return { ...idToken, ...more };
    } catch (error) {
      if (error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied') {
        throw new UpstreamError('refused', `Sign-in at ${name} was cancelled.`, { cause: error });
      }
      throw new UpstreamError('refused', `Sign-in at ${name} did not work. Start again.`, { cause: error });
    }
  }

  return {
    name,

    async authorizationUrl(attempt, { choose }) {
      return oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state: derive(attempt, 'state'),
        nonce: derive(attempt, 'nonce'),
        code_challenge: await oidc.calculatePKCECodeChallenge(derive(attempt, 'verifier')),
        code_challenge_method: 'S256',
        ...(choose ? { prompt: 'login' } : {}),
      });
    },

    async finish(attempt, query) {
      const claims = await claimsOf(attempt, query);
      const plan = settings.planClaim === undefined ? undefined : planOf(claims[settings.planClaim]);
      // Some providers write the boolean as a string.
      const unverified = claims.email_verified === false || claims.email_verified === 'false';
      const usableEmail = typeof claims.email === 'string' && !unverified;
      const user = await identities.ensureUser(
        { issuer: claims.iss, subject: claims.sub },
        { ...(usableEmail ? { email: claims.email as string } : {}), plan: plan ?? 'free' },
      );
      if (plan === undefined || plan === user.plan) return user;
      await accounts.setPlan(user.id, plan);
      return { ...user, plan };
    },
  };
}

type Claims = Record<string, unknown> & { iss: string; sub: string };

/** The highest plan among the claim's values; free when it names none, because it decides alone. */
function planOf(claim: unknown): Plan {
  const named = new Set(
    [claim].flat().map((value) => (typeof value === 'string' ? parsePlan(value) : undefined)),
  );
  return PLANS.findLast((plan) => named.has(plan)) ?? 'free';
}

/** 43 characters of base64url, as much as a PKCE verifier needs (RFC 7636 §4.1). */
function derive(attempt: string, purpose: 'state' | 'nonce' | 'verifier'): string {
  return createHmac('sha256', attempt).update(purpose).digest('base64url');
}

async function discover(issuer: URL, settings: UpstreamSettings): Promise<oidc.Configuration> {
  const { clientId, clientSecret } = settings;
  // Plain http is taken for a provider on this machine only; the settings see to that.
  const insecure = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
  const found = await oidc.discovery(issuer, clientId, clientSecret, undefined, {
    execute: insecure,
    timeout: TIMEOUT_SECONDS,
  });
  const methods = found.serverMetadata().token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const authentication = methods.includes('client_secret_basic')
    ? oidc.ClientSecretBasic(clientSecret)
    : oidc.ClientSecretPost(clientSecret);
  const configuration = new oidc.Configuration(
    found.serverMetadata(),
    clientId,
    { client_secret: clientSecret },
    authentication,
  );
  configuration.timeout = TIMEOUT_SECONDS;
  for (const allow of insecure) allow(configuration);
  return configuration;
}
