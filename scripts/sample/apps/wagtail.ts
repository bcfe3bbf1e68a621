import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { pipInstall, python, run } from '../recipe.ts';
import type { AppRecipe, Command, Place, Stage } from '../recipe.ts';
import { drawPictures } from './wagtail/pictures.ts';

const VERSION = '8.0.1';
const PASSWORD = 'harbour-lights';
const UPLOAD = '07-storm-over-the-pier.png';
const SUMMARY =
  'For eleven days nobody needed a boat to cross the sound. The photographs came back from a shoebox.';

function manage(place: Place, ...args: string[]): Command {
  return {
    file: python(place),
    args: ['-m', 'django', ...args],
    cwd: join(place.data, 'project'),
    env: { DJANGO_SETTINGS_MODULE: 'museum.settings', PYTHONPATH: join(place.data, 'project') },
  };
}

async function prepare(place: Place): Promise<void> {
  const pictures = join(place.data, 'pictures');
  await drawPictures(pictures);
  cpSync(join(place.assets, 'project'), join(place.data, 'project'), { recursive: true });
  await run(manage(place, 'makemigrations', 'stories'));
  await run(manage(place, 'migrate'));
  await run(manage(place, 'seed', pictures));
  await run(manage(place, 'rebuild_references_index'));
  await run(manage(place, 'update_index'));
}

async function signIn({ open, shot }: Stage): Promise<Page> {
  const page = await open();
  await page.goto('/admin/');
  await shot(page, 'sign-in', { pattern: ['sign-in', 'form'], theme: 'light' });
  await page.getByLabel('Username').fill('mira');
  await page.getByLabel('Password').fill('harbor-lights');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await shot(page, 'sign-in-failed', { pattern: ['sign-in', 'error'], theme: 'light' });
  await page.getByLabel('Username').fill('mira');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await shot(page, 'dashboard', { pattern: ['dashboard', 'home', 'list'], theme: 'light' });
  return page;
}

async function writeStory({ shot }: Stage, page: Page): Promise<void> {
  await page.goto('/admin/pages/4/');
  await shot(page, 'page-list', { pattern: ['list', 'table'], theme: 'light' });
  await page
    .getByRole('link', { name: /Add child page/ })
    .first()
    .click();
  await page.getByRole('link', { name: 'Story', exact: true }).click();
  await page.locator('#id_title').fill('Ice in the harbour, 1929');
  await page.locator('#id_summary').fill(SUMMARY);
  await page.getByRole('button', { name: 'Choose an image' }).first().click();
  await shot(page, 'choose-image', { pattern: ['modal', 'gallery', 'search'], theme: 'light' });
  await page.getByRole('dialog').getByRole('link', { name: /Gulls/ }).click();
  await page.locator('#id_published_on').fill('2026-06-08');
  await page.keyboard.press('Escape');

  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Insert a block' }).first().click();
  // The opened list pushes the form to the left.
  await page.evaluate('for (const e of document.querySelectorAll("*")) e.scrollLeft = 0');
  await shot(page, 'add-block', { pattern: ['editor', 'add-item', 'modal'], theme: 'light' });
  await page.getByRole('option', { name: 'Quote' }).click();
  await page.locator('[name="body-0-value-text"]').fill('We walked to church on the sea.');
  await page.locator('[name="body-0-value-speaker"]').fill('Letter from the pilot station');
  await page
    .getByRole('button', { name: /preview/i })
    .first()
    .click();
  await page.locator('iframe').first().waitFor();
  await page.waitForTimeout(2_000);
  await page.locator('[name="body-0-value-speaker"]').blur();
  await page.mouse.move(700, 400);
  await page.evaluate('document.getElementById("id_title").scrollIntoView({block: "center"})');
  await shot(page, 'edit-with-preview', { pattern: ['editor', 'form', 'create'], theme: 'light' });
  await page
    .getByRole('button', { name: /more actions/i })
    .last()
    .click();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.waitForURL(/pages\/4\/$/);
  await shot(page, 'published', { pattern: ['success', 'list', 'table'], theme: 'light' });
}

