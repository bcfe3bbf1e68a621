import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { pipInstall, python } from '../recipe.ts';
import type { AppRecipe, Place, Stage } from '../recipe.ts';
import { writeWorkspace } from './jupyterlab/workspace.ts';

const VERSION = '4.6.6';

async function prepare(place: Place): Promise<void> {
  writeWorkspace(join(place.data, 'workspace'));
  const config = {
    ServerApp: {
      ip: '127.0.0.1',
      open_browser: false,
      allow_root: true,
      root_dir: join(place.data, 'workspace'),
      terminals_enabled: false,
    },
    IdentityProvider: { token: '' },
    FileContentsManager: { delete_to_trash: false },
    LabApp: { news_url: null, extension_manager: 'readonly' },
  };
  mkdirSync(join(place.data, 'config'));
  writeFileSync(join(place.data, 'config', 'jupyter_server_config.json'), JSON.stringify(config));
  const settings = join(place.data, 'settings', '@jupyterlab', 'apputils-extension');
  mkdirSync(settings, { recursive: true });
  const quiet = { fetchNews: 'false', checkForUpdates: false };
  writeFileSync(join(settings, 'notification.jupyterlab-settings'), JSON.stringify(quiet));
}

function file(page: Page, name: string): Locator {
  return page.locator('.jp-DirListing-item', { hasText: name });
}

async function choose(page: Page, menu: string, label: string): Promise<void> {
  await page.getByRole('menuitem', { name: menu, exact: true }).first().click();
  await page.locator('.lm-Menu-item', { hasText: label }).first().click();
}

async function runAll(page: Page): Promise<void> {
  await choose(page, 'Run', 'Run All Cells');
  await idle(page);
}

async function idle(page: Page): Promise<void> {
  await page.waitForTimeout(2_000);
  await page.getByText('| Idle').waitFor();
  await page.waitForTimeout(1_000);
}

async function analyse({ shot }: Stage, page: Page): Promise<void> {
  await page.goto('/lab');
  await file(page, 'README.md').waitFor();
  await page.waitForTimeout(2_000);
  await shot(page, 'launcher', { pattern: ['home', 'create', 'tree'], theme: 'light' });
  await file(page, 'a-year-of-bicycles').dblclick();
  await idle(page);
  await shot(page, 'notebook', { pattern: ['editor', 'code', 'detail'], theme: 'light' });
  await runAll(page);
  await page.locator('.jp-WindowedPanel-outer:visible').hover();
  await page.mouse.wheel(0, 420);
  await page.waitForTimeout(1_000);
  await shot(page, 'notebook-with-chart', { pattern: ['editor', 'chart', 'code', 'table'], theme: 'light' });
  await page.keyboard.press('Control+f');
  await page.keyboard.type('rides');
  await page.waitForTimeout(1_500);
  await shot(page, 'find-in-notebook', { pattern: ['search', 'search-results', 'editor'], theme: 'light' });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+c');
  await page.waitForTimeout(800);
  await page.keyboard.type('export');
  await shot(page, 'command-palette', { pattern: ['search', 'modal', 'list'], theme: 'light' });
  await page.keyboard.press('Escape');
}

async function readFiles({ shot }: Stage, page: Page): Promise<void> {
  await file(page, 'data').dblclick();
  await file(page, 'rides.csv').dblclick();
  await page.locator('.lm-DataGrid').waitFor();
  await shot(page, 'table-viewer', { pattern: ['table', 'detail'], theme: 'light' });
  await page.locator('.jp-BreadCrumbs-home').click();
  await file(page, 'README.md').click({ button: 'right' });
  await page.locator('.lm-Menu-item', { hasText: 'Open With' }).hover();
  await page.locator('.lm-Menu-item', { hasText: 'Markdown Preview' }).waitFor();
  await shot(page, 'file-menu', { pattern: ['navigation-menu', 'tree', 'list'], theme: 'light' });
  await page.locator('.lm-Menu-item', { hasText: 'Markdown Preview' }).click();
  await page.getByRole('heading', { name: 'Bicycle counters' }).waitFor();
  await shot(page, 'read-me', { pattern: ['detail', 'tabs', 'tree'], theme: 'light' });
}

async function failAndRestart({ shot }: Stage, page: Page): Promise<void> {
  await file(page, 'forecast').dblclick();
  await idle(page);
  await runAll(page);
  await shot(page, 'cell-error', { pattern: ['error', 'code', 'editor'], theme: 'light' });
  await choose(page, 'Kernel', 'Restart Kernel and Run All Cells');
  await page.getByRole('dialog').waitFor();
  await shot(page, 'restart-kernel', { pattern: ['confirmation', 'modal'], theme: 'light' });
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
}

