import type Koa from 'koa';
import type { UserDirectory } from '../accounts/directory.ts';
import { bearerToken, tokenMissing, tokenRefused } from '../middleware/bearer.ts';
import type { ProtectedResource } from '../oauth/resources.ts';
import { InvalidTokenError, type TokenVerifier } from '../oauth/verify-token.ts';
import type { ApiState } from './route.ts';

/**
 * Lets in requests with a good access token in the Authorization header, and remembers whose it is. Tokens in the query
 * or the body are not read (RFC 6750 §2.2, §2.3). Throws the 401 problems of RFC 6750 §3.1.
 */
export function createAuthenticate({
  resource,
  verifier,
  users,
}: {
  resource: Pick<ProtectedResource, 'metadataUrl'>;
  verifier: TokenVerifier;
  users: UserDirectory;
}): Koa.Middleware<ApiState> {
  const challenge = { metadataUrl: resource.metadataUrl };
  return async (ctx, next) => {
    const token = bearerToken(ctx.get('Authorization'));
    if (token === undefined) throw tokenMissing(challenge);
    const { userId } = await verifier.verify(token).catch((error: unknown) => {
      throw error instanceof InvalidTokenError ? tokenRefused(challenge, error.message) : error;
    });
    const user = await users.user(userId);
    if (user === undefined)
      throw tokenRefused(challenge, 'The account of this token does not exist any more.');
    ctx.state.caller = { userId, plan: user.plan };
    await next();
  };
}
