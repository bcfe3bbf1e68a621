import type { RequestMiddleware } from './state.ts';

/** Runs the middleware for a path and all below it; other requests pass by. */
export function under(prefix: string, middleware: RequestMiddleware): RequestMiddleware {
  return (ctx, next) =>
    ctx.path === prefix || ctx.path.startsWith(`${prefix}/`) ? middleware(ctx, next) : next();
}
