import type { Logger } from 'pino';
import type { UserDirectory } from '../accounts/directory.ts';
import type { OAuthStore } from '../ports/oauth-store.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { OAuthMiddleware } from './context.ts';
import type { Interactions } from './interactions.ts';
import type { KeySet } from './key-set.ts';
import type { ProtectedResources } from './resources.ts';

export type { InteractionView, Interactions } from './interactions.ts';
export { InteractionNotFoundError } from './interactions.ts';

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
  secrets: Secrets;
  users: UserDirectory;
  /** Approved by a setting, besides those in the store. */
  approvedRedirectUris: readonly string[];
  /** Requests a minute and address at each endpoint; 0 is off. */
  rateLimit: number;
  /** The whole HTML document for a browser. */
  faultPage: (fault: AuthorizationFault) => string;
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
}

/** The OAuth 2.1 authorization server. */
export async function createAuthorizationServer(
  options: AuthorizationServerOptions,
): Promise<AuthorizationServer> {
  await Promise.resolve(options);
  throw new Error('not there yet');
}
