import { Router } from '@koa/router';
import type { LibraryPorts } from '../library/ports.ts';
import { HttpProblem } from '../middleware/problem.ts';
import type { RequestMiddleware, RequestState } from '../middleware/state.ts';

/** `/healthz`: 200 while the catalogue answers, so that an orchestrator sends requests here; else 503. */
export function createHealth(library: Pick<LibraryPorts, 'catalogue'>): RequestMiddleware {
  const router = new Router<RequestState>({ sensitive: true });
  router.get('/healthz', async (ctx) => {
    await library.catalogue.revision().catch((error: unknown) => {
      ctx.state.log.error({ err: error }, 'health check failed');
      throw new HttpProblem('engine_unavailable', 'The catalogue does not answer.', {
        headers: { 'Retry-After': '5' },
      });
    });
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { status: 'ok' };
  });
  return router.routes() as RequestMiddleware;
}
