import type { Router } from '@koa/router';
import type { SignedIn } from '../accounts/sessions.ts';
import type { Plan } from '../domain/vocabulary.ts';
import type { RequestContext, RequestState } from '../middleware/state.ts';
import type { Interactions, InteractionView } from '../oauth/interactions.ts';
import { goTo, show, type Browser } from './browser.ts';
import { clientName, renderConsent } from './consent-page.ts';
import { formTargetsOf } from './layout.ts';
import type { SignInForms } from './sign-in-routes.ts';

/** A client that wants the user to sign in anew is content with a sign-in of this age: the one that it has just caused. */
const FRESH_SIGN_IN_MS = 60_000;

/** `/oauth/interaction/:uid`: what a user is asked while a client waits for its authorization. */
export function addInteractionRoutes(
  router: Router<RequestState>,
  options: {
    interactions: Interactions;
    browser: Browser;
    forms: SignInForms;
    mcpPlans: readonly Plan[];
    now: () => Date;
  },
): void {
  const { interactions, browser, forms, mcpPlans, now } = options;
  const path = '/oauth/interaction/:uid';

  const mustSignIn = (view: InteractionView, current: SignedIn | undefined) =>
    current === undefined ||
    (view.prompt === 'login' &&
      view.reauthenticate &&
      now().getTime() - current.since.getTime() > FRESH_SIGN_IN_MS);

  const signInPage = (view: InteractionView) => ({
    action: `${pathOf(view)}/login`,
    denyAction: `${pathOf(view)}/abort`,
    to: pathOf(view),
    csrf: view.csrf,
    clientName: clientName(view.client),
    formTargets: formTargetsOf(view.redirectUri),
    // Somebody is known, but not wanted: the other provider shall ask as well.
    choose: view.prompt === 'consent' || view.reauthenticate,
  });

  const planIncludes = (view: InteractionView, { user }: SignedIn) =>
    view.resource.name !== 'mcp' || mcpPlans.includes(user.plan);

  router.get(path, async (ctx) => {
    const view = await interactions.details(ctx);
    const current = await browser.signedIn(ctx);
    if (current === undefined || mustSignIn(view, current)) return forms.show(ctx, signInPage(view));
    if (view.prompt === 'consent' && view.account?.id === current.user.id) {
      return show(ctx, renderConsent(view, current.user, planIncludes(view, current)));
    }
    // Signed in already, or as someone else since the request began.
    await interactions.login(ctx, current.user.id);
  });

  router.post(`${path}/login`, async (ctx) => {
    const view = await interactions.details(ctx);
    const form = await browser.form(ctx, view.csrf);
    const userId = await forms.submit(ctx, form, signInPage(view));
    if (userId !== undefined) await interactions.login(ctx, userId);
  });

  router.post(`${path}/confirm`, async (ctx) => {
    const view = await interactions.details(ctx);
    await browser.form(ctx, view.csrf);
    const current = await browser.signedIn(ctx);
    // Signed out, or as someone else, in another tab: what was shown is not true any more.
    if (view.prompt !== 'consent' || current === undefined || current.user.id !== view.account?.id) {
      return goTo(ctx, pathOf(view));
    }
    await interactions.consent(ctx);
  });

  router.post(`${path}/abort`, async (ctx) => {
    await checkForm(ctx);
    await interactions.deny(ctx);
  });

  router.post(`${path}/switch`, async (ctx) => {
    const view = await checkForm(ctx);
    await browser.signOut(ctx);
    goTo(ctx, pathOf(view));
  });

  async function checkForm(ctx: RequestContext): Promise<InteractionView> {
    const view = await interactions.details(ctx);
    await browser.form(ctx, view.csrf);
    return view;
  }
}

function pathOf(view: InteractionView): string {
  return `/oauth/interaction/${view.uid}`;
}
