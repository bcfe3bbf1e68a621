import { createHash } from 'node:crypto';
import type { RequestMiddleware } from './state.ts';

/** A strong entity tag: the same for the same bytes, and for no others. */
export function entityTag(body: string | Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/** Gives JSON and text answers an ETag, and answers 304 where the client has that version (RFC 9110 §13). */
export const conditionalGet: RequestMiddleware = async (ctx, next) => {
  await next();
  if (ctx.status !== 200 || !ctx.body || ctx.response.get('Cache-Control').includes('no-store')) return;
  const text = typeof ctx.body === 'string' ? ctx.body : JSON.stringify(ctx.body);
  ctx.body = text;
  ctx.set('ETag', entityTag(text));
  if (ctx.fresh) ctx.status = 304;
};
