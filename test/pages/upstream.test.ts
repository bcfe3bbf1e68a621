import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startUpstreamProvider,
  UPSTREAM_CLIENT,
  type UpstreamProvider,
} from '../support/upstream-provider.ts';
import { startPages, type PagesService } from './start.ts';
import { createVisitor, type Visitor } from './visitor.ts';

describe('sign-in at another provider', () => {
  let provider: UpstreamProvider;
  let service: PagesService;
  beforeAll(async () => {
    provider = await startUpstreamProvider({
      mira: { email: 'mira@example.com', email_verified: true, plan: 'team' },
      oscar: { email: 'oscar@example.com', email_verified: false, plan: ['staff', 'pro', 'free'] },
      quoted: { email: 'quoted@example.com', email_verified: 'false' },
      taken: { email: 'local@example.com', email_verified: true, plan: 'gold' },
    });
    service = await startPages({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: UPSTREAM_CLIENT.id,
      OIDC_CLIENT_SECRET: UPSTREAM_CLIENT.secret,
      OIDC_PLAN_CLAIM: 'plan',
    });
    provider.register(`${service.url}/sign-in/callback`);
  });
  afterAll(async () => {
    await service.close();
    await provider.close();
  });

  /** Follows the provider's redirects and presses its button; returns the address that it sends the browser back to. */
  async function askProvider(start: string, sub: string): Promise<string> {
    const there = createVisitor(provider.issuer);
    let next = start;
    for (let step = 0; step < 10 && next.startsWith(provider.issuer); step += 1) {
      const chosen = next.includes('/people/') ? `${next}?sub=${sub}` : next;
      next = new URL((await there.get(chosen)).headers.get('location') ?? '', provider.issuer).href;
    }
    return next;
  }

  async function signInAs(sub: string, visitor: Visitor = createVisitor(service.url)) {
    const start = await visitor.get('/sign-in/upstream?to=%2Faccount');
    const back = await askProvider(start.headers.get('location') ?? '', sub);
    return { visitor, answer: await visitor.get(back), back };
  }

  const accountOf = async (visitor: Visitor) => (await visitor.get('/account')).text();

  it('is offered beside the password', async () => {
    const page = await (await createVisitor(service.url).get('/sign-in')).text();
    expect(page).toContain(`Continue with ${new URL(provider.issuer).host}`);
    expect(page).toContain('href="/sign-in/upstream?to=%2Faccount"');
  });

  it('asks with state, nonce and PKCE, and with a new one each time', async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(async () => {
        const start = await createVisitor(service.url).get('/sign-in/upstream?choose=yes');
        return new URL(start.headers.get('location') ?? '').searchParams;
      }),
    );
    expect(Object.fromEntries(one ?? [])).toMatchObject({
      response_type: 'code',
      client_id: UPSTREAM_CLIENT.id,
      redirect_uri: `${service.url}/sign-in/callback`,
      code_challenge_method: 'S256',
      prompt: 'login',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one?.get(name)).toMatch(/^[\w-]{43}$/);
      expect(one?.get(name)).not.toBe(other?.get(name));
    }
  });

  it('makes an account on the plan that the claim names, and follows the claim later', async () => {
    const { visitor, answer } = await signInAs('mira');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/account']);
    const page = await accountOf(visitor);
    expect(page).toContain('mira@example.com');
    expect(page).toContain('Plan Team');

    provider.people.set('mira', { email: 'mira@example.com', plan: 'enterprise' });
    expect(await accountOf((await signInAs('mira')).visitor)).toContain('Plan Enterprise');
    provider.people.set('mira', { email: 'mira@example.com' });
    expect(await accountOf((await signInAs('mira')).visitor)).toContain('Plan Free');
    const users = await service.library.stores.accounts.users();
    expect(users.filter(({ email }) => email === 'mira@example.com')).toHaveLength(1);
  });

  it('takes the highest plan of several, and leaves out an e-mail that is not verified', async () => {
    const page = await accountOf((await signInAs('oscar')).visitor);
    expect(page).toContain('Plan Pro');
    expect(page).not.toContain('oscar@example.com');
    // Some providers write the claim as a string.
    expect(await accountOf((await signInAs('quoted')).visitor)).not.toContain('quoted@example.com');
  });

  it('never joins a local account of the same e-mail', async () => {
    const local = await service.addUser('local@example.com', 'enterprise');
    const page = await accountOf((await signInAs('taken')).visitor);
    expect(page).toContain('Plan Free');
    expect(page).not.toContain('local@example.com');
    expect(await service.library.stores.accounts.user(local.id)).toEqual(local);
  });

  it('takes an answer only once, only in the browser that asked, and only to what it asked', async () => {
    const { visitor, back } = await signInAs('mira');
    expect((await visitor.get(back)).status).toBe(403);
    expect((await createVisitor(service.url).get(back)).status).toBe(403);

    const asking = createVisitor(service.url);
    await asking.get('/sign-in/upstream');
    const foreign = await asking.get(back);
    expect(foreign.status).toBe(403);
    expect(await foreign.text()).toContain('did not work');
    expect((await asking.get('/account')).status).toBe(303);
  });

  it('leads back to where it began when the person leaves, or the provider is gone', async () => {
    const { answer } = await signInAs('');
    expect(answer.status).toBe(403);
    const page = await answer.text();
    expect(page).toContain('was cancelled');
    expect(page).toContain('href="/account"');

    const alone = await startPages({
      OIDC_ISSUER: 'http://127.0.0.1:1',
      OIDC_CLIENT_ID: 'x',
      OIDC_CLIENT_SECRET: 'x',
    });
    const refused = await createVisitor(alone.url).get('/sign-in/upstream');
    expect(refused.status).toBe(502);
    expect(await refused.text()).toContain('cannot be reached');
    await alone.close();
  });

  it('logs nothing that lets anyone in', async () => {
    const { back } = await signInAs('mira');
    const foreign = createVisitor(service.url);
    await foreign.get('/sign-in/upstream');
    await foreign.get(back);
    expect(service.logged).toContainEqual(
      expect.objectContaining({ event: 'sign_in.failed', audit: true, address: '127.0.0.1' }),
    );
    const everything = JSON.stringify(service.logged);
    expect(everything).not.toContain(new URL(back).searchParams.get('code'));
    expect(everything).not.toContain(UPSTREAM_CLIENT.secret);
  });
});
