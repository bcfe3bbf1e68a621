import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startPages, type PagesService } from '../pages/start.ts';
import {
  startUpstreamProvider,
  UPSTREAM_CLIENT,
  type UpstreamProvider,
} from '../support/upstream-provider.ts';
import { expectAccessible, expectFits, launchChromium, openPage } from './browser.ts';

describe('sign-in and account in a browser', () => {
  let browser: Browser;
  let service: PagesService;
  let provider: UpstreamProvider;
  beforeAll(async () => {
    browser = await launchChromium();
    provider = await startUpstreamProvider({ mira: { email: 'mira@upstream.example', plan: 'team' } });
    service = await startPages({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: UPSTREAM_CLIENT.id,
      OIDC_CLIENT_SECRET: UPSTREAM_CLIENT.secret,
    });
    provider.register(`${service.url}/sign-in/callback`);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
    await provider.close();
  });

  async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
    await page.goto(`${service.url}/account`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  it('signs in after a wrong password, with the keyboard alone, and out', async () => {
    await service.addUser('mira@example.com');
    const page = await openPage(browser);
    await page.goto(`${service.url}/account`);
    expect(await page.title()).toBe('Sign in – Vitrine');
    await expectFits(page, 'sign-in');

    await page.getByLabel('E-mail').focus();
    await page.keyboard.type('mira@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('not right');
    expect(await page.title()).toMatch(/^Error:/);
    expect(await page.getByLabel('E-mail').inputValue()).toBe('mira@example.com');
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    await expectFits(page, 'wrong-password');

    await page.getByLabel('Password').focus();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/account');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(`${service.url}/account`);
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await page.context().close();
  });

  it('has a sign-in page that axe finds nothing in, a refused one too', async () => {
    const page = await openPage(browser, { script: true });
    await page.goto(`${service.url}/sign-in`);
    await expectAccessible(page);
    await signIn(page, 'mira@example.com', 'wrong');
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
    await page.context().close();
  });

  it('shows plan and connected apps, and disconnects one', async () => {
    const user = await service.addUser('oscar@example.com', 'free');
    const { grants, oauth } = service.library.stores;
    const resource = service.resources.mcp.id;
    for (const [id, name] of [
      ['one', 'Drawing Board'],
      ['two', 'A client with a name that goes on for much longer than names of clients should ever go'],
    ] as const) {
      await oauth.clients.add({ id, metadata: { client_name: name }, createdAt: new Date() });
      await grants.add({ userId: user.id, clientId: id, resource, scope: 'mcp:read' });
    }
    const page = await openPage(browser, { script: true });
    await signIn(page, 'oscar@example.com');
    await page.getByRole('heading', { name: 'Plan Free' }).waitFor();
    await expectAccessible(page);
    await expectFits(page, 'account');

    await page.getByRole('button', { name: /^Disconnect Drawing Board/ }).click();
    await page.getByRole('status').waitFor();
    expect(await page.getByText('Drawing Board').count()).toBe(0);
    expect((await grants.grantsOf(user.id)).map(({ clientId }) => clientId)).toEqual(['two']);
    await page.getByRole('button', { name: /^Disconnect/ }).click();
    await page.getByText('No app is connected.').waitFor();
    await expectAccessible(page);
    await expectFits(page, 'account-empty');
    await page.context().close();
  });

  it('signs in at another provider, and comes back when the person leaves there', async () => {
    const page = await openPage(browser);
    await page.goto(`${service.url}/account`);
    await page.getByRole('link', { name: /^Continue with 127\.0\.0\.1/ }).click();
    await page.getByRole('link', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Sign-in did not work' }).waitFor();
    await expectFits(page, 'upstream-cancelled');
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('link', { name: /^Continue with/ }).click();
    await page.getByRole('link', { name: 'mira' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    expect(await page.getByText('mira@upstream.example').count()).toBe(1);
    await page.context().close();
  });

  it('sends whoever comes under another name of this machine to the configured one', async () => {
    const page = await openPage(browser);
    await page.goto(`${service.url.replace('127.0.0.1', 'localhost')}/account`);
    expect(page.url()).toBe(`${service.url}/sign-in?to=%2Faccount`);
    await page.context().close();
  });
});
