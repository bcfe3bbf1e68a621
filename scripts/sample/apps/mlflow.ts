import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { pipInstall, python, run } from '../recipe.ts';
import type { AppRecipe, Place, Stage } from '../recipe.ts';

const VERSION = '3.17.2';
// The seventh experiment of seed.py is the one with runs.
const RUNS = '/#/experiments/7/runs?compareRunsMode=';
const PLOT = '.js-plotly-plot';

function store(place: Place): string {
  return `sqlite:///${join(place.data, 'mlflow.db')}`;
}

async function seed(place: Place): Promise<void> {
  const args = [join(place.assets, 'seed.py'), store(place), join(place.data, 'artifacts')];
  await run({ file: python(place), args, cwd: place.data });
}

async function enter({ open, shot }: Stage): Promise<Page> {
  const page = await open();
  await page.goto('/');
  await page.getByText('Model training').first().click();
  await page.getByText('Recent Experiments').waitFor();
  await page.getByText('bread-demand').waitFor();
  await page
    .getByText('Information about UI telemetry')
    .locator('xpath=ancestor::div[.//button][1]')
    .locator('button')
    .last()
    .click();
  await page.getByPlaceholder('Ask a question').waitFor();
  await shot(page, 'home', { pattern: ['home', 'welcome', 'chat', 'list'], theme: 'light' });
  await page
    .getByText('MLflow Assistant')
    .first()
    .locator('xpath=ancestor::div[.//button][1]')
    .locator('button')
    .last()
    .click();
  return page;
}

async function experiments({ shot }: Stage, page: Page): Promise<void> {
  await page.goto('/#/experiments');
  await page.getByText('bread-demand').waitFor();
  await shot(page, 'experiments', { pattern: ['list', 'table'], theme: 'light' });
  await page.getByPlaceholder('Search experiments').fill('ferry');
  await page.keyboard.press('Enter');
  await page.getByText('bread-demand').waitFor({ state: 'detached' });
  await page.getByText('No experiments found').waitFor();
  await shot(page, 'experiments-no-results', {
    pattern: ['no-results', 'search', 'empty-state'],
    theme: 'light',
  });
  await page.getByPlaceholder('Search experiments').fill('');
  await page.keyboard.press('Enter');
  await page.getByText('bread-demand').waitFor();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByPlaceholder('Input an experiment name').fill('ferry-delays');
  await shot(page, 'create-experiment', { pattern: ['create', 'modal', 'form'], theme: 'light' });
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByText('No runs logged').waitFor();
  await shot(page, 'experiment-empty', { pattern: ['empty-state', 'table', 'filters'], theme: 'light' });
}

/** The grid's check boxes are drawn; the real ones are hidden. */
async function tick(page: Page, row: number): Promise<void> {
  await page.locator(`.ag-row[row-index="${row}"] input[type=checkbox]`).first().check({ force: true });
}

async function runs({ shot }: Stage, page: Page): Promise<void> {
  await page.goto(`${RUNS}TABLE`);
  await page.getByText('calm-otter').first().waitFor();
  await shot(page, 'runs', { pattern: ['table', 'list', 'filters'], theme: 'light' });
  for (const row of [0, 1, 2]) await tick(page, row);
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.locator(PLOT).first().waitFor();
  await shot(page, 'compare', { pattern: ['comparison', 'chart'], theme: 'light' });
  await page.goto(`${RUNS}TABLE`);
  await page.getByText('early-loaf').first().waitFor();
  await tick(page, 7);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Delete Experiment Run').waitFor();
  await shot(page, 'delete-run', { pattern: ['delete-confirmation', 'modal'], theme: 'light' });
  await page.keyboard.press('Escape');
  await page.goto(`${RUNS}CHART`);
  await page.locator(PLOT).nth(2).waitFor();
  await shot(page, 'charts', { pattern: ['chart', 'dashboard', 'comparison'], theme: 'light' });
  await page.getByText('patient-larch').first().click();
  await page.getByText('About this run').waitFor();
  await page.getByText('waste_loaves').waitFor();
  await shot(page, 'run', { pattern: ['detail', 'tabs', 'table'], theme: 'light' });
  const run = page.url();
  await page.goto(`${run}/model-metrics`);
  await page.mouse.move(900, 40);
  await page.locator(PLOT).nth(2).waitFor();
  await shot(page, 'run-metrics', { pattern: ['chart', 'detail', 'tabs'], theme: 'light' });
  await page.goto(`${run}/artifacts`);
  await page.getByText('figures').first().click();
  await page.getByText('october-forecast.png').first().click();
  await page.locator('img[src^="blob:"], img[alt*=forecast]').first().waitFor();
  await shot(page, 'run-artifacts', { pattern: ['tree', 'detail', 'chart'], theme: 'light' });
}

