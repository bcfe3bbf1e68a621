import type Koa from 'koa';
import type { Logger } from 'pino';

/** What every request carries through the middleware. */
export interface RequestState {
  requestId: string;
  /** Names the request in every line. */
  log: Logger;
}

export type RequestMiddleware = Koa.Middleware<RequestState>;
export type RequestContext = Koa.ParameterizedContext<RequestState>;
