import type { Router } from '@koa/router';
import type { Logger } from 'pino';
import type { Connections } from '../accounts/connections.ts';
import type { Plan } from '../domain/vocabulary.ts';
import type { RequestState } from '../middleware/state.ts';
import type { ProtectedResources } from '../oauth/resources.ts';
import { renderAccount } from './account-page.ts';
import { goTo, show, type Browser } from './browser.ts';
import { resourceInWords } from './words.ts';

const SIGN_IN = '/sign-in?to=%2Faccount';

/** `/account`: the plan, and the clients that the user let in. */
export function addAccountRoutes(
  router: Router<RequestState>,
  options: {
    browser: Browser;
    connections: Connections;
    resources: ProtectedResources;
    mcpPlans: readonly Plan[];
    downloadPlans: readonly Plan[];
    audit: Logger;
    now: () => Date;
  },
): void {
  const { browser, connections, resources, mcpPlans, downloadPlans, audit, now } = options;

  router.get('/account', async (ctx) => {
    const current = await browser.signedIn(ctx);
    if (current === undefined) return goTo(ctx, SIGN_IN);
    const { user } = current;
    const page = renderAccount({
      user,
      csrf: browser.csrf(ctx),
      includes: { mcp: mcpPlans.includes(user.plan), downloads: downloadPlans.includes(user.plan) },
      connections: await connections.of(user.id),
      resourceName: (id) =>
        id === resources.mcp.id ? resourceInWords(resources.mcp) : resourceInWords(resources.api),
      disconnected: ctx.query['disconnected'] !== undefined,
      mcpUrl: resources.mcp.id,
      now: now(),
    });
    show(ctx, page);
  });

  router.post('/account/disconnect', async (ctx) => {
    const form = await browser.form(ctx);
    const current = await browser.signedIn(ctx);
    if (current === undefined) return goTo(ctx, SIGN_IN);
    const id = form.get('connection') ?? '';
    // Gone already is as good: the user wanted it gone.
    if (await connections.end(current.user.id, id)) {
      audit.info({ event: 'connection.ended', grantId: id, userId: current.user.id }, 'client disconnected');
    }
    goTo(ctx, '/account?disconnected=yes');
  });
}
