import { checkAuthorizationRequest, requireOnce, requireRedirect } from './authorization-request.ts';
import type { ClientDirectory } from './clients.ts';
import type { OAuthContext, OAuthMiddleware } from './context.ts';
import type { CurrentLibrary } from './library-of-the-moment.ts';
import { OAuthError, quotable } from './oauth-error.ts';
import type { ProtectedResources } from './resources.ts';

/**
 * The authorization endpoint (RFC 6749 §4.1.1). Judges the whole request, so that every fault gets its own description,
 * and hands a canonical one on. Throws OAuthError where nobody may be redirected (§4.1.2.1).
 */
export function createAuthorize({
  issuer,
  clients,
  resources,
  library,
}: {
  issuer: string;
  clients: ClientDirectory;
  resources: ProtectedResources;
  library: CurrentLibrary;
}): OAuthMiddleware {
  /** RFC 6749 §4.1.2.1 and RFC 9207 §2. */
  function redirectBack(ctx: OAuthContext, redirectUri: string, error: OAuthError): void {
    const url = new URL(redirectUri);
    url.searchParams.set('error', error.error);
    url.searchParams.set('error_description', quotable(error.message));
    const { state } = ctx.query;
    if (typeof state === 'string' && state !== '') url.searchParams.set('state', state);
    url.searchParams.set('iss', issuer);
    ctx.status = 303;
    ctx.redirect(url.href);
  }

  return async (ctx) => {
    const client = await clients.find(requireOnce(ctx.query, 'client_id'));
    const redirectUri = requireOnce(ctx.query, 'redirect_uri');
    requireRedirect(client, redirectUri);
    let request;
    try {
      request = checkAuthorizationRequest(ctx.query, client, resources);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      redirectBack(ctx, redirectUri, error);
      return;
    }
    const parameters = new URLSearchParams({ ...request });
    await library.answer(ctx, `/oauth/authorize?${parameters.toString()}`);
  };
}
