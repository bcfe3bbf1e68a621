import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../accounts/network.ts';
import type { OAuthMiddleware } from './context.ts';
import { OAuthError } from './oauth-error.ts';

const WINDOW_SECONDS = 60;

/** So many requests a minute and address, counted in this process; 0 is no limit. */
export function createAddressLimit(requestsPerMinute: number): OAuthMiddleware {
  if (requestsPerMinute === 0) return (_ctx, next) => next();
  const limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: WINDOW_SECONDS });
  return async (ctx, next) => {
    try {
      await limiter.consume(networkOf(ctx.ip));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      throw new OAuthError(
        'temporarily_unavailable',
        `More than ${requestsPerMinute} requests in a minute from this address. There are new ones in ${seconds} s.`,
        { status: 429, headers: { 'Retry-After': String(seconds) } },
      );
    }
    await next();
  };
}
