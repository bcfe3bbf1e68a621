import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HttpProblem } from './problem.ts';
import type { RequestContext } from './state.ts';

const WINDOW_SECONDS = 60;

/**
 * Counts a request of a user and tells the allowance in the answer's headers. Throws the problem `rate_limited` when
 * none is left.
 */
export type RateLimit = (ctx: Pick<RequestContext, 'set'>, userId: string) => Promise<void>;

/**
 * So many requests a minute and user, counted in this process; 0 is no limit. Headers are those of
 * draft-ietf-httpapi-ratelimit-headers-10: `q` requests in `w` seconds; `r` remain, until new ones in `t` seconds.
 */
export function createRateLimit(requestsPerMinute: number): RateLimit {
  if (requestsPerMinute === 0) return () => Promise.resolve();
  const limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: WINDOW_SECONDS });
  return async (ctx, userId) => {
    const state = await limiter.consume(userId).catch((refusal: unknown) => {
      if (refusal instanceof RateLimiterRes) return refusal;
      throw refusal;
    });
    const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    ctx.set('RateLimit-Policy', `"user";q=${requestsPerMinute};w=${WINDOW_SECONDS}`);
    ctx.set('RateLimit', `"user";r=${state.remainingPoints};t=${seconds}`);
    if (state.consumedPoints > requestsPerMinute) {
      throw new HttpProblem(
        'rate_limited',
        `More than ${requestsPerMinute} requests in a minute. There are new ones in ${seconds} s.`,
        { headers: { 'Retry-After': String(seconds) } },
      );
    }
  };
}
