import { Router } from '@koa/router';
import type { Logger } from 'pino';
import type { Connections } from '../accounts/connections.ts';
import type { BrowserSessions } from '../accounts/sessions.ts';
import type { PasswordSignIn } from '../accounts/sign-in.ts';
import type { Upstream } from '../accounts/upstream.ts';
import type { Plan } from '../domain/vocabulary.ts';
import { createHostCheck, createOriginCheck, ownOrigins } from '../middleware/origins.ts';
import { PROBLEMS, toProblem } from '../middleware/problem.ts';
import type { RequestContext, RequestMiddleware, RequestState } from '../middleware/state.ts';
import { InteractionNotFoundError, type Interactions } from '../oauth/interactions.ts';
import type { ProtectedResources } from '../oauth/resources.ts';
import { addAccountRoutes } from './account-routes.ts';
import { createBrowser, show, StaleFormError } from './browser.ts';
import { addInteractionRoutes } from './interaction-routes.ts';
import { renderMessage } from './message-page.ts';
import { addSignInRoutes, createSignInForms, SignInFailedError } from './sign-in-routes.ts';

export interface PagesOptions {
  baseUrl: string;
  interactions: Interactions;
  sessions: BrowserSessions;
  signIn: PasswordSignIn;
  upstream?: Upstream;
  connections: Connections;
  resources: ProtectedResources;
  mcpPlans: readonly Plan[];
  downloadPlans: readonly Plan[];
  audit: Logger;
  /** The clock. */
  now: () => Date;
}

/** The pages that people see: sign-in, consent, account. They work without script. */
export function createPages(options: PagesOptions): RequestMiddleware {
  const { baseUrl, interactions, sessions, signIn, upstream } = options;
  const secure = baseUrl.startsWith('https:');
  const own = ownOrigins([baseUrl]);
  const browser = createBrowser({ sessions, secure });
  const withUpstream = upstream === undefined ? {} : { upstream };
  const forms = createSignInForms({ browser, signIn, ...withUpstream });

  const router = new Router<RequestState>({ sensitive: true, strict: true });
  router.use(
    neverStored,
    showErrors,
    createHostCheck([baseUrl]),
    createOriginCheck((origin) => own.has(origin), baseUrl),
    createOneName(baseUrl),
  );
  addSignInRoutes(router, { ...options, browser, forms, secure });
  addInteractionRoutes(router, { ...options, interactions, browser, forms });
  addAccountRoutes(router, { ...options, browser });
  return router.routes() as RequestMiddleware;
}

const neverStored: RequestMiddleware = (ctx, next) => {
  ctx.set('Cache-Control', 'no-store');
  return next();
};

/** Cookies are for one name of the host, so that whoever comes under another one (127.0.0.1 for localhost) is sent there. */
function createOneName(baseUrl: string): RequestMiddleware {
  const { host } = new URL(baseUrl);
  return (ctx, next) => {
    if (ctx.method !== 'GET' || ctx.host === host) return next();
    ctx.redirect(`${baseUrl}${ctx.path}${ctx.search}`);
    return Promise.resolve();
  };
}

/** A person reads what went wrong, so it is a page. */
const showErrors: RequestMiddleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    showError(ctx, error);
  }
};

function showError(ctx: RequestContext, error: unknown): void {
  if (ctx.res.headersSent) throw error;
  // What answers interactions takes the response over from Koa.
  ctx.respond = true;
  if (error instanceof InteractionNotFoundError) {
    const title = 'This request is no longer open';
    const text = 'It was answered already, or it took too long. Go back to the app and connect again.';
    return show(ctx, renderMessage({ title, text }), 410);
  }
  if (error instanceof StaleFormError) {
    const title = 'This form is out of date';
    const text =
      'You signed in or out since it was shown, or cookies are blocked. Go back, reload the page and try again.';
    return show(ctx, renderMessage({ title, text }), 403);
  }
  if (error instanceof SignInFailedError) {
    const link = { href: error.to, text: 'Try again' };
    return show(
      ctx,
      renderMessage({ title: 'Sign-in did not work', text: error.message, link }),
      error.kind === 'unreachable' ? 502 : 403,
    );
  }
  const problem = toProblem(error);
  if (problem.status >= 500) ctx.state.log.error({ err: error }, 'request failed');
  ctx.set(problem.headers);
  show(
    ctx,
    renderMessage({ title: PROBLEMS[problem.code].title, text: problem.message, code: problem.code }),
    problem.status,
  );
}
