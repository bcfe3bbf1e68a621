import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startPages, type PagesService } from '../pages/start.ts';
import {
  startUpstreamProvider,
  UPSTREAM_CLIENT,
  type UpstreamProvider,
} from '../support/upstream-provider.ts';
import { expectAccessible, expectFits, launchChromium, openPage } from './browser.ts';
import { authorization, registerClient, startCallback, type Callback } from './client.ts';

const MIRA = 'mira@example.com';
const OSCAR = 'oscar@example.com';

describe('connecting a client in a browser', () => {
  let browser: Browser;
  let service: PagesService;
  let provider: UpstreamProvider;
  let callback: Callback;
  let clientId: string;
  beforeAll(async () => {
    browser = await launchChromium();
    provider = await startUpstreamProvider({ nils: { email: 'nils@upstream.example' } });
    service = await startPages({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: UPSTREAM_CLIENT.id,
      OIDC_CLIENT_SECRET: UPSTREAM_CLIENT.secret,
    });
    provider.register(`${service.url}/sign-in/callback`);
    await service.addUser(MIRA);
    await service.addUser(OSCAR, 'free');
    callback = await startCallback();
    clientId = await registerClient(service.url, 'Drawing Board', [callback.url]);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
    await provider.close();
    await callback.close();
  });

  const request = (extra?: Record<string, string>) =>
    authorization(service.url, {
      clientId,
      redirectUri: callback.url,
      ...(extra === undefined ? {} : { extra }),
    });

  async function signIn(page: Page, email: string): Promise<void> {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  const consent = (page: Page) => page.getByRole('heading', { name: /^Connect / }).waitFor();
  const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
  const returned = (page: Page) => page.getByRole('heading', { name: 'You can close this page' }).waitFor();

  /** Whose token the code is good for. */
  async function subjectOf(token: unknown): Promise<string | undefined> {
    const [, payload = ''] = String(token).split('.');
    const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string };
    return (await service.library.stores.accounts.user(sub))?.email;
  }

  it('signs in, asks, and comes back to a loopback address with a code, by keyboard and without script', async () => {
    const page = await openPage(browser);
    const asked = request();
    await page.goto(asked.url);
    expect(await page.getByText('To connect Drawing Board').count()).toBe(1);
    await expectFits(page, 'sign-in-for-client');
    await page.getByLabel('E-mail').focus();
    await page.keyboard.type(MIRA);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');

    await consent(page);
    await expectFits(page, 'consent');
    const text = await page.locator('main').innerText();
    expect(text).toContain('Connect Drawing Board to Vitrine?');
    expect(text).toContain(MIRA);
    expect(text).toContain('plan Pro');
    expect(text).toContain(new URL(callback.url).host);
    expect(text).toContain(service.resources.mcp.id);
    expect(text).toContain('Read the library');
    expect(text).toContain('Use the search tools');
    expect(text).toContain('is not a verified name');

    await page.getByRole('button', { name: 'Deny' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await returned(page);
    const answer = callback.visits.at(-1);
    expect(answer?.get('state')).toBe(asked.state);
    expect(answer?.get('iss')).toBe(service.url);
    const { status, body } = await asked.redeem(answer?.get('code') ?? '');
    expect(status).toBe(200);
    expect(await subjectOf(body['access_token'])).toBe(MIRA);
    await page.context().close();
  });

  it('tells the client of a denial, at consent and instead of signing in', async () => {
    const page = await openPage(browser);
    const first = request();
    await page.goto(first.url);
    await press(page, 'Cancel');
    await returned(page);
    expect(Object.fromEntries(callback.visits.at(-1) ?? [])).toMatchObject({
      error: 'access_denied',
      state: first.state,
    });

    const second = request();
    await page.goto(second.url);
    await signIn(page, MIRA);
    await consent(page);
    await press(page, 'Deny');
    await returned(page);
    expect(Object.fromEntries(callback.visits.at(-1) ?? [])).toMatchObject({
      error: 'access_denied',
      state: second.state,
    });
    await page.context().close();
  });

  it('shows who is signed in already, and switches to another account', async () => {
    const page = await openPage(browser, { script: true });
    await page.goto(`${service.url}/account`);
    await signIn(page, MIRA);
    await page.getByRole('heading', { name: 'Your account' }).waitFor();

    const asked = request();
    await page.goto(asked.url);
    await consent(page);
    await expectAccessible(page);
    expect(await page.getByText(MIRA).count()).toBe(1);
    await press(page, 'Switch account');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectAccessible(page);
    await signIn(page, OSCAR);
    await consent(page);
    expect(await page.getByText(MIRA).count()).toBe(0);
    expect(await page.getByText('Plan Free does not include this access.').count()).toBe(1);
    await expectAccessible(page);
    await expectFits(page, 'consent-without-plan');
    await press(page, 'Allow');
    await returned(page);
    const { body } = await asked.redeem(callback.visits.at(-1)?.get('code') ?? '');
    expect(await subjectOf(body['access_token'])).toBe(OSCAR);

    await page.goto(`${service.url}/account`);
    expect(await page.getByText(OSCAR).count()).toBe(1);
    expect(await page.getByText('Drawing Board', { exact: true }).count()).toBe(1);
    await page.context().close();
  });

  it('signs in at another provider on the way, and goes on to consent', async () => {
    const page = await openPage(browser);
    const asked = request();
    await page.goto(asked.url);
    await page.getByRole('link', { name: /^Continue with/ }).click();
    await page.getByRole('link', { name: 'nils' }).click();
    await consent(page);
    expect(await page.getByText('nils@upstream.example').count()).toBe(1);
    await press(page, 'Allow');
    await returned(page);
    const { body } = await asked.redeem(callback.visits.at(-1)?.get('code') ?? '');
    expect(await subjectOf(body['access_token'])).toBe('nils@upstream.example');
    await page.context().close();
  });

  it('comes back to an IPv6 loopback address', async () => {
    const six = await startCallback('::1');
    const id = await registerClient(service.url, 'Six', [six.url]);
    const asked = authorization(service.url, { clientId: id, redirectUri: six.url });
    const page = await openPage(browser);
    await page.goto(asked.url);
    await signIn(page, MIRA);
    await consent(page);
    await press(page, 'Allow');
    await returned(page);
    expect(six.visits.at(-1)?.get('state')).toBe(asked.state);
    await page.context().close();
    await six.close();
  });

  it.each([
    ['https://app.example.com/oauth/callback', 'app.example.com'],
    ['drawing-board://oauth/callback', 'drawing-board'],
  ])(
    'leaves for the approved callback %s, which the policy of the page allows',
    async (redirectUri, shown) => {
      await service.library.stores.oauth.approvedRedirectUris.approve(redirectUri);
      const id = await registerClient(service.url, 'Hosted', [redirectUri]);
      const asked = authorization(service.url, { clientId: id, redirectUri });
      const page = await openPage(browser);
      const refusals: string[] = [];
      page.on('console', (message) => refusals.push(message.text()));
      await page.goto(asked.url);
      await signIn(page, MIRA);
      await consent(page);
      expect(await page.getByText(shown, { exact: false }).count()).toBeGreaterThan(0);
      // Nothing answers there; but the browser set out, which a policy against it would have prevented.
      const leaving = page.waitForRequest((sent) => sent.url().startsWith(redirectUri));
      await press(page, 'Allow');
      const sent = new URL((await leaving).url());
      expect(sent.searchParams.get('state')).toBe(asked.state);
      expect(sent.searchParams.get('code')).toBeTruthy();
      expect(refusals.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
      await page.context().close();
    },
  );

  it('answers a request that cannot be trusted with a page, and does not go back', async () => {
    const page = await openPage(browser, { script: true });
    const asked = authorization(service.url, { clientId, redirectUri: 'https://evil.example/callback' });
    const answer = await page.goto(asked.url);
    expect(answer?.status()).toBe(400);
    await page.getByRole('heading', { name: 'This app cannot be connected' }).waitFor();
    await expectAccessible(page);
    await expectFits(page, 'fault');
    await page.goto(`${service.url}/oauth/interaction/gone`);
    await page.getByRole('heading', { name: 'This request is no longer open' }).waitFor();
    await expectAccessible(page);
    await page.context().close();
  });
});
