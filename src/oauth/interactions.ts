import type { User } from '../accounts/directory.ts';
import type { OAuthContext } from './context.ts';
import type { ProtectedResource } from './resources.ts';

/** What a page has to show of an authorization request that waits for its user. */
export interface InteractionView {
  uid: string;
  /** `login` comes first, always; the page answers it at once when the browser is signed in already. */
  prompt: 'login' | 'consent';
  /** The client wants the user to sign in anew or to choose an account, even if the browser is signed in. */
  reauthenticate: boolean;
  client: InteractionClient;
  /** Host, with port, that the browser is sent back to; the scheme for private-use redirects. */
  redirectHost: string;
  /** The whole redirect URI; a CSP `form-action` has to allow it, because the redirect follows a form. */
  redirectUri: string;
  scopes: string[];
  resource: ProtectedResource;
  /** Who is asked for consent; present with that prompt. */
  account?: User;
  /** Expected back in the form; nobody but this service can make it. */
  csrf: string;
}

export interface InteractionClient {
  id: string;
  name?: string;
  uri?: string;
  /** False when any program on the user's machine could have asked under this name (loopback and private-use redirects). */
  verified: boolean;
  kind: 'registered' | 'metadata-document';
}

/** Cookie or record are gone: the user has to go back to the application and start again. */
export class InteractionNotFoundError extends Error {
  override readonly name = 'InteractionNotFoundError';
}

/**
 * What the pages at `/oauth/interaction/:uid` can do. All throw InteractionNotFoundError. All but `details` answer the
 * request with a redirect, so nothing may follow them.
 */
export interface Interactions {
  details(ctx: OAuthContext): Promise<InteractionView>;
  /** The user has signed in, or was. Also at the consent prompt, to go on as another user. */
  login(ctx: OAuthContext, userId: string): Promise<void>;
  /** The user of the prompt lets the client in, for the scopes that were shown. */
  consent(ctx: OAuthContext): Promise<void>;
  /** Sends the browser back to the client with `access_denied`. */
  deny(ctx: OAuthContext): Promise<void>;
}
