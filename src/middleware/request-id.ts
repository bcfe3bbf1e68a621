import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { RequestMiddleware } from './state.ts';

/**
 * Names each request in the log and in the answer (`X-Request-Id`). A name that a trusted proxy has given is kept, so
 * that both logs can be read together; anyone else's is not believed.
 */
export function createRequestId(log: Logger, options: { trustProxy: boolean }): RequestMiddleware {
  return (ctx, next) => {
    const given = options.trustProxy ? ctx.get('X-Request-Id') : '';
    const requestId = /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
    ctx.state.requestId = requestId;
    ctx.state.log = log.child({ requestId });
    ctx.set('X-Request-Id', requestId);
    return next();
  };
}
