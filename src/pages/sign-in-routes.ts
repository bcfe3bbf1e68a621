import type { Router } from '@koa/router';
import type { Logger } from 'pino';
import { newSecret } from '../accounts/sessions.ts';
import type { PasswordSignIn } from '../accounts/sign-in.ts';
import { UpstreamError, type Upstream } from '../accounts/upstream.ts';
import type { RequestContext, RequestState } from '../middleware/state.ts';
import { createCookie, goTo, show, type Browser } from './browser.ts';
import { renderSignIn, type SignInPage } from './sign-in-page.ts';

/** An upstream sign-in that takes longer has to start again. */
const ATTEMPT_MS = 15 * 60 * 1000;
const DEFAULT_TARGET = '/account';

/** Where a user may be sent after sign-in; anything else would be an open redirect. */
function targetOf(to: string): string {
  return /^\/(account|oauth\/interaction\/[\w-]{1,100})$/.test(to) ? to : DEFAULT_TARGET;
}

/** A sign-in page as its caller wants it. */
export interface SignInRequest extends Omit<SignInPage, 'upstream' | 'fault'> {
  /** Another provider asks who it is even if it knows. */
  choose?: boolean;
}

export interface SignInForms {
  /** Answers with the sign-in page. */
  show(ctx: RequestContext, page: SignInRequest): void;
  /**
   * Signs in with the e-mail and password of the form; returns the user's id. Undefined when it was refused and
   * the page was answered, with the reason.
   */
  submit(ctx: RequestContext, form: URLSearchParams, page: SignInRequest): Promise<string | undefined>;
}

export function createSignInForms({
  browser,
  signIn,
  upstream,
}: {
  browser: Browser;
  signIn: PasswordSignIn;
  upstream?: Upstream;
}): SignInForms {
  function render({ choose = false, ...page }: SignInRequest, fault?: SignInPage['fault']) {
    const query = new URLSearchParams({ to: page.to, ...(choose ? { choose: 'yes' } : {}) });
    const href = `/sign-in/upstream?${query.toString()}`;
    return renderSignIn({
      ...page,
      ...(fault === undefined ? {} : { fault }),
      ...(upstream === undefined ? {} : { upstream: { name: upstream.name, href } }),
    });
  }

  return {
    show: (ctx, page) => show(ctx, render(page)),

    async submit(ctx, form, page) {
      const email = form.get('email') ?? '';
      const result = await signIn({ email, password: form.get('password') ?? '', address: ctx.ip });
      if ('user' in result) {
        await browser.signIn(ctx, result.user.id);
        return result.user.id;
      }
      if (result.refused === 'wrong') {
        show(ctx, render(page, { email, message: 'The e-mail or the password is not right.' }), 403);
        return undefined;
      }
      const minutes = Math.ceil(result.retryAfterSeconds / 60);
      const message = `Too many attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
      ctx.set('Retry-After', String(result.retryAfterSeconds));
      show(ctx, render(page, { email, message }), 429);
      return undefined;
    },
  };
}

/** Sign-in at another provider did not work; the person can go on to where they wanted, and try again there. */
export class SignInFailedError extends Error {
  override readonly name = 'SignInFailedError';
  readonly to: string;
  readonly kind: UpstreamError['kind'];
  constructor(to: string, cause: UpstreamError) {
    super(cause.message, { cause });
    this.to = to;
    this.kind = cause.kind;
  }
}

/** `/sign-in` for people who come on their own, and the way over another provider for everyone. */
export function addSignInRoutes(
  router: Router<RequestState>,
  options: {
    browser: Browser;
    forms: SignInForms;
    upstream?: Upstream;
    secure: boolean;
    audit: Logger;
    now: () => Date;
  },
): void {
  const { browser, forms, upstream, secure, audit, now } = options;

  router.get('/sign-in', async (ctx) => {
    const to = targetOf(single(ctx, 'to'));
    if ((await browser.signedIn(ctx)) !== undefined) return goTo(ctx, to);
    forms.show(ctx, { action: '/sign-in', csrf: browser.csrf(ctx), to });
  });

  router.post('/sign-in', async (ctx) => {
    const form = await browser.form(ctx);
    const to = targetOf(form.get('to') ?? '');
    const userId = await forms.submit(ctx, form, { action: '/sign-in', csrf: browser.csrf(ctx), to });
    if (userId !== undefined) goTo(ctx, to);
  });

  router.post('/sign-out', async (ctx) => {
    await browser.form(ctx);
    await browser.signOut(ctx);
    goTo(ctx, '/sign-in');
  });

  if (upstream === undefined) return;
  const attempts = createCookie('vitrine_upstream', { secure });

  router.get('/sign-in/upstream', async (ctx) => {
    const to = targetOf(single(ctx, 'to'));
    const attempt = newSecret();
    const url = await upstream
      .authorizationUrl(attempt, { choose: single(ctx, 'choose') !== '' })
      .catch(rethrow(ctx, to));
    attempts.set(ctx, `${attempt}.${encodeURIComponent(to)}`, new Date(now().getTime() + ATTEMPT_MS));
    ctx.redirect(url.href);
    ctx.status = 303;
  });

  router.get('/sign-in/callback', async (ctx) => {
    const [attempt = '', target = ''] = (attempts.get(ctx) ?? '').split('.');
    const to = targetOf(target.replaceAll('%2F', '/'));
    attempts.clear(ctx);
    if (attempt === '') {
      const message = 'It was not started with this browser, or too long ago. Start again.';
      return rethrow(ctx, to)(new UpstreamError('refused', message));
    }
    const user = await upstream.finish(attempt, ctx.querystring).catch(rethrow(ctx, to));
    await browser.signIn(ctx, user.id);
    audit.info(
      { event: 'sign_in.succeeded', userId: user.id, address: ctx.ip },
      'signed in at another provider',
    );
    goTo(ctx, to);
  });

  function rethrow(ctx: RequestContext, to: string) {
    return (error: unknown): never => {
      if (!(error instanceof UpstreamError)) throw error;
      audit.warn(
        { event: 'sign_in.failed', address: ctx.ip, err: error.cause },
        'sign-in at another provider failed',
      );
      throw new SignInFailedError(to, error);
    };
  }
}

/** A parameter of the query; empty when it is absent or repeated. */
function single(ctx: RequestContext, name: string): string {
  const value = ctx.query[name];
  return typeof value === 'string' ? value : '';
}
