import type Koa from 'koa';
import type { Logger } from 'pino';

/** What the authorization server needs of a request: its log. The rest of the state belongs to others. */
export interface OAuthState {
  log: Logger;
}

export type OAuthMiddleware = Koa.Middleware<OAuthState>;
export type OAuthContext = Koa.ParameterizedContext<OAuthState>;
