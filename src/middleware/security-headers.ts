import type { RequestMiddleware } from './state.ts';

/**
 * The strictest headers that suit data; pages and images loosen what they need. Transport security (HSTS) is left to
 * what terminates TLS.
 */
export const securityHeaders: RequestMiddleware = (ctx, next) => {
  ctx.set({
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  return next();
};
