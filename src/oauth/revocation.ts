import type { Logger } from 'pino';
import type { OAuthStore } from '../ports/oauth-store.ts';
import { readBody } from './body.ts';
import type { OAuthMiddleware } from './context.ts';
import { OAuthError } from './oauth-error.ts';
import { hashOf } from './records.ts';
import { InvalidTokenError, type TokenVerifier } from './verify-token.ts';

/**
 * Token revocation (RFC 7009), by form or JSON. Ends the grant with all its tokens, whichever of them is shown, and answers
 * 200 also for tokens that are none (§2.2). `token_type_hint` is not needed: what a token is shows in itself.
 */
export function createRevocation({
  store,
  verifiers,
  audit,
}: {
  store: Pick<OAuthStore, 'records' | 'grants'>;
  /** Of access tokens. */
  verifiers: readonly TokenVerifier[];
  audit: Logger;
}): OAuthMiddleware {
  async function grantOf(token: string): Promise<{ grantId: string; clientId: unknown } | undefined> {
    const refreshToken = await store.records.find('RefreshToken', hashOf(token));
    if (refreshToken?.grantId !== undefined) {
      return { grantId: refreshToken.grantId, clientId: refreshToken.payload['clientId'] };
    }
    for (const verifier of verifiers) {
      try {
        return await verifier.verify(token);
      } catch (error) {
        if (!(error instanceof InvalidTokenError)) throw error;
      }
    }
    return undefined;
  }

  return async (ctx) => {
    const { token, client_id: clientId } = await readBody(ctx, ['json', 'form'], 'invalid_request');
    if (typeof token !== 'string' || token === '') {
      throw new OAuthError('invalid_request', 'token must be there once, as a string: the refresh token.');
    }
    const grant = await grantOf(token);
    // RFC 7009 §2.1. The client_id is no secret; leaving it out, as JSON bodies do, is fine.
    if (grant !== undefined && clientId !== undefined && clientId !== grant.clientId) {
      throw new OAuthError('invalid_grant', 'The token was issued to another client than client_id names.');
    }
    if (grant !== undefined && (await store.grants.revoke(grant.grantId))) {
      audit.info(
        { event: 'token.revoked', clientId: grant.clientId, grantId: grant.grantId },
        'token revoked',
      );
    }
    ctx.set('Cache-Control', 'no-store');
    ctx.status = 200;
    ctx.body = '';
  };
}
