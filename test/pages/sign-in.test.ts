import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { networkOf } from '../../src/accounts/network.ts';
import { PASSWORD, startPages, type PagesService } from './start.ts';
import { createVisitor, csrfOf } from './visitor.ts';

const EMAIL = 'mira@example.com';
const DAY_SECONDS = 86_400;

describe('sign-in', () => {
  let service: PagesService;
  beforeAll(async () => {
    service = await startPages();
    await service.addUser(EMAIL, 'team');
  });
  afterAll(() => service.close());

  const visit = () => createVisitor(service.url);

  it('leads from /account over the sign-in page to the account', async () => {
    const visitor = visit();
    const account = await visitor.get('/account');
    expect(account.status).toBe(303);
    const signInPath = account.headers.get('location') ?? '';
    const answer = await visitor.submit(signInPath, '/sign-in', {
      email: ' MIRA@example.com',
      password: PASSWORD,
      to: '/account',
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account']);
    const page = await (await visitor.get('/account')).text();
    expect(page).toContain(EMAIL);
    expect(page).toContain('Plan Team');
    expect((await visitor.get('/sign-in')).headers.get('location')).toBe('/account');
  });

  it('sends pages that nobody may frame, store or add script to', async () => {
    const answer = await visit().get('/sign-in');
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('same-origin');
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self';");
    expect(policy).not.toContain('script-src');
    expect(await answer.text()).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
  });

  it('answers an unknown account exactly as a wrong password', async () => {
    const answers = await Promise.all(
      [EMAIL, 'nobody@example.com'].map(async (email) => {
        const answer = await visit().signIn(email, 'wrong');
        const page = (await answer.text()).replaceAll(email, '').replace(/csrf" value="[^"]*/g, '');
        return [answer.status, page] as const;
      }),
    );
    expect(answers[0]?.[0]).toBe(403);
    expect(answers[0]?.[1]).toContain('The e-mail or the password is not right.');
    expect(answers[1]).toEqual(answers[0]);
  });

  it('does not let users in who have no password', async () => {
    const { identities } = service.library.stores;
    const identity = { issuer: 'https://id.example.com', subject: '1' };
    await identities.ensureUser(identity, { email: 'elsewhere@example.com', plan: 'pro' });
    expect((await visit().signIn('elsewhere@example.com', '')).status).toBe(403);
  });

  it('keeps what was typed as e-mail, harmless, and not the password', async () => {
    const page = await (await visit().signIn('"><script>x</script>', 'my-secret')).text();
    expect(page).toContain('value="&#34;&#62;&#60;script&#62;x');
    expect(page).not.toContain('my-secret');
  });

  it('gives the browser a new secret at sign-in, and stores only its hash', async () => {
    const visitor = visit();
    await visitor.get('/sign-in');
    const before = visitor.cookies.get('vitrine_session') ?? '';
    const answer = await visitor.signIn(EMAIL, PASSWORD);
    const after = visitor.cookies.get('vitrine_session') ?? '';
    expect(after).not.toBe(before);
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/; path=\/; expires=[^;]+; samesite=lax; httponly$/i);
    const { signInSessions } = service.library.stores.oauth;
    expect(await signInSessions.find(after, new Date())).toBeUndefined();

    const planted = visit();
    planted.cookies.set('vitrine_session', before);
    expect((await planted.get('/account')).status).toBe(303);
  });

  it('ends the session before at another sign-in, and every one at sign-out', async () => {
    const visitor = visit();
    await visitor.signIn(EMAIL, PASSWORD);
    const old = visit();
    old.cookies.set('vitrine_session', visitor.cookies.get('vitrine_session') ?? '');
    expect((await old.get('/account')).status).toBe(200);
    await visitor.submit('/account', '/sign-in', { email: EMAIL, password: PASSWORD });
    expect((await old.get('/account')).status).toBe(303);

    const copy = visit();
    copy.cookies.set('vitrine_session', visitor.cookies.get('vitrine_session') ?? '');
    expect((await visitor.submit('/account', '/sign-out', {})).headers.get('location')).toBe('/sign-in');
    expect((await visitor.get('/account')).status).toBe(303);
    expect((await copy.get('/account')).status).toBe(303);
  });

  it('forgets a removed user at once', async () => {
    const user = await service.addUser('leaving@example.com');
    const visitor = visit();
    await visitor.signIn('leaving@example.com', PASSWORD);
    expect((await visitor.get('/account')).status).toBe(200);
    await service.library.stores.accounts.remove(user.id);
    expect((await visitor.get('/account')).status).toBe(303);
    expect((await visitor.signIn('leaving@example.com', PASSWORD)).status).toBe(403);
  });

  it('ends every session of a user whose password is changed', async () => {
    const user = await service.addUser('changing@example.com');
    const visitor = visit();
    await visitor.signIn('changing@example.com', PASSWORD);
    expect((await visitor.get('/account')).status).toBe(200);
    await service.library.stores.accounts.setPasswordHash(user.id, 'another');
    expect((await visitor.get('/account')).status).toBe(303);
  });

  it('goes nowhere but to pages of its own after sign-in', async () => {
    const visitor = visit();
    const fields = { email: EMAIL, password: PASSWORD, to: 'https://evil.example' };
    expect((await visitor.submit('/sign-in', '/sign-in', fields)).headers.get('location')).toBe('/account');
    const targets = [
      '//evil.example',
      '/\\evil.example',
      '/account/../..',
      '/oauth/token',
      'x',
      '/account\n',
    ];
    for (const to of targets) {
      const answer = await visitor.get(`/sign-in?to=${encodeURIComponent(to)}`);
      expect(answer.headers.get('location')).toBe('/account');
    }
    const answer = await visitor.get(`/sign-in?to=${encodeURIComponent('/oauth/interaction/a-b_1')}`);
    expect(answer.headers.get('location')).toBe('/oauth/interaction/a-b_1');
  });

  it('refuses forms that are not its own', async () => {
    const visitor = visit();
    const fields = { email: EMAIL, password: PASSWORD };
    expect((await visitor.post('/sign-in', fields)).status).toBe(403);
    await visitor.get('/sign-in');
    expect((await visitor.post('/sign-in', { ...fields, csrf: '' })).status).toBe(403);
    const foreign = csrfOf(await (await visit().get('/sign-in')).text());
    const refused = await visitor.post('/sign-in', { ...fields, csrf: foreign });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('This form is out of date');
    const json = await fetch(`${service.url}/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
    expect(json.status).toBe(403);
  });

  it('refuses forms that are too long', async () => {
    expect((await visit().post('/sign-in', { email: 'x'.repeat(20_000) })).status).toBe(413);
  });

  it('refuses posts from pages of other origins, and names its own address', async () => {
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await visit().post('/sign-in', {}, { origin });
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain(service.url);
    }
  });

  it('says which methods there are', async () => {
    const answer = await fetch(`${service.url}/sign-out`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
    expect((await fetch(`${service.url}/sign-in/upstream`)).status).toBe(404);
  });

  it('ends a session after two weeks', async () => {
    const visitor = visit();
    await visitor.signIn(EMAIL, PASSWORD);
    service.advance(13 * DAY_SECONDS);
    expect((await visitor.get('/account')).status).toBe(200);
    service.advance(2 * DAY_SECONDS);
    expect((await visitor.get('/account')).status).toBe(303);
  });

  it('logs who failed and from where, and nothing that was typed', async () => {
    const failed = service.logged.filter(({ event }) => event === 'sign_in.failed');
    expect(failed.some(({ userId }) => typeof userId === 'string')).toBe(true);
    expect(failed.every(({ audit, address }) => audit === true && address === '127.0.0.1')).toBe(true);
    const everything = JSON.stringify(service.logged);
    for (const typed of [EMAIL, 'nobody@example.com', PASSWORD, 'my-secret']) {
      expect(everything).not.toContain(typed);
    }
  });
});

describe('limits of sign-in', () => {
  let service: PagesService;
  beforeAll(async () => {
    service = await startPages();
    await service.addUser(EMAIL);
    await service.addUser('oscar@example.com');
  });
  afterAll(() => service.close());

  it('lets nobody guess on at one account, many at once included, and others in', async () => {
    const guess = () => createVisitor(service.url).signIn(EMAIL, 'wrong');
    const answers = await Promise.all(Array.from({ length: 14 }, guess));
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);

    const right = await createVisitor(service.url).signIn(EMAIL.toUpperCase(), PASSWORD);
    expect(right.status).toBe(429);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await right.text()).toMatch(/Try again in \d+ minutes?\./);
    expect((await createVisitor(service.url).signIn('oscar@example.com', PASSWORD)).status).toBe(303);
  });

  it('counts an IPv6 network as one address', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
    expect(networkOf('2001:db8:1:2::9')).toBe('2001:db8:1:2');
    expect(networkOf('2001:db8::9')).toBe('2001:db8:0:0');
    expect(networkOf('::1')).toBe('0:0:0:0');
    expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(networkOf('192.0.2.7')).toBe('192.0.2.7');
  });
});

describe('sign-in behind TLS', () => {
  it('has a secure cookie for its host alone, and refuses another host', async () => {
    const service = await startPages({ TRUST_PROXY: 'on', BASE_URL: 'https://vitrine.example.com' });
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'vitrine.example.com' };
    const answer = await fetch(`${service.url}/sign-in`, { headers: forwarded });
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Host-vitrine_session=[\w-]{43}; path=\/; samesite=lax; secure; httponly$/i,
    );
    const foreign = await fetch(`${service.url}/sign-in`, {
      headers: { ...forwarded, 'x-forwarded-host': 'rebound.example' },
    });
    expect(foreign.status).toBe(403);
    expect(await foreign.text()).toContain('https://vitrine.example.com');
    await service.close();
  });
});
