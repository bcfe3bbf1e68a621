import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { run } from '../recipe.ts';
import type { AppRecipe, Place, Stage } from '../recipe.ts';

const VERSION = '26.4.0';
const REALM = 'harbour-library';
const REALM_NAME = 'Harbour Library';
const ADMIN = { username: 'mira', password: 'quiet-harbour-1912' };
// The console calls the first account temporary on every page, so a second one is used.
const BOOTSTRAP = { username: 'bootstrap', password: 'for-the-first-minute' };

const STAFF = [
  ['ada', 'Ada', 'Lind', 'Reading room'],
  ['ines', 'Inês', 'Duarte', 'Archive'],
  ['lena', 'Lena', 'Vogt', 'Children'],
  ['noor', 'Noor', 'Haddad', 'Children'],
  ['ravi', 'Ravi', 'Menon', 'Reading room'],
  ['sam', 'Sam', 'Okafor', 'Circulation'],
  ['tomas', 'Tomás', 'Vega', 'Circulation'],
  ['yuki', 'Yuki', 'Mori', 'Archive'],
] as const;

const CLIENTS = [
  ['catalogue', 'Catalogue', 'The public catalogue and its reservations'],
  ['catalogue-admin', 'Catalogue back office', 'Cataloguing and stock keeping'],
  ['catalogue-kiosk', 'Catalogue kiosk', 'Self-service desks in the entrance hall'],
] as const;

function home(place: Place): string {
  return join(place.tools, `keycloak-${VERSION}`);
}

async function install(place: Place): Promise<void> {
  if (existsSync(join(home(place), 'bin/kc.sh'))) return;
  const artifact = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`;
  const folder = `-DoutputDirectory=${place.tools}`;
  await run({ file: 'mvn', args: ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, folder] });
  const zip = join(place.tools, `keycloak-quarkus-dist-${VERSION}.zip`);
  await run({ file: 'unzip', args: ['-q', '-o', zip, '-d', place.tools] });
}

type Call = (method: string, path: string, body?: object) => Promise<unknown>;

/** The administration interface; its token lasts a minute. */
async function connect(origin: string, who: typeof ADMIN): Promise<Call> {
  const granted = await fetch(`${origin}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...who }),
  });
  const { access_token: token } = (await granted.json()) as { access_token: string };
  return async (method, path, body) => {
    const answer = await fetch(`${origin}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

async function addAdmin(origin: string): Promise<void> {
  const call = await connect(origin, BOOTSTRAP);
  await call('POST', '/master/users', {
    username: ADMIN.username,
    firstName: 'Mira',
    lastName: 'Sand',
    email: 'mira@example.org',
    enabled: true,
    credentials: [{ type: 'password', value: ADMIN.password }],
  });
  const [user] = (await call('GET', `/master/users?username=${ADMIN.username}`)) as { id: string }[];
  const role = (await call('GET', '/master/roles/admin')) as object;
  await call('POST', `/master/users/${user?.id}/role-mappings/realm`, [role]);
}

async function fillRealm(origin: string): Promise<void> {
  const call = await connect(origin, ADMIN);
  await call('PUT', `/${REALM}`, {
    displayName: REALM_NAME,
    displayNameHtml: REALM_NAME,
    registrationAllowed: true,
    resetPasswordAllowed: true,
    rememberMe: true,
    loginWithEmailAllowed: true,
    passwordPolicy: 'length(10) and digits(1)',
  });
  for (const name of new Set(STAFF.map(([, , , team]) => team)))
    await call('POST', `/${REALM}/groups`, { name });
  for (const [username, firstName, lastName, team] of STAFF) {
    await call('POST', `/${REALM}/users`, {
      username,
      firstName,
      lastName,
      email: `${username}@example.org`,
      emailVerified: true,
      enabled: true,
      groups: [team],
    });
  }
  for (const [clientId, name, description] of CLIENTS) {
    const baseUrl = `https://${clientId}.example.org/`;
    await call('POST', `/${REALM}/clients`, {
      clientId,
      name,
      description,
      baseUrl,
      redirectUris: [`${baseUrl}*`],
    });
  }
}

async function signIn(page: Page, { username, password }: typeof ADMIN): Promise<void> {
  await page.locator('#username').fill(username);
  await page.locator('#password').fill(password);
  await page.locator('#kc-login').click();
}

/** Closes the messages that the console stacks in its corner. */
async function dismiss(page: Page): Promise<void> {
  const close = page.locator('.pf-v5-c-alert-group button');
  await close.first().waitFor();
  while ((await close.count()) > 0) await close.first().click();
}

async function enterConsole({ shot, open }: Stage): Promise<Page> {
  const page = await open();
  await page.goto('/admin/');
  await page.locator('#username').waitFor();
  await shot(page, 'admin-sign-in', { pattern: ['sign-in', 'login-wall'], theme: 'dark' });
  const phone = await open({ viewport: 'phone' });
  await phone.goto('/admin/');
  await signIn(phone, { ...ADMIN, password: 'quiet-harbor-1912' });
  await phone.getByText('Invalid username or password').waitFor();
  await shot(phone, 'admin-sign-in-failed', { pattern: ['sign-in', 'error', 'form'], theme: 'light' });
  await signIn(page, ADMIN);
  await page.getByText('Welcome to Keycloak').waitFor();
  await shot(page, 'console-welcome', {
    pattern: ['welcome', 'home', 'navigation-menu', 'tabs'],
    theme: 'light',
  });
  return page;
}

