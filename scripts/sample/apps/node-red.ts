import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { nodeModule, npmInstall } from '../recipe.ts';
import type { AppRecipe, Place, Stage } from '../recipe.ts';
import { FLOWS } from './node-red/flows.ts';

const VERSION = '5.0.7';
const DASHBOARD_VERSION = '1.31.0';
const PASSWORD = 'tomato-basil';

async function prepare(place: Place): Promise<void> {
  const bcrypt = createRequire(nodeModule(place, 'node-red', 'package.json'))('bcryptjs') as {
    hashSync(password: string, rounds: number): string;
  };
  const settings = {
    flowFile: 'flows.json',
    flowFilePretty: true,
    credentialSecret: false,
    adminAuth: {
      type: 'credentials',
      users: [{ username: 'mira', password: bcrypt.hashSync(PASSWORD, 4), permissions: '*' }],
    },
    telemetry: { enabled: false, updateNotification: false },
    logging: { console: { level: 'info', metrics: false, audit: false } },
    editorTheme: {
      page: { title: 'Greenhouse' },
      header: { title: 'Greenhouse' },
      tours: true,
      projects: { enabled: false },
      codeEditor: { lib: 'monaco' },
    },
  };
  writeFileSync(join(place.data, 'settings.js'), `module.exports = ${JSON.stringify(settings)};\n`);
  writeFileSync(join(place.data, 'flows.json'), JSON.stringify(FLOWS));
}

function node(page: Page, id: string): Locator {
  return page.locator(`[id="${id}"]`);
}

async function signIn({ shot }: Stage, page: Page): Promise<void> {
  const login = page.getByRole('button', { name: 'Login' });
  await page.goto('/');
  await shot(page, 'sign-in', { pattern: ['sign-in', 'modal', 'form'], theme: 'light' });
  await page.locator('#node-dialog-login-username').fill('mira');
  await page.locator('#node-dialog-login-password').fill('basil-tomato');
  await login.click();
  await page.getByText('Login failed').waitFor();
  await shot(page, 'sign-in-failed', { pattern: ['sign-in', 'error', 'modal'], theme: 'light' });
  await page.locator('#node-dialog-login-password').fill(PASSWORD);
  await login.click();
}

async function tour({ shot }: Stage, page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start' }).waitFor();
  await page.waitForTimeout(1_000);
  await shot(page, 'welcome', { pattern: ['welcome', 'onboarding', 'modal'], theme: 'light' });
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('A new editor experience').waitFor();
  await page.waitForTimeout(600);
  await shot(page, 'tour', { pattern: ['onboarding', 'modal'], theme: 'light' });
  await page.locator('.red-ui-tourGuide-popover button').first().click();
}

async function zoomToFit(page: Page): Promise<void> {
  await page.locator('#red-ui-view-zoom-fit').click();
  await page.mouse.move(640, 640);
  await page.waitForTimeout(1_500);
}

async function editAndDeploy({ shot }: Stage, page: Page): Promise<void> {
  await node(page, 'minute').locator('.red-ui-flow-node-button-button').first().click();
  await page.waitForTimeout(6_000);
  await zoomToFit(page);
  await shot(page, 'editor', { pattern: ['editor', 'home', 'tree'], theme: 'light' });
  await node(page, 'sensors').locator('rect.red-ui-flow-node').dblclick();
  await page.locator('.monaco-editor:visible').first().waitFor();
  await page.waitForTimeout(2_000);
  await shot(page, 'edit-function', { pattern: ['editor', 'code', 'tabs', 'form'], theme: 'light' });
  await page.locator('#node-dialog-cancel').click();
  await page.waitForTimeout(600);
  await node(page, 'warm').locator('rect.red-ui-flow-node').dblclick();
  await page.locator('#node-input-name').fill('Warmer than 27?');
  await page.locator('.red-ui-tray .red-ui-typedInput-input').nth(1).fill('27');
  await page.waitForTimeout(800);
  await shot(page, 'edit-rules', { pattern: ['editor', 'form', 'list'], theme: 'light' });
  await page.locator('#node-dialog-ok').click();
  await page.locator('#red-ui-header-button-deploy').click();
  await page.getByText('Successfully deployed').waitFor();
  await shot(page, 'deployed', { pattern: ['success', 'editor', 'notifications'], theme: 'light' });
  await page.getByText('Successfully deployed').waitFor({ state: 'hidden' });
}