async function models({ shot }: Stage, page: Page): Promise<void> {
  await page.goto('/#/models');
  await page.getByRole('button', { name: 'Try it now' }).waitFor();
  await shot(page, 'registry-news', { pattern: ['modal', 'onboarding'], theme: 'light' });
  await page.getByRole('button', { name: 'Try it now' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await shot(page, 'models', { pattern: ['list', 'table'], theme: 'light' });
  await page.goto('/#/models/bread-forecast');
  await page.getByRole('link', { name: 'Version 3' }).waitFor();
  await shot(page, 'model', { pattern: ['detail', 'table'], theme: 'light' });
}

async function darken({ shot }: Stage, page: Page): Promise<void> {
  await page.goto('/#/settings');
  await page.getByRole('heading', { name: 'Theme preference' }).waitFor();
  await shot(page, 'settings', { pattern: ['settings', 'form'], theme: 'light' });
  await page.getByRole('switch').first().click();
  await shot(page, 'settings-dark', { pattern: ['settings', 'dark-mode'], theme: 'dark' });
  await page.goto(`${RUNS}CHART`);
  await page.locator(PLOT).nth(2).waitFor();
  await shot(page, 'charts-dark', { pattern: ['chart', 'dashboard', 'dark-mode'], theme: 'dark' });
}

async function journey(stage: Stage): Promise<void> {
  const page = await enter(stage);
  await experiments(stage, page);
  await runs(stage, page);
  await models(stage, page);
  await darken(stage, page);
}

export const recipe: AppRecipe = {
  id: 'mlflow',
  name: 'MLflow',
  version: VERSION,
  licence: 'Apache-2.0',
  source: 'mlflow (PyPI)',
  install: (place) => pipInstall(place, [`mlflow==${VERSION}`]),
  prepare: seed,
  start: (place) => ({
    file: python(place, 'mlflow'),
    args: [
      'server',
      '--host=127.0.0.1',
      `--port=${place.port}`,
      `--backend-store-uri=${store(place)}`,
      `--artifacts-destination=${join(place.data, 'artifacts')}`,
      '--workers=1',
    ],
    cwd: place.data,
    env: { MLFLOW_DISABLE_TELEMETRY: 'true' },
  }),
  readyPath: '/health',
  journey,
  flows: [
    {
      slug: 'create-experiment',
      type: 'create',
      name: 'Start an experiment',
      description:
        'From the home page to the list, a name in a dialog and the experiment that waits for its first run.',
      screens: ['home', 'experiments', 'create-experiment', 'experiment-empty'],
    },
    {
      slug: 'find-experiment',
      type: 'search',
      name: 'Look for an experiment',
      description: 'A name that is not there yet: nothing found, so it is created.',
      screens: ['experiments', 'experiments-no-results', 'create-experiment'],
    },
    {
      slug: 'inspect-run',
      type: 'browse',
      name: 'Look into a run',
      description:
        'Curves of eight runs, then one of them: its parameters, its metrics and the figure that it saved.',
      screens: ['charts', 'run', 'run-metrics', 'run-artifacts'],
    },
    {
      slug: 'compare-runs',
      type: 'compare',
      name: 'Compare runs',
      description: 'Three runs are ticked in the table and drawn side by side; a fourth one is deleted.',
      screens: ['runs', 'compare', 'delete-run'],
    },
    {
      slug: 'model-registry',
      type: 'browse',
      name: 'Open a registered model',
      description: 'A dialog tells what is new, then the list of models and the versions of one.',
      screens: ['registry-news', 'models', 'model'],
    },
    {
      slug: 'dark-theme',
      type: 'settings',
      name: 'Change to the dark theme',
      description: 'One switch in the settings, and the same charts on a dark page.',
      screens: ['settings', 'settings-dark', 'charts-dark'],
    },
  ],
};
