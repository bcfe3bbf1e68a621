import { HttpProblem } from './problem.ts';
import type { RequestMiddleware } from './state.ts';

/**
 * The end of the line: no route has answered. Where a route has the path but not the method, OPTIONS is answered with
 * the methods there are and any other method, TRACE and WebDAV's included, is 405; where none has the path it is 404.
 */
export const otherMethods: RequestMiddleware = (ctx) => {
  // @koa/router leaves the routes whose path matched here, of every router that the request passed through.
  const matched = (ctx['matched'] ?? []) as { methods: string[] }[];
  const methods = new Set(matched.flatMap((route) => route.methods));
  if (methods.size === 0)
    throw new HttpProblem('not_found', `There is nothing at ${ctx.path.slice(0, 200)}.`);
  const allow = [...methods.add('OPTIONS')].toSorted().join(', ');
  if (ctx.method !== 'OPTIONS') {
    throw new HttpProblem('method_not_allowed', `${ctx.method} is not possible here; ${allow} are.`, {
      headers: { Allow: allow },
    });
  }
  ctx.set('Allow', allow);
  ctx.status = 204;
  return Promise.resolve();
};