async function lookAround({ shot, place }: Stage, page: Page): Promise<void> {
  await page.goto('/admin/images/');
  await shot(page, 'image-gallery', { pattern: ['gallery', 'list'], theme: 'light' });
  await page.goto('/admin/images/multiple/add/');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(join(place.data, 'pictures', UPLOAD));
  await page.getByLabel('Title').fill('Storm over the pier, November 1953');
  await page.getByLabel('Description').fill('Waves breaking under a wooden pier with a red roof');
  await shot(page, 'image-upload', { pattern: ['upload', 'form'], theme: 'light' });

  await page.goto('/admin/pages/search/?q=boat');
  await shot(page, 'search-results', { pattern: ['search', 'search-results', 'filters'], theme: 'light' });
  await page.goto('/admin/pages/search/?q=submarine');
  await shot(page, 'no-results', { pattern: ['search', 'no-results', 'empty-state'], theme: 'light' });

  await page.goto('/admin/pages/4/');
  await page.getByRole('button', { name: /More options for 'Colour on the quay'/ }).click();
  await shot(page, 'page-actions', { pattern: ['list', 'navigation-menu'], theme: 'light' });
  await page.getByRole('link', { name: /Delete/ }).click();
  await shot(page, 'delete-confirmation', {
    pattern: ['delete-confirmation', 'confirmation'],
    theme: 'light',
  });
  await page.getByRole('button', { name: 'Yes, delete it' }).click();
  await shot(page, 'deleted', { pattern: ['success', 'list'], theme: 'light' });
  await page.goto('/admin/herring/');
  await shot(page, 'not-found', { pattern: ['not-found', 'error'], theme: 'dark' });
}

async function otherDevices({ open, shot }: Stage, page: Page): Promise<void> {
  const dark = await open({ scheme: 'dark', like: page });
  await dark.goto('/admin/pages/10/edit/');
  await shot(dark, 'editor-dark', { pattern: ['editor', 'dark-mode', 'form'], theme: 'dark' });
  const phone = await open({ viewport: 'phone', like: page });
  await phone.goto('/admin/');
  await shot(phone, 'dashboard-phone', { pattern: ['dashboard', 'home'], theme: 'light' });
}

async function journey(stage: Stage): Promise<void> {
  const page = await signIn(stage);
  await writeStory(stage, page);
  await lookAround(stage, page);
  await otherDevices(stage, page);
}

export const recipe: AppRecipe = {
  id: 'wagtail',
  name: 'Wagtail',
  version: VERSION,
  licence: 'BSD-3-Clause',
  source: 'PyPI wagtail',
  install: (place) => pipInstall(place, [`wagtail==${VERSION}`]),
  prepare,
  start: (place) => manage(place, 'runserver', '--noreload', '--insecure', `127.0.0.1:${place.port}`),
  readyPath: '/admin/login/',
  journey,
  flows: [
    {
      slug: 'sign-in',
      type: 'sign-in',
      name: 'Sign in to the editor',
      description: 'A wrong password is named above the form; the right one leads to what awaits review.',
      screens: ['sign-in', 'sign-in-failed', 'dashboard'],
    },
    {
      slug: 'publish-story',
      type: 'create',
      name: 'Write and publish a story',
      description: 'From the section to a new page: choose a cover, add blocks, check the preview, publish.',
      screens: ['page-list', 'choose-image', 'add-block', 'edit-with-preview', 'published'],
    },
    {
      slug: 'delete-page',
      type: 'delete',
      name: 'Delete a page',
      description: 'The row menu leads to a confirmation that offers to unpublish instead.',
      screens: ['page-actions', 'delete-confirmation', 'deleted'],
    },
  ],
};
