import type { RequestMiddleware } from './state.ts';

/** Chromium keeps the answer to a preflight no longer than this. */
const PREFLIGHT_SECONDS = 7200;

/** What pages of other origins may do. Credentials of the browser never count: access is by bearer token. */
export interface CorsPolicy {
  /** `any`, or a test of one origin such as `https://app.example.com`. */
  origins: 'any' | ((origin: string) => boolean);
  methods: readonly string[];
  /** Request headers beyond the safelisted ones. */
  requestHeaders: readonly string[];
  /** Answer headers that a page may read. */
  exposedHeaders: readonly string[];
}

/** Answers preflights itself, so it goes before authentication: a preflight carries no token. */
export function createCors(policy: CorsPolicy): RequestMiddleware {
  return (ctx, next) => {
    const origin = ctx.get('Origin');
    if (policy.origins === 'any') {
      ctx.set('Access-Control-Allow-Origin', '*');
    } else {
      ctx.vary('Origin');
      if (origin !== '' && policy.origins(origin)) ctx.set('Access-Control-Allow-Origin', origin);
    }
    if (ctx.method === 'OPTIONS' && origin !== '' && ctx.get('Access-Control-Request-Method') !== '') {
      ctx.set({
        'Access-Control-Allow-Methods': policy.methods.join(', '),
        'Access-Control-Allow-Headers': policy.requestHeaders.join(', '),
        'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
      });
      ctx.status = 204;
      return Promise.resolve();
    }
    ctx.set('Access-Control-Expose-Headers', policy.exposedHeaders.join(', '));
    return next();
  };
}
