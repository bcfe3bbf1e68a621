import type { RequestMiddleware } from './state.ts';

/** One line a request, once its answer is out. The query string is left out: it holds searches, codes and signatures. */
export const accessLog: RequestMiddleware = (ctx, next) => {
  const started = performance.now();
  const { method, path } = ctx;
  ctx.res.once('close', () => {
    ctx.state.log.info(
      {
        method,
        path,
        status: ctx.res.statusCode,
        ms: Math.round(performance.now() - started),
        ...(ctx.res.writableFinished ? {} : { aborted: true }),
      },
      'request',
    );
  });
  return next();
};
