import { Router } from '@koa/router';
import type { Logger } from 'pino';
import type { Accounts } from '../ports/accounts.ts';
import type { CollectedCounts, OAuthStore } from '../ports/oauth-store.ts';
import type { Secrets } from '../ports/secrets.ts';
import { createInteractions } from './answer-interactions.ts';
import { createAuthorize } from './authorize.ts';
import { createClientDirectory } from './clients.ts';
import type { OAuthContext, OAuthMiddleware, OAuthState } from './context.ts';
import { createDocumentFetch, type FetchDocument } from './fetch-document.ts';
import type { Interactions } from './interactions.ts';
import type { KeySet } from './key-set.ts';
import { createLibraryOfTheMoment } from './library-of-the-moment.ts';
import { createAddressLimit } from './limits.ts';
import { createMetadataDocuments } from './metadata-documents.ts';
import { answerError, OAuthError } from './oauth-error.ts';
import { createRedirectPolicy } from './redirect-policy.ts';
import { createRegistration } from './registration.ts';
import type { ProtectedResources } from './resources.ts';
import { createRevocation } from './revocation.ts';
import { serverMetadata } from './server-metadata.ts';
import type { TokenVerifier } from './verify-token.ts';

/** An authorization request that cannot be answered by a redirect, for a page to show. */
export interface AuthorizationFault {
  /** Code of RFC 6749 and its extensions. */
  error: string;
  /** What is wrong and what would be right. */
  description: string;
}

export interface AuthorizationServerOptions {
  /** Issuer identifier: the configured origin, without a trailing slash. */
  issuer: string;
  resources: ProtectedResources;
  store: OAuthStore;
  keySet: KeySet;
  /** Of access tokens, one a resource. */
  verifiers: readonly TokenVerifier[];
  secrets: Secrets;
  accounts: Pick<Accounts, 'user'>;
  /** Approved by a setting, besides those in the store. */
  approvedRedirectUris: readonly string[];
  /** Requests a minute and address at each endpoint, registrations a twentieth of it; 0 is off. */
  rateLimit: number;
  /** The whole HTML document for a browser, with its content security policy. */
  faultPage: (fault: AuthorizationFault) => { html: string; policy: string };
  /** How metadata documents of clients are fetched; the default reaches public hosts only. */
  fetchDocument?: FetchDocument;
  log: Logger;
  audit: Logger;
  /** The clock. */
  now: () => Date;
}

export interface AuthorizationServer {
  /**
   * Answers /.well-known/oauth-authorization-server, /oauth/authorize (with what is below it), /oauth/token,
   * /oauth/register and /oauth/revoke; other requests pass by. It reads bodies itself.
   */
  handler: OAuthMiddleware;
  interactions: Interactions;
  /** Removes what has expired and registrations that nobody uses. */
  collect(): Promise<CollectedCounts>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** A client that registered and never came back; its user gave up, or it was never one. */
const UNUSED_DAYS = 7;
/** Longer than any refresh token lives. */
const IDLE_DAYS = 90;
/** Registrations are rare, and each is a record. */
const REGISTRATIONS_PART = 20;

/**
 * The OAuth 2.1 authorization server.
 * Throws ConfigurationError when an approved redirect URI can never be one.
 */
export async function createAuthorizationServer(
  options: AuthorizationServerOptions,
): Promise<AuthorizationServer> {
  const { issuer, resources, store, keySet, secrets, accounts, audit, now } = options;
  const policy = createRedirectPolicy(options.approvedRedirectUris, store.approvedRedirectUris);
  const clients = createClientDirectory({
    clients: store.clients,
    documents: createMetadataDocuments(options.fetchDocument ?? createDocumentFetch(), now),
    policy,
  });
  const cookieKey = Buffer.from(await secrets.secret('authorization-cookies')).toString('base64url');

  const library = createLibraryOfTheMoment({
    issuer,
    store,
    clients,
    resources,
    now,
    keySet,
    cookieKey,
    users: accounts,
    showFault: (ctx, { error, error_description: description = error }) =>
      showFault(ctx, { error, description }),
    log: options.log,
    audit,
  });

  function showFault(ctx: Pick<OAuthContext, 'set' | 'type' | 'body'>, fault: AuthorizationFault): void {
    const { html, policy: contentSecurityPolicy } = options.faultPage(fault);
    ctx.type = 'html';
    ctx.set('Content-Security-Policy', contentSecurityPolicy);
    ctx.body = html;
  }

  const interactions = createInteractions({
    provider: () => library.provider(),
    clients,
    registered: store.clients,
    accounts,
    resources,
    audit,
    now,
    formSecret: await secrets.secret('authorization-forms'),
  });
  const showErrors: OAuthMiddleware = async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      ctx.status = error.status;
      ctx.set(error.headers);
      showFault(ctx, { error: error.error, description: error.message });
    }
  };

  const limit = createAddressLimit(options.rateLimit);
  const authorizationLimit = createAddressLimit(options.rateLimit);
  const registrationLimit = createAddressLimit(Math.ceil(options.rateLimit / REGISTRATIONS_PART));
  const registration = createRegistration({ clients: store.clients, policy, audit, now });
  const revocation = createRevocation({ store, verifiers: options.verifiers, audit });
  const metadata = serverMetadata(issuer);

  const router = new Router<OAuthState>({ sensitive: true, strict: true });
  router.get('/.well-known/oauth-authorization-server', (ctx) => {
    ctx.set('Cache-Control', 'no-cache');
    ctx.body = metadata;
  });
  const authorize = createAuthorize({ issuer, clients, resources, library });
  router.get('/oauth/authorize', neverStored, showErrors, authorizationLimit, authorize);
  router.get('/oauth/authorize/:uid', async (ctx) => {
    await interactions.settleAccount(ctx);
    await library.answer(ctx);
  });
  router.post('/oauth/token', answerErrors, limit, (ctx) => {
    // Its answers are for programs, even where a browser asks for a page.
    ctx.req.headers.accept = 'application/json';
    return library.answer(ctx);
  });
  router.post('/oauth/register', answerErrors, registrationLimit, registration);
  router.post('/oauth/revoke', answerErrors, limit, revocation);

  return {
    handler: router.routes() as OAuthMiddleware,
    interactions,
    collect() {
      const moment = now();
      const daysAgo = (days: number) => new Date(moment.getTime() - days * DAY_MS);
      return store.collect({ now: moment, unusedSince: daysAgo(UNUSED_DAYS), idleSince: daysAgo(IDLE_DAYS) });
    },
  };
}

const neverStored: OAuthMiddleware = (ctx, next) => {
  ctx.set('Cache-Control', 'no-store');
  return next();
};

const answerErrors: OAuthMiddleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    answerError(ctx, error);
  }
};
