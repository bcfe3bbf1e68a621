import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorization, registerClient } from '../browser/client.ts';
import { PASSWORD, startPages, type PagesService } from './start.ts';
import { createVisitor, csrfOf, type Visitor } from './visitor.ts';

const REDIRECT_URI = 'http://127.0.0.1:49152/callback';
const MIRA = 'mira@example.com';
const OSCAR = 'oscar@example.com';

describe('/oauth/interaction', () => {
  let service: PagesService;
  let clientId: string;
  beforeAll(async () => {
    service = await startPages();
    await service.addUser(MIRA);
    await service.addUser(OSCAR, 'free');
    clientId = await registerClient(service.url, '<b>Board</b>\u202E', [REDIRECT_URI]);
  });
  afterAll(() => service.close());

  const request = (extra: Record<string, string> = {}) =>
    authorization(service.url, { clientId, redirectUri: REDIRECT_URI, extra });

  /** Follows redirects as long as they stay here. */
  async function follow(visitor: Visitor, start: string | Response) {
    let at = new URL(typeof start === 'string' ? start : '/', service.url).href;
    let answer = typeof start === 'string' ? await visitor.get(start) : start;
    for (let step = 0; step < 10; step += 1) {
      const location = answer.headers.get('location');
      if (location === null) break;
      at = new URL(location, service.url).href;
      if (!at.startsWith(service.url)) break;
      answer = await visitor.get(at);
    }
    const elsewhere = !at.startsWith(service.url);
    return { at: new URL(at).pathname, url: new URL(at), answer, page: elsewhere ? '' : await answer.text() };
  }

  /** A visitor who has been asked for consent. */
  async function asked(email: string, extra?: Record<string, string>) {
    const visitor = createVisitor(service.url);
    await visitor.signIn(email, PASSWORD);
    const client = request(extra);
    const consent = await follow(visitor, client.url);
    return { visitor, client, path: consent.at, ...consent };
  }

  it('asks for sign-in first, then for consent, then goes back with a code', async () => {
    const visitor = createVisitor(service.url);
    const client = request();
    const signIn = await follow(visitor, client.url);
    expect(signIn.at).toMatch(/^\/oauth\/interaction\/[\w-]+$/);
    expect(signIn.page).toContain('Sign in');
    const fields = { csrf: csrfOf(signIn.page), email: MIRA };

    const wrong = await visitor.post(`${signIn.at}/login`, { ...fields, password: 'wrong' });
    expect(wrong.status).toBe(403);
    expect(await wrong.text()).toContain('not right');

    const consent = await follow(
      visitor,
      await visitor.post(`${signIn.at}/login`, { ...fields, password: PASSWORD }),
    );
    expect(consent.page).toContain('&#60;b&#62;Board&#60;/b&#62;');
    expect(consent.page).not.toContain('\u202E');
    expect(consent.page).toContain(MIRA);
    expect(consent.page).toContain('127.0.0.1:49152');
    expect(consent.answer.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://127.0.0.1:49152;",
    );

    const back = await follow(
      visitor,
      await visitor.post(`${consent.at}/confirm`, { csrf: csrfOf(consent.page) }),
    );
    expect(back.url.href).toContain(REDIRECT_URI);
    expect(back.url.searchParams.get('state')).toBe(client.state);
    expect((await client.redeem(back.url.searchParams.get('code') ?? '')).status).toBe(200);
  });

  it('goes straight to consent where the browser is signed in, and says what the plan lacks', async () => {
    const { page } = await asked(OSCAR);
    expect(page).toContain(OSCAR);
    expect(page).toContain('Plan Free does not include this access.');
  });

  it('asks again where the client wants a new sign-in, and is content with it', async () => {
    const visitor = createVisitor(service.url);
    await visitor.signIn(MIRA, PASSWORD);
    service.advance(120);
    const signIn = await follow(visitor, request({ prompt: 'login' }).url);
    expect(signIn.page).toContain('autocomplete="current-password"');
    const fields = { csrf: csrfOf(signIn.page), email: MIRA, password: PASSWORD };
    const consent = await follow(visitor, await visitor.post(`${signIn.at}/login`, fields));
    expect(consent.page).toContain('Switch account');
  });

  it('refuses forms without the token of the request, which stays open', async () => {
    const { visitor, path, page } = await asked(MIRA);
    for (const action of ['confirm', 'abort', 'switch', 'login']) {
      const foreign = csrfOf(await (await createVisitor(service.url).get('/sign-in')).text());
      for (const csrf of ['', foreign]) {
        expect((await visitor.post(`${path}/${action}`, { csrf })).status).toBe(403);
      }
      const crossSite = { origin: 'https://evil.example' };
      expect((await visitor.post(`${path}/${action}`, { csrf: csrfOf(page) }, crossSite)).status).toBe(403);
    }
    expect((await visitor.get(path)).status).toBe(200);
  });

  it('takes no consent for someone who has signed out, or in as another, since', async () => {
    const { visitor, path, page } = await asked(MIRA);
    const csrf = csrfOf(page);
    await visitor.submit('/account', '/sign-out', {});
    const signIn = await follow(visitor, await visitor.post(`${path}/confirm`, { csrf }));
    expect(signIn.page).toContain('autocomplete="current-password"');

    await visitor.signIn(OSCAR, PASSWORD);
    const consent = await follow(visitor, await visitor.post(`${path}/confirm`, { csrf }));
    expect(consent.page).toContain(OSCAR);
    expect(consent.page).not.toContain(MIRA);
  });

  describe('with two tabs', () => {
    /** The second tab goes on as somebody else while the first asks for consent. */
    async function switched() {
      const first = await asked(MIRA);
      const { visitor } = first;
      const second = await follow(visitor, request().url);
      await visitor.post(`${second.at}/switch`, { csrf: csrfOf(second.page) });
      const signIn = await follow(visitor, second.at);
      const fields = { csrf: csrfOf(signIn.page), email: OSCAR, password: PASSWORD };
      expect((await follow(visitor, await visitor.post(`${second.at}/login`, fields))).page).toContain(OSCAR);
      return first;
    }
    const confirm = (visitor: Visitor, { at, page }: { at: string; page: string }) =>
      visitor.post(`${at}/confirm`, { csrf: csrfOf(page) });

    it('asks the other account in the first tab after a switch in the second', async () => {
      const { visitor, path } = await switched();
      const consent = await follow(visitor, path);
      expect(consent.page).toContain(OSCAR);
      const back = await follow(visitor, await confirm(visitor, consent));
      expect(back.url.searchParams.get('code')).toBeTruthy();
    });

    it('asks again in the first tab after a switch to and fro', async () => {
      const { visitor, path, page, client } = await switched();
      await visitor.submit('/account', '/sign-out', {});
      await visitor.signIn(MIRA, PASSWORD);
      const consent = await follow(visitor, await confirm(visitor, { at: path, page }));
      expect(consent.page).toContain(MIRA);
      const back = await follow(visitor, await confirm(visitor, consent));
      expect((await client.redeem(back.url.searchParams.get('code') ?? '')).status).toBe(200);
      expect(back.url.searchParams.get('state')).toBe(client.state);
    });

    it('lets a user deny in the first tab after a switch in the second', async () => {
      const { visitor, path, page } = await switched();
      const back = await follow(visitor, await visitor.post(`${path}/abort`, { csrf: csrfOf(page) }));
      expect(back.url.searchParams.get('error')).toBe('access_denied');
    });

    it('goes on as two accounts that signed in at the same time', async () => {
      const visitor = createVisitor(service.url);
      const tabs = [await follow(visitor, request().url), await follow(visitor, request().url)];
      const answers: Response[] = [];
      for (const [index, { at, page }] of tabs.entries()) {
        const email = [MIRA, OSCAR][index] ?? '';
        answers.push(await visitor.post(`${at}/login`, { csrf: csrfOf(page), email, password: PASSWORD }));
      }
      for (const answer of answers.toReversed()) {
        const consent = await follow(visitor, answer);
        expect(consent.page).toContain(OSCAR);
        expect(consent.page).not.toContain(MIRA);
      }
      expect(service.logged.filter((line) => Number(line['level']) >= 50)).toEqual([]);
    });
  });

  it('makes one connection of a consent that is given twice', async () => {
    const { visitor, path, page } = await asked(MIRA);
    const user = await service.library.stores.accounts.userByEmail(MIRA);
    const count = async () => (await service.library.stores.grants.grantsOf(user?.id ?? '')).length;
    const before = await count();
    await visitor.post(`${path}/confirm`, { csrf: csrfOf(page) });
    const again = await visitor.post(`${path}/confirm`, { csrf: csrfOf(page) });
    expect((await follow(visitor, again)).url.searchParams.get('code')).toBeTruthy();
    expect(await count()).toBe(before + 1);
  });

  it('is closed once it is answered, and for other browsers', async () => {
    const { visitor, path, page, client } = await asked(MIRA);
    expect((await createVisitor(service.url).get(path)).status).toBe(410);
    const back = await follow(visitor, await visitor.post(`${path}/abort`, { csrf: csrfOf(page) }));
    expect(Object.fromEntries(back.url.searchParams)).toMatchObject({
      error: 'access_denied',
      state: client.state,
    });
    const closed = await visitor.get(path);
    expect(closed.status).toBe(410);
    expect(await closed.text()).toContain('Go back to the app and connect again.');
  });
});