async function manageUsers({ shot, origin }: Stage, page: Page): Promise<void> {
  const users = `/admin/master/console/#/${REALM}/users`;
  await page.getByRole('link', { name: 'Manage realms' }).click();
  await page.getByRole('button', { name: 'Create realm' }).click();
  await page.locator('#realm').fill(REALM);
  await shot(page, 'create-realm', { pattern: ['modal', 'create', 'form', 'setup'], theme: 'light' });
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('Realm created successfully').waitFor();
  await dismiss(page);
  await page.goto(users);
  await page.getByText('No users found').waitFor();
  await shot(page, 'users-empty', { pattern: ['empty-state', 'user-management', 'tabs'], theme: 'light' });

  await fillRealm(origin);
  await page.goto(`${users}/add-user`);
  await page.locator('#username').fill('elif');
  await page.locator('#email').fill('elif@example.org');
  await page.locator('#firstName').fill('Elif');
  await page.locator('#lastName').fill('Aydın');
  await shot(page, 'create-user', { pattern: ['create', 'form', 'user-management'], theme: 'light' });
  await page.getByTestId('user-creation-save').click();
  await page.getByText('The user has been created').waitFor();
  await page.getByText('Created at').waitFor();
  await shot(page, 'user-created', {
    pattern: ['detail', 'success', 'tabs', 'user-management'],
    theme: 'light',
  });
  await dismiss(page);

  await page.goto(users);
  await page.getByText('yuki@example.org').waitFor();
  await shot(page, 'users', { pattern: ['list', 'table', 'user-management'], theme: 'light' });
  const search = page.getByPlaceholder('Search user');
  await search.fill('*en*');
  await search.press('Enter');
  await page.getByText('ada@example.org').waitFor({ state: 'detached' });
  await shot(page, 'users-search', {
    pattern: ['search-results', 'table', 'user-management'],
    theme: 'light',
  });
  await search.fill('vermeer');
  await search.press('Enter');
  await page.getByText('lena@example.org').waitFor({ state: 'detached' });
  await shot(page, 'users-no-results', { pattern: ['no-results', 'search', 'empty-state'], theme: 'light' });
  await search.fill('');
  await search.press('Enter');
  await page.getByRole('row', { name: /tomas/ }).getByRole('checkbox').check();
  await page.getByTestId('delete-user-btn').click();
  await page.getByRole('dialog').waitFor();
  await shot(page, 'delete-user', {
    pattern: ['delete-confirmation', 'modal', 'user-management'],
    theme: 'light',
  });
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('The user has been deleted').waitFor();
  await page.getByText('tomas@example.org').waitFor({ state: 'detached' });
  await shot(page, 'user-deleted', {
    pattern: ['success', 'list', 'table', 'user-management'],
    theme: 'light',
  });
}

async function manageClients({ shot, open }: Stage, admin: Page): Promise<void> {
  const console = `/admin/master/console/#/${REALM}`;
  await admin.goto(`${console}/realm-settings/login`);
  // The console keeps what it once read of the realm.
  await admin.reload();
  await admin.getByText('Login screen customization').waitFor();
  await shot(admin, 'realm-login-settings', { pattern: ['settings', 'tabs', 'form'], theme: 'light' });

  const page = await open({ scheme: 'dark', like: admin });
  await page.goto(`${console}/clients`);
  const search = page.getByPlaceholder('Search for client');
  await search.fill('catalogue');
  await search.press('Enter');
  await page.getByText('account-console').waitFor({ state: 'detached' });
  await shot(page, 'clients-dark', {
    pattern: ['search-results', 'table', 'dark-mode', 'tabs'],
    theme: 'dark',
  });
  await page.goto(`${console}/clients/add-client`);
  await page.locator('#clientId').fill('reading-room');
  await page.locator('#name').fill('Reading room bookings');
  await page.locator('#description').fill('Seats, lockers and study rooms by the hour');
  await shot(page, 'create-client-dark', {
    pattern: ['wizard', 'create', 'form', 'dark-mode'],
    theme: 'dark',
  });
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Authentication flow').waitFor();
  await shot(page, 'create-client-capabilities-dark', {
    pattern: ['wizard', 'create', 'settings', 'dark-mode'],
    theme: 'dark',
  });
}

