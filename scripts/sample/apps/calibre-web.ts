import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { pipInstall, python, run } from '../recipe.ts';
import type { AppRecipe, Place, Stage } from '../recipe.ts';
import { BOOKS } from './calibre-web/books.ts';

const VERSION = '0.6.27';
// Books are uploaded from the last to the first, so the first has the highest number.
const FIRST_BOOK = `/book/${BOOKS.length}`;
const SHOW_RANDOM_BOOKS = 1;
const ADMIN = { username: 'admin', password: 'Quiet-harbour-1912' };

function library(place: Place): string {
  return join(place.data, 'library');
}

function fileName(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}

function epub(place: Place, title: string): string {
  return join(place.data, 'books', `${fileName(title)}.epub`);
}

async function prepare(place: Place): Promise<void> {
  const folder = join(place.data, 'books');
  mkdirSync(folder);
  mkdirSync(library(place));
  for (const { title, cover } of BOOKS) {
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 900">${cover}</svg>`;
    const picture = sharp(Buffer.from(drawing))
      .resize(600)
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' });
    await picture.toFile(join(folder, `${fileName(title)}.jpg`));
  }
  const input = JSON.stringify(BOOKS.map((book) => ({ ...book, file: fileName(book.title) })));
  await run({ file: python(place), args: [join(place.assets, 'make-epub.py'), folder], input });
  const database = join(library(place), 'metadata.db');
  await run({
    file: python(place),
    args: [join(place.assets, 'empty-library.py'), database],
    cwd: place.data,
  });
  await configure(place);
}

/** Does what the administrator does on the first visit: the library's folder, uploads, the site's name. */
async function configure(place: Place): Promise<void> {
  const args = ['-p', join(place.data, 'app.db'), '-o', join(place.data, 'app.log')];
  await run({
    file: python(place, 'cps'),
    args: [...args, '-s', `${ADMIN.username}:${ADMIN.password}`],
    cwd: place.data,
  });
  const settings = new DatabaseSync(join(place.data, 'app.db'));
  settings
    .prepare('UPDATE settings SET config_calibre_dir = ?, config_port = ?, config_calibre_web_title = ?')
    .run(library(place), place.port, 'Quay Lane Library');
  settings.exec('UPDATE settings SET config_uploading = 1');
  // Without the row of random books, which would differ in every picture.
  settings.exec(`UPDATE user SET sidebar_view = sidebar_view & ~${SHOW_RANDOM_BOOKS}`);
  settings.close();
}

async function signIn(page: Page, password: string): Promise<void> {
  await page.goto('/login');
  await page.locator('#username').fill(ADMIN.username);
  await page.locator('#password').fill(password);
  await page.locator('button[name=submit]').click();
}

async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(
    '[...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight)',
  );
}

/** The select of the theme is folded away, where a click does not reach it. */
async function darken(page: Page): Promise<void> {
  // The grain and the blurred light behind the dark pages weigh a megabyte a picture.
  await page.route('**/caliblur/blur-*.png*', (route) => route.abort());
  await page.goto('/admin/viewconfig');
  await page.evaluate("document.querySelector('#config_theme').value = '1'");
  await page.locator('button[name=submit]').click();
  await page.getByText('Calibre-Web configuration updated').waitFor();
}

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page);
}

async function search(page: Page, words: string): Promise<void> {
  await page.locator('#query').fill(words);
  await page.locator('#query_submit').click();
  await settled(page);
}

async function fillLibrary({ open, shot, place }: Stage): Promise<Page> {
  const page = await open();
  await visit(page, '/login');
  await shot(page, 'sign-in', { pattern: ['sign-in', 'form'], theme: 'light' });
  await signIn(page, 'quiet-harbour');
  await page.getByText('Wrong Username or Password').waitFor();
  await shot(page, 'sign-in-failed', { pattern: ['sign-in', 'error', 'form'], theme: 'light' });
  await signIn(page, ADMIN.password);
  await visit(page, '/');
  await shot(page, 'library-empty', { pattern: ['empty-state', 'home', 'navigation-menu'], theme: 'light' });
  for (const { title } of BOOKS.toReversed()) {
    await page.goto('/');
    await page.locator('#btn-upload').setInputFiles(epub(place, title));
    await page.waitForURL(/admin\/book/);
  }
  await settled(page);
  await shot(page, 'edit-uploaded', { pattern: ['editor', 'form', 'upload'], theme: 'light' });
  return page;
}

async function browse({ shot }: Stage, page: Page): Promise<void> {
  await visit(page, '/');
  await shot(page, 'library', { pattern: ['home', 'gallery', 'navigation-menu'], theme: 'light' });
  await visit(page, FIRST_BOOK);
  await shot(page, 'book', { pattern: ['detail'], theme: 'light' });
  await page.goto(`${FIRST_BOOK.replace('book', 'read')}/epub`);
  await page.frameLocator('iframe').getByText('The weighing house').first().waitFor();
  await shot(page, 'reader', { pattern: ['reader', 'detail'], theme: 'light' });
  await visit(page, '/');
  await search(page, 'sea');
  await shot(page, 'search-results', { pattern: ['search-results', 'gallery'], theme: 'light' });
  await search(page, 'submarine');
  await shot(page, 'no-results', { pattern: ['no-results', 'search', 'empty-state'], theme: 'light' });
  await visit(page, '/advsearch');
  await shot(page, 'advanced-search', { pattern: ['search', 'filters', 'form'], theme: 'light' });
  await visit(page, '/category');
  await shot(page, 'categories', { pattern: ['list', 'filters'], theme: 'light' });
  await visit(page, '/table?data=list&sort_param=stored');
  await shot(page, 'books-table', { pattern: ['table', 'list', 'editor'], theme: 'light' });
}