async function manageFiles({ shot }: Stage, page: Page): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page
    .locator('[data-command="filebrowser:upload"], [title^="Upload"], [data-jp-item-name="uploader"]')
    .first()
    .click();
  const readMe = {
    name: 'README.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('# Bicycle counters\n'),
  };
  await (await chooser).setFiles(readMe);
  await page.getByRole('dialog').waitFor();
  await shot(page, 'overwrite-file', { pattern: ['upload', 'confirmation', 'modal'], theme: 'light' });
  await page.getByRole('dialog').getByRole('button', { name: 'Overwrite' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  // The upload selects its file a moment later.
  await page.waitForTimeout(3_000);
  await file(page, 'old-notes').click({ button: 'right' });
  await page.locator('.lm-Menu-item', { hasText: 'Delete' }).click();
  await page.getByRole('dialog').waitFor();
  await shot(page, 'delete-file', {
    pattern: ['delete-confirmation', 'confirmation', 'modal'],
    theme: 'light',
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
}

async function settle({ shot }: Stage, page: Page): Promise<void> {
  await choose(page, 'Settings', 'Settings Editor');
  await page.waitForTimeout(4_000);
  await shot(page, 'settings', { pattern: ['settings', 'form', 'search'], theme: 'light' });
  await page.getByRole('tab', { name: /a-year-of-bicycles/ }).click();
  await page.getByRole('menuitem', { name: 'Settings', exact: true }).first().click();
  await page.locator('.lm-Menu-item', { hasText: 'Theme' }).first().hover();
  await page.locator('.lm-Menu-item', { hasText: 'JupyterLab Dark' }).first().waitFor();
  await shot(page, 'theme-menu', { pattern: ['settings', 'navigation-menu'], theme: 'light' });
  await page.locator('.lm-Menu-item', { hasText: 'JupyterLab Dark' }).first().click();
  await page.waitForTimeout(2_000);
  await page.mouse.move(900, 500);
  await shot(page, 'notebook-dark', { pattern: ['editor', 'code', 'chart', 'dark-mode'], theme: 'dark' });
}

async function journey(stage: Stage): Promise<void> {
  const page = await stage.open();
  await analyse(stage, page);
  await readFiles(stage, page);
  await failAndRestart(stage, page);
  await manageFiles(stage, page);
  await settle(stage, page);
}

export const recipe: AppRecipe = {
  id: 'jupyterlab',
  name: 'JupyterLab',
  version: VERSION,
  licence: 'BSD-3-Clause',
  source: 'PyPI jupyterlab',
  install: (place) => pipInstall(place, [`jupyterlab==${VERSION}`, 'pandas==3.1.1', 'matplotlib==3.11.2']),
  prepare,
  start: (place) => ({
    file: python(place, 'jupyter'),
    args: ['lab', '--port', String(place.port)],
    cwd: place.data,
    env: {
      JUPYTER_CONFIG_DIR: join(place.data, 'config'),
      JUPYTER_DATA_DIR: join(place.data, 'share'),
      JUPYTER_RUNTIME_DIR: join(place.data, 'runtime'),
      JUPYTERLAB_SETTINGS_DIR: join(place.data, 'settings'),
      JUPYTERLAB_WORKSPACES_DIR: join(place.data, 'workspaces'),
      IPYTHONDIR: join(place.data, 'ipython'),
      MPLCONFIGDIR: join(place.data, 'matplotlib'),
    },
  }),
  readyPath: '/api/status',
  journey,
  flows: [
    {
      slug: 'analyse',
      type: 'edit',
      name: 'Run a notebook and look around in it',
      description: 'From the launcher to a chart, then find a word and look for a command.',
      screens: ['launcher', 'notebook', 'notebook-with-chart', 'find-in-notebook', 'command-palette'],
    },
    {
      slug: 'manage-files',
      type: 'upload',
      name: 'Replace and delete files',
      description: 'A file’s menu, an upload that would overwrite, and a deletion that asks first.',
      screens: ['file-menu', 'read-me', 'overwrite-file', 'delete-file'],
    },
    {
      slug: 'dark-theme',
      type: 'settings',
      name: 'Choose a theme',
      description: 'The settings editor, the theme menu, and the notebook in the dark.',
      screens: ['settings', 'theme-menu', 'notebook-dark'],
    },
  ],
};