async function findAndImport({ shot }: Stage, page: Page): Promise<void> {
  await page.keyboard.press('Control+f');
  await page.waitForTimeout(600);
  await page.keyboard.type('roof');
  await shot(page, 'search', { pattern: ['search', 'search-results', 'modal'], theme: 'light' });
  await page.keyboard.press('Control+a');
  await page.keyboard.type('sprinkler');
  await shot(page, 'no-results', { pattern: ['search', 'no-results', 'empty-state'], theme: 'light' });
  await page.keyboard.press('Escape');
  await page.waitForTimeout(600);
  await page.keyboard.press('Control+i');
  await page.locator('#red-ui-clipboard-dialog-import-text').waitFor();
  await page.waitForTimeout(600);
  await shot(page, 'import', { pattern: ['import', 'modal', 'upload'], theme: 'light' });
  await page.keyboard.type('[{"id": "frost", "type": "inject", "name": "Frost warning", ');
  await shot(page, 'import-error', { pattern: ['import', 'error', 'modal'], theme: 'light' });
  await page.keyboard.press('Escape');
  await page.waitForTimeout(600);
}

async function changeSettings({ shot }: Stage, page: Page): Promise<void> {
  await page.locator('#red-ui-header-button-sidemenu').click();
  await page.getByText('Manage palette').click();
  await page.waitForTimeout(1_500);
  await shot(page, 'palette', { pattern: ['settings', 'list', 'search'], theme: 'light' });
  const tray = page.locator('.red-ui-tray');
  await tray.getByText('Keyboard', { exact: true }).click();
  await page.mouse.move(640, 640);
  await page.waitForTimeout(1_000);
  await shot(page, 'shortcuts', { pattern: ['settings', 'table', 'search'], theme: 'light' });
  await tray.getByText('Settings', { exact: true }).last().click();
  await page.mouse.move(640, 640);
  await page.waitForTimeout(1_000);
  await shot(page, 'settings', { pattern: ['settings', 'form', 'tabs'], theme: 'light' });
  await page.locator('select:visible', { hasText: 'Dark' }).selectOption({ label: 'Dark' });
  await page.getByRole('button', { name: 'Close' }).click();
  await page.waitForTimeout(1_000);
  await zoomToFit(page);
  await shot(page, 'editor-dark', { pattern: ['editor', 'dark-mode', 'tree'], theme: 'dark' });
}

async function useDashboard({ open, shot }: Stage): Promise<void> {
  const page = await open();
  await page.goto('/dashboard/climate');
  await page.waitForTimeout(2_500);
  await shot(page, 'dashboard', { pattern: ['dashboard', 'chart', 'stats'], theme: 'light' });
  await page.goto('/dashboard/watering');
  await page.waitForTimeout(2_500);
  await shot(page, 'switches-dark', { pattern: ['dashboard', 'table', 'dark-mode'], theme: 'dark' });
  const phone = await open({ viewport: 'phone' });
  await phone.goto('/dashboard/climate');
  await phone.waitForTimeout(2_500);
  await shot(phone, 'dashboard-phone', { pattern: ['dashboard', 'stats'], theme: 'light' });
}

async function journey(stage: Stage): Promise<void> {
  const page = await stage.open();
  await signIn(stage, page);
  await tour(stage, page);
  await editAndDeploy(stage, page);
  await findAndImport(stage, page);
  await changeSettings(stage, page);
  await useDashboard(stage);
}

export const recipe: AppRecipe = {
  id: 'node-red',
  name: 'Node-RED',
  version: VERSION,
  licence: 'Apache-2.0',
  source: 'npm node-red, @flowfuse/node-red-dashboard',
  install: (place) =>
    npmInstall(
      place,
      { 'node-red': VERSION, '@flowfuse/node-red-dashboard': DASHBOARD_VERSION },
      { overrides: { 'node-fetch': '2.7.0' } },
    ),
  prepare,
  start: (place) => ({
    file: process.execPath,
    args: [
      nodeModule(place, 'node-red', 'red.js'),
      '--userDir',
      place.data,
      '--port',
      String(place.port),
      '-D',
      'uiHost=127.0.0.1',
    ],
  }),
  readyPath: '/',
  journey,
  flows: [
    {
      slug: 'first-visit',
      type: 'onboarding',
      name: 'Sign in for the first time',
      description: 'A failed and a successful sign-in, then a tour that starts over the dimmed editor.',
      screens: ['sign-in', 'sign-in-failed', 'welcome', 'tour', 'editor'],
    },
    {
      slug: 'change-flow',
      type: 'edit',
      name: 'Change a flow and deploy it',
      description: 'Open a node from the canvas, change its code or its rules, and deploy.',
      screens: ['editor', 'edit-function', 'edit-rules', 'deployed'],
    },
    {
      slug: 'dark-theme',
      type: 'settings',
      name: 'Switch the editor to dark',
      description: 'From the installed nodes to the view settings and the dark editor.',
      screens: ['palette', 'settings', 'editor-dark'],
    },
  ],
};
