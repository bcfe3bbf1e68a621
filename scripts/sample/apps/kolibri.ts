import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { pipInstall, python, run } from '../recipe.ts';
import type { AppRecipe, Place, Stage } from '../recipe.ts';
import { CHANNELS } from './kolibri/channels.ts';

const VERSION = '0.19.5';
const THUMBNAIL_WIDTH_PX = 480;
const ADMIN = { name: 'Mira Sand', username: 'mira', password: 'quiet-harbour' };
const SCHOOL = 'Quay Lane School';
const LEARNERS = [
  ['Aiko Tanaka', 'aiko'],
  ['Ben Carver', 'ben'],
  ['Chidi Obi', 'chidi'],
  ['Dana Levi', 'dana'],
  ['Emil Strand', 'emil'],
  ['Farah Aziz', 'farah'],
] as const;

function environment(place: Place): Record<string, string> {
  return {
    KOLIBRI_HOME: join(place.data, 'kolibri'),
    KOLIBRI_LISTEN_ADDRESS: '127.0.0.1',
    KOLIBRI_ZIP_CONTENT_PORT: '0',
    DISABLE_PING: '1',
  };
}

/** Draws a thumbnail once and returns its file. */
async function draw(place: Place, picture: string): Promise<string> {
  const name = createHash('sha256').update(picture).digest('hex').slice(0, 16);
  const file = join(place.data, 'pictures', `${name}.png`);
  await sharp(Buffer.from(picture)).resize(THUMBNAIL_WIDTH_PX).png().toFile(file);
  return file;
}

/** Replaces drawings by the files made of them. */
async function drawAll(place: Place): Promise<object[]> {
  return Promise.all(
    CHANNELS.map(async (channel) => ({
      ...channel,
      picture: await draw(place, channel.picture),
      folders: await Promise.all(
        channel.folders.map(async (folder) => ({
          ...folder,
          picture: await draw(place, folder.picture),
          resources: await Promise.all(
            folder.resources.map(async (resource) => ({
              ...resource,
              picture: await draw(place, resource.picture),
            })),
          ),
        })),
      ),
    })),
  );
}

async function prepare(place: Place): Promise<void> {
  mkdirSync(join(place.data, 'pictures'));
  const input = JSON.stringify(await drawAll(place));
  const args = [join(place.assets, 'channels.py'), join(place.assets, 'lesson.html')];
  await run({ file: python(place), args, input, env: environment(place), cwd: place.data });
}

async function setUp({ open, shot }: Stage): Promise<Page> {
  const page = await open({ viewport: 'phone' });
  const proceed = () => page.getByRole('button', { name: 'Continue' }).click();
  await page.goto('/');
  await page.getByText('Group learning', { exact: true }).click();
  await shot(page, 'setup-use', { pattern: ['setup', 'wizard', 'onboarding', 'form'], theme: 'light' });
  await proceed();
  await page.getByLabel('Device name').fill(SCHOOL);
  await proceed();
  await page.getByText('What kind of device is this?').waitFor();
  await proceed();
  await page.getByText('Create a new learning facility').waitFor();
  await proceed();
  await page.getByLabel('Learning facility name').fill(SCHOOL);
  await shot(page, 'setup-facility', { pattern: ['setup', 'wizard', 'form'], theme: 'light' });
  await proceed();
  await page.getByText('explore Kolibri without an account?').waitFor();
  await shot(page, 'setup-guests', { pattern: ['setup', 'wizard', 'permission', 'form'], theme: 'light' });
  await proceed();
  await page.getByText('Allow learners to join').waitFor();
  await proceed();
  await page.getByText('Enable passwords').waitFor();
  await proceed();
  await page.getByText('Responsibilities as an administrator').waitFor();
  await shot(page, 'setup-responsibilities', { pattern: ['setup', 'wizard', 'terms'], theme: 'light' });
  await proceed();
  await page.getByText('Create super admin').waitFor();
  await page.getByLabel('Full name').fill(ADMIN.name);
  await page.getByLabel('Username').fill(ADMIN.username);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByLabel('Re-enter password').fill('quiet-harbor');
  await proceed();
  await page.getByText('Passwords do not match').waitFor();
  await shot(page, 'setup-account-error', { pattern: ['setup', 'sign-up', 'error', 'form'], theme: 'light' });
  await page.getByLabel('Re-enter password').fill(ADMIN.password);
  await proceed();
  await page.getByText('Sea and weather').waitFor();
  await shot(page, 'channels-phone', { pattern: ['list', 'tabs', 'settings'], theme: 'light' });
  return page;
}