async function visitAccount({ shot, open }: Stage): Promise<void> {
  const phone = await open({ viewport: 'phone' });
  const account = `/realms/${REALM}/account/`;
  await phone.goto(account);
  await phone.locator('#username').waitFor();
  await shot(phone, 'member-sign-in', { pattern: ['sign-in', 'login-wall', 'form'], theme: 'light' });
  await phone.getByRole('link', { name: 'Forgot Password?' }).click();
  await phone.locator('#username').fill('juno@example.org');
  await shot(phone, 'forgot-password', { pattern: ['forgot-password', 'form'], theme: 'light' });
  await phone.getByRole('link', { name: /Back to Login/ }).click();
  await phone.getByRole('link', { name: 'Register' }).click();
  await phone.getByText('Required fields').waitFor();
  await shot(phone, 'sign-up', { pattern: ['sign-up', 'form'], theme: 'light' });
  await phone.locator('#username').fill('juno');
  await phone.locator('#email').fill('juno@example.org');
  await phone.locator('#firstName').fill('Juno');
  await phone.locator('#lastName').fill('Marsh');
  await phone.locator('#password').fill('sea-glass-1987');
  await phone.locator('#password-confirm').fill('sea-glass');
  await phone.getByRole('button', { name: 'Register' }).click();
  await phone.locator('#input-error-password-confirm').waitFor();
  await shot(phone, 'sign-up-error', { pattern: ['sign-up', 'error', 'form'], theme: 'light' });
  await phone.locator('#password').fill('sea-glass-1987');
  await phone.locator('#password-confirm').fill('sea-glass-1987');
  await phone.getByRole('button', { name: 'Register' }).click();
  await phone.getByText('Personal info').first().waitFor();

  const page = await open({ like: phone, scheme: 'dark' });
  await page.goto(account);
  await page.locator('#firstName').waitFor();
  await shot(page, 'account-dark', {
    pattern: ['account', 'profile', 'form', 'navigation-menu', 'dark-mode'],
    theme: 'dark',
  });
  const light = await open({ like: page });
  await light.goto(`${account}account-security/signing-in`);
  await light.getByText('Two-factor authentication').waitFor();
  await shot(light, 'sign-in-methods', { pattern: ['account', 'settings', 'list'], theme: 'light' });
  await light.getByText('Set up Authenticator application').click();
  await light.getByText('Unable to scan?').waitFor();
  const pairing = await open({ viewport: 'phone', like: light });
  await pairing.goto(light.url());
  await pairing.locator('#userLabel').fill("Juno's phone");
  await pairing.evaluate('scrollTo(0, 0)');
  await shot(pairing, 'authenticator-setup', { pattern: ['verification', 'setup', 'form'], theme: 'light' });
}

async function journey(stage: Stage): Promise<void> {
  await addAdmin(stage.origin);
  const page = await enterConsole(stage);
  await manageUsers(stage, page);
  await manageClients(stage, page);
  await visitAccount(stage);
}

export const recipe: AppRecipe = {
  id: 'keycloak',
  name: 'Keycloak',
  version: VERSION,
  licence: 'Apache-2.0',
  source: 'org.keycloak:keycloak-quarkus-dist (Maven Central)',
  install,
  start: (place) => ({
    file: join(home(place), 'bin/kc.sh'),
    args: ['start-dev', '--db=dev-mem', '--http-host=127.0.0.1', `--http-port=${place.port}`],
    env: { KC_BOOTSTRAP_ADMIN_USERNAME: BOOTSTRAP.username, KC_BOOTSTRAP_ADMIN_PASSWORD: BOOTSTRAP.password },
  }),
  readyPath: '/realms/master',
  journey,
  flows: [
    {
      slug: 'admin-sign-in',
      type: 'sign-in',
      name: 'Sign in to the console',
      description:
        'A wrong password is answered at the field; the right one opens the administration console.',
      screens: ['admin-sign-in', 'admin-sign-in-failed', 'console-welcome'],
    },
    {
      slug: 'first-realm',
      type: 'setup',
      name: 'Set up a realm and its first person',
      description: 'From the welcome page to a new realm, its empty user list and the first account in it.',
      screens: ['console-welcome', 'create-realm', 'users-empty', 'create-user', 'user-created'],
    },
    {
      slug: 'find-user',
      type: 'search',
      name: 'Find a user',
      description: 'The user list narrowed by part of a name, and a search that finds nobody.',
      screens: ['users', 'users-search', 'users-no-results'],
    },
    {
      slug: 'delete-user',
      type: 'delete',
      name: 'Delete a user',
      description: 'A row is ticked, the deletion confirmed in a dialog and reported above the shorter list.',
      screens: ['users', 'delete-user', 'user-deleted'],
    },
    {
      slug: 'create-client',
      type: 'create',
      name: 'Register an application',
      description: 'The dark console: registered applications, then two steps of the wizard that adds one.',
      screens: ['clients-dark', 'create-client-dark', 'create-client-capabilities-dark'],
    },
    {
      slug: 'member-sign-up',
      type: 'sign-up',
      name: 'Register on a phone',
      description: 'From the sign-in page to the registration form, a mistyped password and the new account.',
      screens: ['member-sign-in', 'sign-up', 'sign-up-error', 'account-dark'],
    },
    {
      slug: 'two-factor',
      type: 'setup',
      name: 'Add a second factor',
      description:
        'From personal data to the ways of signing in, and the code that pairs an authenticator app.',
      screens: ['account-dark', 'sign-in-methods', 'authenticator-setup'],
    },
  ],
};
