import { HttpProblem, PROBLEM_MEDIA_TYPE, problemJson, toProblem } from './problem.ts';
import type { RequestMiddleware } from './state.ts';

/** Turns whatever is thrown further in into `application/problem+json`; faults of the service are logged in full. */
export function createErrorHandler(options: { docsUrl: string }): RequestMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const problem = toProblem(error);
      if (problem.status >= 500) {
        ctx.state.log.error({ err: causeOf(error) }, 'request failed');
      }
      if (ctx.res.headersSent) {
        // Half an answer is out: cutting the connection is the only way left to say that it is not whole.
        ctx.res.destroy();
        return;
      }
      ctx.respond = true;
      for (const name of ['ETag', 'Link', 'Content-Disposition']) ctx.remove(name);
      ctx.status = problem.status;
      ctx.set({ 'Cache-Control': 'no-store', ...problem.headers });
      ctx.type = PROBLEM_MEDIA_TYPE;
      ctx.body = problemJson(problem, options.docsUrl);
    }
  };
}

/** A problem raised for an error carries that error as its cause; the log wants the cause. */
function causeOf(error: unknown): unknown {
  return error instanceof HttpProblem && error.cause !== undefined ? error.cause : error;
}
