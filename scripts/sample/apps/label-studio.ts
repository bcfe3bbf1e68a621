import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { pipInstall, python } from '../recipe.ts';
import type { AppRecipe, Place, Stage } from '../recipe.ts';
import { PROJECTS, SCENE_CONFIG, SCENES } from './label-studio/content.ts';

const VERSION = '1.23.2';
const PERSON = { email: 'mira@example.org', password: 'quiet-harbour-1912' };
const SCENE_WIDTH_PX = 1200;

function scenePicture(place: Place, name: string): string {
  return join(place.data, 'scenes', `${name}.png`);
}

async function drawScenes(place: Place): Promise<void> {
  mkdirSync(join(place.data, 'scenes'));
  for (const name of SCENES) {
    const drawing = sharp(join(place.assets, `${name}.svg`));
    await drawing.resize(SCENE_WIDTH_PX).png().toFile(scenePicture(place, name));
  }
}

async function signUp({ open, shot }: Stage): Promise<Page> {
  const page = await open();
  await page.goto('/user/signup/');
  await shot(page, 'sign-up', { pattern: ['sign-up', 'form', 'welcome'], theme: 'light' });
  await page.locator('#email').fill(PERSON.email);
  await page.locator('#password').fill('harbour');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.locator('.field_errors').first().waitFor();
  await shot(page, 'sign-up-error', { pattern: ['sign-up', 'error', 'form'], theme: 'light' });
  await page.locator('#email').fill(PERSON.email);
  await page.locator('#password').fill(PERSON.password);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByText('Create your first project').waitFor();
  await shot(page, 'home-empty', { pattern: ['home', 'welcome', 'empty-state'], theme: 'light' });
  return page;
}

async function createProject({ shot, place }: Stage, page: Page): Promise<void> {
  await page.goto('/projects');
  await page.getByText("Heidi doesn't see any projects here!").waitFor();
  await shot(page, 'projects-empty', { pattern: ['empty-state', 'list'], theme: 'light' });
  // The dialog first saves a draft of the project, and an answer to each field needs its number.
  const draft = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.locator('button[aria-label="Create new project"]').click();
  await draft;
  await page.waitForLoadState('networkidle');
  await page.locator('#project_name').fill('Harbour and street scenes');
  await page
    .locator('textarea')
    .first()
    .fill('A box around everything that moves, for the weekly traffic count.');
  await shot(page, 'create-project', { pattern: ['create', 'wizard', 'modal', 'form'], theme: 'light' });
  await page.getByText('Data Import').click();
  await page.getByText('Drag & drop files here').waitFor();
  await shot(page, 'import-empty', {
    pattern: ['upload', 'import', 'wizard', 'empty-state'],
    theme: 'light',
  });
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(SCENES.map((name) => scenePicture(place, name)));
  await page.getByText(`${SCENES.length} files uploaded`).waitFor();
  await shot(page, 'import-done', { pattern: ['upload', 'import', 'progress', 'wizard'], theme: 'light' });
  await page.getByText('Labeling Setup').click();
  await page.getByText('Keypoint Labeling').waitFor();
  await page.getByText('Natural Language').click();
  await page.getByText('Relation Extraction').waitFor();
  await picturesLoaded(page);
  await shot(page, 'labeling-templates', { pattern: ['gallery', 'wizard', 'setup'], theme: 'light' });
  await page.getByText('Computer Vision').click();
  await page.getByText('Object Detection with Bounding Boxes').click();
  await page.locator('textarea[name=labels]').fill('Boat\nBuoy\nPerson\nBicycle\nDog\nKite');
  await page.getByRole('button', { name: 'Add labels' }).click();
  await page.getByText('Kite').nth(1).waitFor();
  await page.getByText('Save', { exact: true }).click();
  await page.getByText('Tasks: 4 / 4').waitFor();
  await shot(page, 'tasks', { pattern: ['table', 'list', 'dashboard'], theme: 'light' });
}

async function picturesLoaded(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(
    '[...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight)',
  );
}

