import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { nodeModule, npmInstall } from '../recipe.ts';
import type { AppRecipe, Place, Stage } from '../recipe.ts';
import { PACKAGES, publishDocument } from './verdaccio/packages.ts';

const VERSION = '6.10.4';
const PUBLIC_URL = 'https://packages.example.com';
const DAY_MS = 86_400_000;
const PASSWORD = 'dark-sky-park';

const CONFIG = `storage: ./storage
auth:
  htpasswd:
    file: ./htpasswd
    algorithm: bcrypt
    rounds: 4
uplinks: {}
packages:
  '**':
    access: $all
    publish: $authenticated
    unpublish: $authenticated
web:
  title: Orrery packages
  gravatar: false
  primaryColor: '#3b4a8f'
server:
  rateLimit:
    max: 100000
log: { type: stdout, format: pretty, level: warn }
`;

async function prepare(place: Place): Promise<void> {
  writeFileSync(join(place.data, 'config.yaml'), CONFIG);
}

// The pages show the registry's address: they are served under a name, not under this machine's port.
async function openUnderName(stage: Stage, options: Parameters<Stage['open']>[0] = {}): Promise<Page> {
  const page = await stage.open(options);
  await page.route(`${PUBLIC_URL}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: `${stage.origin}${pathname}${search}` }) });
  });
  return page;
}

async function send(url: string, body: unknown, token?: string): Promise<{ token?: string }> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  const response = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`PUT ${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as { token?: string };
}

async function addUser({ origin }: Stage): Promise<string> {
  const user = { name: 'mira', password: PASSWORD, email: 'mira@example.org', type: 'user' };
  const { token } = await send(`${origin}/-/user/org.couchdb.user:mira`, user);
  if (token === undefined) throw new Error('the registry gave no token');
  return token;
}

async function publishAll({ origin }: Stage, token: string): Promise<void> {
  for (const item of PACKAGES) {
    for (const version of item.versions) {
      await send(`${origin}/${item.name.replace('/', '%2f')}`, publishDocument(item, version), token);
    }
  }
}

// Without it every package would be "published a few seconds ago".
function spreadOverMonths({ place }: Stage): void {
  for (const [number, { name, versions }] of PACKAGES.entries()) {
    const file = join(place.data, 'storage', name, 'package.json');
    const record = JSON.parse(readFileSync(file, 'utf8')) as { time: Record<string, string> };
    for (const [age, version] of versions.toReversed().entries()) {
      record.time[version] = new Date(Date.now() - (2 + 9 * number + 24 * age) * DAY_MS).toISOString();
    }
    record.time['modified'] = record.time[versions.at(-1) ?? ''] ?? '';
    writeFileSync(file, JSON.stringify(record));
  }
}

async function signIn({ shot }: Stage, page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  const password = page.locator('input[type=password]');
  await page.getByRole('button', { name: 'Login' }).click();
  await shot(page, 'sign-in', { pattern: ['sign-in', 'modal', 'form'], theme: 'light' });
  await dialog.locator('input').first().fill('mira');
  await password.fill('milky-way');
  await dialog.getByRole('button', { name: 'Login' }).click();
  await dialog.getByText('Invalid username or password').waitFor();
  await shot(page, 'sign-in-failed', { pattern: ['sign-in', 'error', 'modal'], theme: 'light' });
  await password.fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Login' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.locator('#header--button-account').click();
  await shot(page, 'account-menu', { pattern: ['account', 'navigation-menu', 'list'], theme: 'light' });
  await page.keyboard.press('Escape');
}

async function search({ shot }: Stage, page: Page): Promise<void> {
  const box = page.getByPlaceholder('Search Packages');
  await box.fill('moon');
  await page.getByText('Phases, rises').nth(1).waitFor();
  await shot(page, 'search', { pattern: ['search', 'search-results', 'list'], theme: 'light' });
  await box.fill('spreadsheet');
  await page.getByText('No results found').waitFor();
  await shot(page, 'no-results', { pattern: ['search', 'no-results'], theme: 'light' });
}

async function readPackage({ shot }: Stage, page: Page): Promise<void> {
  await page.goto(`${PUBLIC_URL}/-/web/detail/@orrery/star-map`);
  await shot(page, 'package', { pattern: ['detail', 'tabs', 'code'], theme: 'light' });
  await page.getByRole('tab', { name: 'Dependencies' }).click();
  await shot(page, 'dependencies', { pattern: ['detail', 'tabs', 'list'], theme: 'light' });
  await page.getByRole('tab', { name: 'Versions' }).click();
  await shot(page, 'versions', { pattern: ['detail', 'tabs', 'list'], theme: 'light' });
  await page.goto(`${PUBLIC_URL}/-/web/detail/@orrery/comet-finder`);
  await shot(page, 'not-found', { pattern: ['not-found', 'error'], theme: 'light' });
}

async function configure(stage: Stage, page: Page): Promise<void> {
  const { shot } = stage;
  await page.goto(PUBLIC_URL);
  await page.locator('#header--button-settings').click();
  await page.getByRole('button', { name: 'npm', exact: true }).click();
  await shot(page, 'settings', { pattern: ['settings', 'modal', 'code'], theme: 'light' });
  await page.getByRole('tab', { name: 'Translations' }).click();
  await shot(page, 'language', { pattern: ['settings', 'modal'], theme: 'light' });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByTestId('header--button--light').click();
  await shot(page, 'package-list-dark', { pattern: ['list', 'home', 'dark-mode'], theme: 'dark' });
  await page.goto(`${PUBLIC_URL}/-/web/detail/@orrery/ephemeris`);
  await shot(page, 'package-dark', { pattern: ['detail', 'tabs', 'code', 'dark-mode'], theme: 'dark' });
  const phone = await openUnderName(stage, { viewport: 'phone' });
  await phone.goto(PUBLIC_URL);
  await shot(phone, 'package-list-phone', { pattern: ['list', 'home'], theme: 'light' });
  await phone.goto(`${PUBLIC_URL}/-/web/detail/@orrery/star-map`);
  await shot(phone, 'package-phone', { pattern: ['detail', 'tabs', 'code'], theme: 'light' });
}

async function journey(stage: Stage): Promise<void> {
  const page = await openUnderName(stage);
  await page.goto(PUBLIC_URL);
  await stage.shot(page, 'empty', { pattern: ['empty-state', 'onboarding', 'help'], theme: 'light' });
  const token = await addUser(stage);
  await publishAll(stage, token);
  spreadOverMonths(stage);
  await page.goto(PUBLIC_URL);
  await stage.shot(page, 'package-list', { pattern: ['list', 'home'], theme: 'light' });
  await signIn(stage, page);
  await search(stage, page);
  await readPackage(stage, page);
  await configure(stage, page);
}

export const recipe: AppRecipe = {
  id: 'verdaccio',
  name: 'Verdaccio',
  version: VERSION,
  licence: 'MIT',
  source: 'npm verdaccio',
  install: (place) => npmInstall(place, { verdaccio: VERSION }, { overrides: { 'node-fetch': '2.7.0' } }),
  prepare,
  start: (place) => ({
    file: process.execPath,
    args: [
      nodeModule(place, 'verdaccio', 'bin', 'verdaccio'),
      '--config',
      join(place.data, 'config.yaml'),
      '--listen',
      `127.0.0.1:${place.port}`,
    ],
    env: { VERDACCIO_PUBLIC_URL: PUBLIC_URL },
  }),
  readyPath: '/-/ping',
  journey,
  flows: [
    {
      slug: 'sign-in',
      type: 'sign-in',
      name: 'Sign in to the registry',
      description:
        'A dialog over the list of packages; a wrong password stays in it, the right one opens the account.',
      screens: ['package-list', 'sign-in', 'sign-in-failed', 'account-menu'],
    },
    {
      slug: 'find-package',
      type: 'search',
      name: 'Find a package',
      description: 'Suggestions while typing, then the package: its read-me, dependencies and versions.',
      screens: ['no-results', 'search', 'package', 'dependencies', 'versions'],
    },
    {
      slug: 'settings',
      type: 'settings',
      name: 'Set up a client and the looks',
      description: 'Commands for a package manager, the language of the pages, and the dark theme.',
      screens: ['settings', 'language', 'package-list-dark'],
    },
  ],
};