/** Enrols the learners as their administrator, signed in on `page`. */
async function addLearners(page: Page): Promise<void> {
  const cookies = await page.context().cookies();
  const token = cookies.find(({ name }) => name.endsWith('csrftoken'))?.value ?? '';
  const found = await page.request.get('/api/auth/facility/');
  const [facility] = (await found.json()) as { id: string }[];
  for (const [name, username] of LEARNERS) {
    const data = { facility: facility?.id, full_name: name, username, password: ADMIN.password };
    const answer = await page.request.post('/api/auth/facilityuser/', {
      headers: { 'X-CSRFToken': token },
      data,
    });
    if (!answer.ok()) throw new Error(`${username}: ${answer.status()} ${await answer.text()}`);
  }
}

async function answer(page: Page, choice: string): Promise<void> {
  await page.locator('button').filter({ hasText: choice }).click();
  await page.getByRole('button', { name: 'Check' }).click();
}

async function explore({ shot }: Stage, page: Page): Promise<void> {
  const box = page.getByPlaceholder('Find something to learn');
  await page.goto('/en/learn/#/library');
  await page.getByText('Welcome to Kolibri!').waitFor();
  await shot(page, 'welcome', { pattern: ['welcome', 'modal', 'onboarding'], theme: 'light' });
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Welcome to Kolibri!').waitFor({ state: 'detached' });
  await shot(page, 'library', { pattern: ['home', 'gallery', 'search'], theme: 'light' });
  await box.fill('tide');
  await box.press('Enter');
  await page.getByText('5 results').waitFor();
  await shot(page, 'search-results', { pattern: ['search-results', 'gallery'], theme: 'light' });
  await box.fill('volcano');
  await box.press('Enter');
  await page.getByText('0 results').waitFor();
  await shot(page, 'no-results', { pattern: ['no-results', 'search', 'empty-state'], theme: 'light' });
  await page.goto('/en/learn/#/library');
  await page.getByText('Sea and weather').first().click();
  await page.getByText('Reading a tide table').waitFor();
  await shot(page, 'channel', { pattern: ['detail', 'gallery', 'tabs'], theme: 'light' });
  await page.getByText('What makes the tide').first().click();
  await page.frameLocator('iframe').frameLocator('iframe').getByText('Try it.').waitFor();
  await shot(page, 'lesson', { pattern: ['lesson', 'detail'], theme: 'light' });
  await page.goBack();
  await page.getByText('Quiz: high and low water').first().click();
  await answer(page, 'Once a week');
  await page.getByText('Try again').waitFor();
  await shot(page, 'quiz-wrong', { pattern: ['quiz', 'error', 'lesson'], theme: 'light' });
  await answer(page, 'Twice a day');
  await page.getByRole('button', { name: 'Next' }).waitFor();
  await shot(page, 'quiz-right', { pattern: ['quiz', 'success', 'lesson'], theme: 'light' });
}