/** Draws a box with the label of a number key; the corners are fractions of the picture. */
async function drawBox(page: Page, key: string, from: [number, number], to: [number, number]): Promise<void> {
  const frame = await page.locator('.konvajs-content').boundingBox();
  if (!frame) throw new Error('the picture to label is not there');
  await page.keyboard.press(key);
  await page.mouse.move(frame.x + from[0] * frame.width, frame.y + from[1] * frame.height);
  await page.mouse.down();
  await page.mouse.move(frame.x + to[0] * frame.width, frame.y + to[1] * frame.height, { steps: 4 });
  await page.mouse.up();
}

async function label({ shot }: Stage, page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Label All Tasks' }).click();
  await page.getByText('Labeled regions will appear here').waitFor();
  await page.locator('.konvajs-content').waitFor();
  await picturesLoaded(page);
  await shot(page, 'labeling-start', { pattern: ['editor', 'empty-state'], theme: 'light' });
  await drawBox(page, '3', [0.27, 0.27], [0.51, 0.75]);
  await drawBox(page, '3', [0.59, 0.54], [0.89, 0.82]);
  await drawBox(page, '4', [0.14, 0.74], [0.22, 0.89]);
  await shot(page, 'labeling-boxes', { pattern: ['editor', 'list'], theme: 'light' });
  await page.getByText('Buoy', { exact: true }).last().click();
  await page.getByText('Region', { exact: false }).first().waitFor();
  await shot(page, 'labeling-region', { pattern: ['editor', 'detail', 'form'], theme: 'light' });
  await page.getByRole('button', { name: 'Submit' }).first().click();
  await page.getByText('Labeled regions will appear here').waitFor();
}

/** The application's own interface, in the name of the person signed in on `page`. */
async function call(page: Page, method: string, path: string, data: object): Promise<{ id: number }> {
  const cookies = await page.context().cookies();
  const token = cookies.find(({ name }) => name === 'csrftoken')?.value ?? '';
  const answer = await page.request.fetch(path, { method, headers: { 'X-CSRFToken': token }, data });
  if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
  return (await answer.json()) as { id: number };
}

/** @returns the number of the last project, which has annotated text */
async function addProjects(page: Page): Promise<number> {
  let last = 0;
  for (const { tasks, ...project } of PROJECTS) {
    last = (await call(page, 'POST', '/api/projects', project)).id;
    await call(page, 'POST', `/api/projects/${last}/import`, tasks);
  }
  return last;
}

async function browse({ shot, open }: Stage, page: Page): Promise<void> {
  const reviews = await addProjects(page);
  await page.goto('/projects');
  await page.getByText('One topic a message').waitFor();
  await shot(page, 'projects', { pattern: ['dashboard', 'list', 'progress'], theme: 'light' });

  await page.goto(`/projects/${reviews}/settings/labeling`);
  await page.getByText('By Time').waitFor();
  await shot(page, 'labeling-interface', { pattern: ['settings', 'editor', 'form'], theme: 'light' });

  await page.goto('/projects/1/data');
  await page.getByText('Tasks: 4 / 4').waitFor();
  await picturesLoaded(page);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByText('Add Filter').click();
  await page.getByText('Where').waitFor();
  await shot(page, 'filters', { pattern: ['filters', 'table'], theme: 'light' });

  const dark = await open({ like: page });
  await dark.goto(`/projects/${reviews}/data`);
  await dark.getByText('Tasks: 4 / 4').waitFor();
  await dark.getByRole('button', { name: 'Light' }).click();
  await dark.getByRole('button', { name: 'Dark' }).waitFor();
  await dark.mouse.move(640, 600);
  await shot(dark, 'reviews-dark', { pattern: ['table', 'dark-mode'], theme: 'dark' });
  await dark.getByText('We found the Old Ropewalk').first().click();
  await dark.getByText('Old Ropewalk', { exact: true }).last().waitFor();
  await dark.waitForLoadState('networkidle');
  await shot(dark, 'labeling-text-dark', { pattern: ['editor', 'dark-mode', 'detail'], theme: 'dark' });
  await dark.goto('/projects');
  await dark.getByText('One topic a message').waitFor();
  await shot(dark, 'projects-dark', { pattern: ['dashboard', 'list', 'dark-mode'], theme: 'dark' });
}