async function arrange({ shot }: Stage, page: Page): Promise<void> {
  await visit(page, '/shelf/create');
  await page.locator('#title').fill('Read by the window');
  await shot(page, 'create-shelf', { pattern: ['create', 'form'], theme: 'light' });
  await page.locator('#submit').click();
  await settled(page);
  await shot(page, 'shelf-empty', { pattern: ['empty-state', 'success', 'list'], theme: 'light' });
  for (const number of [12, 10, 5, 2]) {
    await visit(page, `/book/${number}`);
    await page.locator('#add-to-shelf').click();
    if (number === 12) {
      await shot(page, 'add-to-shelf', {
        pattern: ['detail', 'add-item', 'navigation-menu'],
        theme: 'light',
      });
    }
    await page.locator('[data-shelf-action=add]').click();
    await page.locator('[data-shelf-action=remove]').waitFor();
  }
  await visit(page, '/shelf/1');
  await shot(page, 'shelf', { pattern: ['list', 'gallery'], theme: 'light' });
  await visit(page, '/admin/book/1');
  await page.locator('#delete').click();
  await page.getByText('This book will be permanently erased').waitFor();
  await shot(page, 'delete-book', { pattern: ['delete-confirmation', 'modal'], theme: 'light' });
  await visit(page, '/book/999');
  await shot(page, 'book-unavailable', { pattern: ['error', 'not-found', 'home'], theme: 'light' });
}

async function changeDevice({ open, shot }: Stage, page: Page): Promise<void> {
  const phone = await open({ viewport: 'phone', like: page });
  await visit(phone, '/');
  await shot(phone, 'library-phone', { pattern: ['home', 'gallery'], theme: 'light' });
  await visit(phone, FIRST_BOOK);
  await shot(phone, 'book-phone', { pattern: ['detail'], theme: 'light' });
  await darken(page);
  await visit(page, '/');
  await shot(page, 'library-dark', {
    pattern: ['home', 'gallery', 'dark-mode'],
    theme: 'dark',
    photographic: true,
  });
  await visit(page, FIRST_BOOK);
  await shot(page, 'book-dark', { pattern: ['detail', 'dark-mode'], theme: 'dark' });
  await visit(page, '/shelf/1');
  await shot(page, 'shelf-dark', {
    pattern: ['list', 'gallery', 'dark-mode'],
    theme: 'dark',
    photographic: true,
  });
}

async function journey(stage: Stage): Promise<void> {
  const page = await fillLibrary(stage);
  await browse(stage, page);
  await arrange(stage, page);
  await changeDevice(stage, page);
}

export const recipe: AppRecipe = {
  id: 'calibre-web',
  name: 'Calibre-Web',
  version: VERSION,
  licence: 'GPL-3.0',
  source: 'calibreweb (PyPI)',
  install: (place) => pipInstall(place, [`calibreweb==${VERSION}`]),
  prepare,
  start: (place) => ({
    file: python(place, 'cps'),
    args: ['-p', join(place.data, 'app.db'), '-i', '127.0.0.1', '-o', join(place.data, 'app.log')],
    env: { CALIBRE_DBPATH: place.data },
  }),
  readyPath: '/login',
  journey,
  flows: [
    {
      slug: 'sign-in',
      type: 'sign-in',
      name: 'Sign in to the library',
      description: 'A wrong password, then the library as it is before the first book.',
      screens: ['sign-in', 'sign-in-failed', 'library-empty'],
    },
    {
      slug: 'upload-books',
      type: 'upload',
      name: 'Upload books',
      description:
        'From empty shelves to the form in which an uploaded book is checked, and the covers in rows.',
      screens: ['library-empty', 'edit-uploaded', 'library'],
    },
    {
      slug: 'read-book',
      type: 'browse',
      name: 'Open and read a book',
      description: 'A cover is opened, its description read, and the first chapter turned to in the browser.',
      screens: ['library', 'book', 'reader'],
    },
    {
      slug: 'find-book',
      type: 'search',
      name: 'Search the library',
      description: 'A word with two results, a word with none, and the form that asks for each field.',
      screens: ['search-results', 'no-results', 'advanced-search'],
    },
    {
      slug: 'create-shelf',
      type: 'create',
      name: 'Arrange books on a shelf',
      description: 'A shelf is named, stands empty, takes a book from its page and shows four of them.',
      screens: ['create-shelf', 'shelf-empty', 'add-to-shelf', 'shelf'],
    },
    {
      slug: 'browse-dark',
      type: 'browse',
      name: 'Browse in the dark theme',
      description: 'The same covers, a book and a shelf on dark pages.',
      screens: ['library-dark', 'book-dark', 'shelf-dark'],
    },
  ],
};
