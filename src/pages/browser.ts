import { timingSafeEqual } from 'node:crypto';
import { koaBody } from 'koa-body';
import { csrfTokenOf, newSecret, type BrowserSessions, type SignedIn } from '../accounts/sessions.ts';
import type { RequestContext } from '../middleware/state.ts';
import type { Page } from './layout.ts';

const FORM_LIMIT = '16kb';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const readForm = koaBody({
  multipart: false,
  urlencoded: false,
  json: false,
  text: true,
  textTypes: [FORM_TYPE],
  textLimit: FORM_LIMIT,
});

/** A request whose form is not one of ours, or of a session that has ended since. */
export class StaleFormError extends Error {
  override readonly name = 'StaleFormError';
}

/** The browser at the other end: who is signed in with it, and its forms. */
export interface Browser {
  /** Undefined when nobody is. */
  signedIn(ctx: RequestContext): Promise<SignedIn | undefined>;
  /** Under a new secret, so that one that was planted before is worth nothing. */
  signIn(ctx: RequestContext, userId: string): Promise<void>;
  signOut(ctx: RequestContext): Promise<void>;
  /** For the forms of this browser. Gives it a secret if it has none. */
  csrf(ctx: RequestContext): string;
  /** The fields of a posted form. Throws StaleFormError unless its `csrf` is the expected one, the browser's own by default. */
  form(ctx: RequestContext, expectedCsrf?: string): Promise<URLSearchParams>;
}

export interface Cookie {
  get(ctx: RequestContext): string | undefined;
  /** Without an end it lasts until the browser is closed. */
  set(ctx: RequestContext, value: string, expires?: Date): void;
  clear(ctx: RequestContext): void;
}

/** A cookie for this host alone; on https under a prefix that neighbouring hosts cannot write (RFC 6265bis §4.1.3.2). */
export function createCookie(name: string, { secure }: { secure: boolean }): Cookie {
  const fullName = secure ? `__Host-${name}` : name;
  function write(ctx: RequestContext, value: string | null, expires?: Date): void {
    // TLS may end at a proxy, so the configured address says whether it is there.
    ctx.cookies.secure = secure;
    ctx.cookies.set(fullName, value, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure,
      overwrite: true,
      ...(expires === undefined ? {} : { expires }),
    });
  }
  return {
    get: (ctx) => ctx.cookies.get(fullName),
    set: write,
    clear: (ctx) => write(ctx, null),
  };
}

export function createBrowser({ sessions, secure }: { sessions: BrowserSessions; secure: boolean }): Browser {
  const cookie = createCookie('vitrine_session', { secure });

  async function signOut(ctx: RequestContext): Promise<void> {
    const secret = cookie.get(ctx);
    if (secret !== undefined) await sessions.end(secret);
    cookie.clear(ctx);
  }

  return {
    async signedIn(ctx) {
      const secret = cookie.get(ctx);
      return secret === undefined ? undefined : sessions.signedIn(secret);
    },

    async signIn(ctx, userId) {
      await signOut(ctx);
      const { secret, expiresAt } = await sessions.start(userId);
      cookie.set(ctx, secret, expiresAt);
    },

    signOut,

    csrf(ctx) {
      const known = cookie.get(ctx);
      if (known !== undefined) return csrfTokenOf(known);
      const secret = newSecret();
      cookie.set(ctx, secret);
      return csrfTokenOf(secret);
    },

    async form(ctx, expectedCsrf) {
      await readForm(ctx, () => Promise.resolve());
      const { body } = ctx.request as { body?: unknown };
      const fields = new URLSearchParams(typeof body === 'string' ? body : '');
      const secret = cookie.get(ctx);
      const expected = expectedCsrf ?? (secret === undefined ? undefined : csrfTokenOf(secret));
      if (expected === undefined || !isSame(fields.get('csrf') ?? '', expected)) throw new StaleFormError();
      return fields;
    },
  };
}

/** Answers with a page. */
export function show(ctx: RequestContext, page: Page, status = 200): void {
  ctx.status = status;
  ctx.set('Content-Security-Policy', page.policy);
  ctx.type = 'html';
  ctx.body = page.html;
}

/** To a path of ours; after a form, the browser gets the path instead of posting there again. */
export function goTo(ctx: RequestContext, path: string): void {
  ctx.redirect(path);
  ctx.status = 303;
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