async function administer({ shot }: Stage, page: Page): Promise<void> {
  await page.goto('/en/facility/#/classes');
  await page.getByText('No classes exist').waitFor();
  await shot(page, 'classes-empty', { pattern: ['empty-state', 'tabs', 'list'], theme: 'light' });
  await page.getByRole('button', { name: 'New class' }).click();
  await page.getByLabel('Class name').fill('Harbour explorers');
  await shot(page, 'create-class', { pattern: ['create', 'modal', 'form'], theme: 'light' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Harbour explorers' }).click();
  await page.getByText("You don't have any enrolled learners").waitFor();
  await page.getByText('Class created').waitFor({ state: 'detached' });
  await shot(page, 'class', { pattern: ['detail', 'empty-state'], theme: 'light' });
  await page.getByRole('link', { name: 'Enroll learners' }).click();
  await page.getByText('Aiko Tanaka').waitFor();
  await page.getByRole('checkbox').nth(1).check({ force: true });
  await page.getByRole('checkbox').nth(3).check({ force: true });
  await shot(page, 'enroll-learners', { pattern: ['add-item', 'table', 'user-management'], theme: 'light' });
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Learners enrolled').waitFor();
  await shot(page, 'class-enrolled', { pattern: ['detail', 'success', 'table'], theme: 'light' });
  await page.getByText('Learners enrolled').waitFor({ state: 'detached' });
  await page.goto('/en/facility/#/users');
  await page.getByText('Farah Aziz', { exact: true }).waitFor();
  await shot(page, 'users', { pattern: ['table', 'list', 'user-management'], theme: 'light' });
  await page.getByText('New user').click();
  await page.getByLabel('Full name').fill('Gus Moreau');
  await page.getByLabel('Username').fill('gus');
  await shot(page, 'create-user', {
    pattern: ['create', 'form', 'user-management', 'modal'],
    theme: 'light',
  });
  await page.keyboard.press('Escape');
  await page.getByText('Are you sure you want to leave this page?').waitFor();
  await shot(page, 'create-user-leave', { pattern: ['confirmation', 'modal'], theme: 'light' });
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.goto('/en/facility/#/settings');
  await page.getByText('How learners sign in').waitFor();
  await shot(page, 'facility-settings', { pattern: ['settings', 'form', 'tabs'], theme: 'light' });
  await page.goto('/en/profile/');
  await page.getByRole('rowheader', { name: 'Device permissions' }).waitFor();
  await shot(page, 'profile', { pattern: ['profile', 'account', 'detail'], theme: 'light' });
}

/** A learner on a phone. The sign-in page is passed without a picture: a photograph of a real person fills it. */
async function learn({ shot, open }: Stage): Promise<void> {
  const phone = await open({ viewport: 'phone' });
  await phone.goto('/en/user/#/signin');
  await phone.getByLabel('Username').fill('aiko');
  await phone.getByRole('button', { name: 'Next' }).click();
  await phone.getByLabel('Password').fill(ADMIN.password);
  await phone.getByRole('button', { name: 'Sign in' }).click();
  await phone.getByText('Welcome to Kolibri!').waitFor();
  await shot(phone, 'welcome-phone', { pattern: ['welcome', 'modal', 'onboarding'], theme: 'light' });
  await phone.getByRole('button', { name: 'Continue' }).click();
  await phone.getByText('Welcome to Kolibri!').waitFor({ state: 'detached' });
  await shot(phone, 'home-phone', { pattern: ['home', 'list'], theme: 'light' });
  await phone.goto('/en/learn/#/bookmarks');
  await phone.getByText('You have no bookmarked resources').waitFor();
  await shot(phone, 'bookmarks-empty-phone', { pattern: ['empty-state', 'list', 'tabs'], theme: 'light' });
  await phone.goto('/en/learn/#/library');
  await phone.getByText('Sea and weather').first().click();
  await phone.getByText('What makes the tide').first().waitFor();
  await shot(phone, 'channel-phone', { pattern: ['detail', 'gallery', 'tabs'], theme: 'light' });
  await phone.getByText('Quiz: high and low water').last().click();
  await phone.locator('button').filter({ hasText: 'Once a week' }).waitFor();
  await shot(phone, 'quiz-phone', { pattern: ['quiz', 'lesson'], theme: 'light' });
  await answer(phone, 'Twice a day');
  await phone.getByRole('button', { name: 'Next' }).click();
  await answer(phone, 'The Moon');
  await phone.locator('.modal-overlay').waitFor();
  await shot(phone, 'quiz-complete-phone', {
    pattern: ['quiz', 'success', 'modal', 'progress'],
    theme: 'light',
  });
}

async function journey(stage: Stage): Promise<void> {
  const phone = await setUp(stage);
  const page = await stage.open({ like: phone });
  await addLearners(page);
  await explore(stage, page);
  await administer(stage, page);
  await learn(stage);
}

export const recipe: AppRecipe = {
  id: 'kolibri',
  name: 'Kolibri',
  version: VERSION,
  licence: 'MIT',
  source: 'kolibri (PyPI)',
  install: (place) => pipInstall(place, [`kolibri==${VERSION}`]),
  prepare,
  start: (place) => ({
    file: python(place, 'kolibri'),
    args: ['start', '--foreground', '--port', String(place.port)],
    env: environment(place),
  }),
  readyPath: '/',
  journey,
  flows: [
    {
      slug: 'setup',
      type: 'setup',
      name: 'Set up a school on a phone',
      description:
        'Who will learn here, the name of the place, guests, duties and the first account, with a mistyped password.',
      screens: [
        'setup-use',
        'setup-facility',
        'setup-guests',
        'setup-responsibilities',
        'setup-account-error',
        'channels-phone',
      ],
    },
    {
      slug: 'lesson',
      type: 'lesson',
      name: 'Take a lesson and its quiz',
      description: 'A channel, an illustrated page about the tide, a wrong answer and a right one.',
      screens: ['library', 'channel', 'lesson', 'quiz-wrong', 'quiz-right'],
    },
    {
      slug: 'search',
      type: 'search',
      name: 'Search the library',
      description: 'A word found in five places, and a word found nowhere.',
      screens: ['library', 'search-results', 'no-results'],
    },
    {
      slug: 'create-class',
      type: 'create',
      name: 'Create a class and enrol learners',
      description: 'From no class to one with two learners, chosen from the list of the school.',
      screens: ['classes-empty', 'create-class', 'class', 'enroll-learners', 'class-enrolled'],
    },
    {
      slug: 'create-user',
      type: 'create',
      name: 'Add a person and think again',
      description: 'A side panel over the users; leaving it half filled asks for confirmation.',
      screens: ['users', 'create-user', 'create-user-leave'],
    },
    {
      slug: 'learner-quiz',
      type: 'onboarding',
      name: "A learner's first quiz on a phone",
      description: 'Welcomed at first sign-in, a learner opens a channel and completes a quiz.',
      screens: ['welcome-phone', 'home-phone', 'channel-phone', 'quiz-phone', 'quiz-complete-phone'],
    },
  ],
};