async function settle({ shot }: Stage, page: Page): Promise<void> {
  await page.goto('/user/account');
  await page.getByText('Personal Info').last().waitFor();
  await page.getByLabel('First Name').fill('Mira');
  await shot(page, 'account', { pattern: ['account', 'profile', 'settings', 'form'], theme: 'light' });
  await page.goto('/projects/1/settings');
  await page.getByText('Task Sampling').waitFor();
  await shot(page, 'settings', { pattern: ['settings', 'form'], theme: 'light' });
  await page.goto('/projects/1/settings/danger-zone');
  await page.getByRole('button', { name: 'Delete Project' }).waitFor();
  await shot(page, 'danger-zone', { pattern: ['settings', 'delete-confirmation'], theme: 'light' });
  await page.getByRole('button', { name: 'Delete Project' }).click();
  await page.getByText('To proceed, type').waitFor();
  await shot(page, 'delete-project', {
    pattern: ['delete-confirmation', 'modal', 'confirmation'],
    theme: 'light',
  });
}

async function journey(stage: Stage): Promise<void> {
  const page = await signUp(stage);
  await createProject(stage, page);
  await call(page, 'PATCH', '/api/projects/1', { label_config: SCENE_CONFIG });
  await page.reload();
  await label(stage, page);
  await browse(stage, page);
  await settle(stage, page);
}

export const recipe: AppRecipe = {
  id: 'label-studio',
  name: 'Label Studio',
  version: VERSION,
  licence: 'Apache-2.0',
  source: 'label-studio (PyPI)',
  install: (place) => pipInstall(place, [`label-studio==${VERSION}`]),
  prepare: drawScenes,
  start: (place) => ({
    file: python(place, 'label-studio'),
    args: ['start', '--no-browser', '--internal-host', '127.0.0.1', '--port', String(place.port)],
    env: {
      LABEL_STUDIO_BASE_DATA_DIR: join(place.data, 'studio'),
      COLLECT_ANALYTICS: 'false',
      LATEST_VERSION_CHECK: 'false',
      SENTRY_DSN: '',
      FRONTEND_SENTRY_DSN: '',
    },
  }),
  readyPath: '/user/signup/',
  journey,
  flows: [
    {
      slug: 'sign-up',
      type: 'sign-up',
      name: 'Create an account',
      description:
        'A password that is too short is refused at the field; the next one opens an empty home page.',
      screens: ['sign-up', 'sign-up-error', 'home-empty'],
    },
    {
      slug: 'create-project',
      type: 'create',
      name: 'Create a labelling project',
      description: 'Name it, bring in pictures, choose a template; the tasks are listed at the end.',
      screens: [
        'projects-empty',
        'create-project',
        'import-empty',
        'import-done',
        'labeling-templates',
        'tasks',
      ],
    },
    {
      slug: 'import-pictures',
      type: 'import',
      name: 'Import pictures',
      description: 'An empty drop zone, the uploaded files with their progress, and the rows made of them.',
      screens: ['import-empty', 'import-done', 'tasks'],
    },
    {
      slug: 'label-picture',
      type: 'edit',
      name: 'Label a picture',
      description: 'A scene without regions, three boxes drawn around boats and a buoy, one region selected.',
      screens: ['labeling-start', 'labeling-boxes', 'labeling-region'],
    },
    {
      slug: 'review-text-dark',
      type: 'edit',
      name: 'Review marked text in the dark theme',
      description: 'From the projects to a list of restaurant reviews and the words that were marked in one.',
      screens: ['projects-dark', 'reviews-dark', 'labeling-text-dark'],
    },
    {
      slug: 'delete-project',
      type: 'delete',
      name: 'Delete a project',
      description:
        'From the settings to the danger zone, where a word has to be typed before anything is deleted.',
      screens: ['settings', 'danger-zone', 'delete-project'],
    },
  ],
};
