import { createHash } from 'node:crypto';
import type { RequestContext, RequestMiddleware } from './state.ts';

/** A strong entity tag: the same for the same bytes, and for no others. */
export function entityTag(body: string | Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/**
 * Does the client have this version already (RFC 9110 §13.1.2, weak comparison)? Koa's own check says no whenever the
 * request has `Cache-Control: no-cache`; but `fetch` adds just that to every request with an If-None-Match of its caller.
 */
export function isCurrent(ctx: Pick<RequestContext, 'get'>, etag: string): boolean {
  const known = ctx.get('If-None-Match');
  return known.trim() === '*' || new Set(known.match(/"[^"]*"/g)).has(etag);
}

/** Gives JSON and text answers an ETag, and answers 304 where the client has that version. */
export const conditionalGet: RequestMiddleware = async (ctx, next) => {
  await next();
  if (ctx.status !== 200 || !ctx.body || ctx.response.get('Cache-Control').includes('no-store')) return;
  const text = typeof ctx.body === 'string' ? ctx.body : JSON.stringify(ctx.body);
  const etag = entityTag(text);
  ctx.body = text;
  ctx.set('ETag', etag);
  if (isCurrent(ctx, etag)) ctx.status = 304;
};
