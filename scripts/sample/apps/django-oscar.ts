import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { pipInstall, python, run } from '../recipe.ts';
import type { AppRecipe, Command, Place, Stage } from '../recipe.ts';
import { drawPictures } from './django-oscar/pictures.ts';

const VERSION = '4.2.1';
const MARGIN_PX = 24;

function manage(place: Place, ...args: string[]): Command {
  return {
    file: python(place),
    args: ['-m', 'django', ...args],
    cwd: join(place.data, 'project'),
    env: { DJANGO_SETTINGS_MODULE: 'shop.settings', PYTHONPATH: join(place.data, 'project') },
  };
}

async function prepare(place: Place): Promise<void> {
  const pictures = join(place.data, 'pictures');
  await drawPictures(pictures);
  cpSync(join(place.assets, 'project'), join(place.data, 'project'), { recursive: true });
  await run(manage(place, 'makemigrations', 'shipping'));
  await run(manage(place, 'migrate'));
  await run(manage(place, 'seed', pictures));
  await run(manage(place, 'rebuild_index', '--noinput'));
}

// Oscar's header is tall: most screens are shown from their breadcrumb or heading on.
async function startAt(page: Page, selector: string): Promise<void> {
  const box = await page.locator(selector).first().boundingBox();
  await page.evaluate(`scrollBy(0, ${(box?.y ?? MARGIN_PX) - MARGIN_PX})`);
}

async function browse({ shot }: Stage, page: Page): Promise<void> {
  await page.goto('/basket/');
  await shot(page, 'empty-basket', { pattern: ['cart', 'empty-state'], theme: 'light' });
  await page.goto('/');
  await startAt(page, '.breadcrumb');
  await shot(page, 'catalogue', { pattern: ['list', 'home', 'gallery'], theme: 'light' });
  await page.getByPlaceholder('Search').fill('hammock');
  await page.getByRole('button', { name: 'Search' }).click();
  await shot(page, 'no-results', { pattern: ['no-results', 'search', 'empty-state'], theme: 'light' });
  await page.getByPlaceholder('Search').fill('vase');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'Ink-blue vase' }).first().waitFor();
  await startAt(page, '.breadcrumb');
  await shot(page, 'search-results', { pattern: ['search-results', 'search', 'list'], theme: 'light' });
  await page.getByRole('link', { name: 'Ink-blue vase' }).first().click();
  await page.getByRole('button', { name: 'Add to basket' }).waitFor();
  await startAt(page, '.breadcrumb');
  await shot(page, 'product', { pattern: ['detail', 'rating', 'add-item'], theme: 'light' });
}

async function fillBasket({ shot }: Stage, page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add to basket' }).click();
  await shot(page, 'added-to-basket', { pattern: ['success', 'cart', 'detail'], theme: 'light' });
  await page.goto('/search/?q=teapot');
  await page.getByRole('button', { name: 'Add to basket' }).first().click();
  await page.goto('/basket/');
  await page.getByRole('link', { name: 'I have a voucher code' }).click();
  await page.locator('#id_code').fill('WELCOME10');
  await startAt(page, 'h1');
  await shot(page, 'basket', { pattern: ['cart', 'list', 'form'], theme: 'light' });
  await page.getByRole('button', { name: 'Add voucher' }).click();
  await page.getByText('WELCOME10').first().waitFor();
  await startAt(page, 'h1');
  await shot(page, 'basket-with-voucher', { pattern: ['cart', 'success'], theme: 'light' });
}

async function checkOut({ shot }: Stage, page: Page): Promise<void> {
  const next = page.getByRole('button', { name: 'Continue' });
  await page.goto('/checkout/');
  await page.locator('#id_username').fill('noor@example.com');
  await shot(page, 'checkout-email', { pattern: ['checkout', 'sign-in', 'form'], theme: 'light' });
  await next.click();
  await page.locator('#id_first_name').fill('Noor');
  await page.locator('#id_last_name').fill('V.');
  await page.locator('#id_line1').fill('14 Canal Street');
  await page.locator('#id_line4').fill('Haarlem');
  await page.locator('#id_postcode').fill('2011 AB');
  await next.click();
  await page.getByText('not valid for Denmark').waitFor();
  await startAt(page, 'h1:has-text("Shipping address")');
  await shot(page, 'address-error', { pattern: ['checkout', 'form', 'error'], theme: 'light' });
  await page.locator('#id_country').selectOption('NL');
  await next.click();
  await shot(page, 'shipping-method', { pattern: ['checkout', 'plan-picker', 'list'], theme: 'light' });
  await page.getByRole('button', { name: 'Select option' }).first().click();
  await page.locator('#id_number').fill('4242 4242 4242 4242');
  await page.locator('#id_expiry_month_1').selectOption({ index: 3 });
  await page.locator('#id_ccv').fill('123');
  await shot(page, 'payment', { pattern: ['payment', 'checkout', 'form'], theme: 'light' });
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Place order' }).waitFor();
  await startAt(page, 'h1:has-text("Preview")');
  await shot(page, 'review-order', { pattern: ['checkout', 'confirmation', 'detail'], theme: 'light' });
  await page.getByRole('button', { name: 'Place order' }).click();
  await page.getByText('confirmation email').waitFor();
  await startAt(page, 'h1:has-text("confirmation")');
  await shot(page, 'order-confirmation', { pattern: ['order-confirmation', 'success'], theme: 'light' });
}

async function keepShop({ open, shot }: Stage): Promise<void> {
  const page = await open();
  await page.goto('/accounts/login/');
  await page.locator('#id_login-username').fill('studio@example.com');
  await page.locator('#id_login-password').fill('quick-glaze');
  await page.getByRole('button', { name: 'Log In' }).click();
  await page.getByText('correct username and password').waitFor();
  await startAt(page, '.breadcrumb');
  await shot(page, 'sign-in-failed', { pattern: ['sign-in', 'sign-up', 'error'], theme: 'light' });
  await page.locator('#id_login-password').fill('slow-glaze');
  await page.getByRole('button', { name: 'Log In' }).click();
  await page.waitForURL((url) => !url.pathname.includes('login'));
  await page.goto('/dashboard/');
  await shot(page, 'shop-dashboard', { pattern: ['dashboard', 'chart', 'stats'], theme: 'light' });
  await page.goto('/dashboard/orders/');
  await startAt(page, '.breadcrumb');
  await shot(page, 'order-list', { pattern: ['list', 'table', 'search'], theme: 'light' });
  await page.goto('/dashboard/catalogue/');
  await startAt(page, '.table-header:has-text("Products"), h3:has-text("Search Products")');
  await shot(page, 'product-list', { pattern: ['list', 'table'], theme: 'light' });
  await page.getByRole('link', { name: 'Cedar candle' }).first().click();
  await shot(page, 'product-editor', { pattern: ['editor', 'form', 'tabs'], theme: 'light' });
  await page.goto(`${new URL(page.url()).pathname}delete/`);
  await shot(page, 'delete-product', { pattern: ['delete-confirmation', 'confirmation'], theme: 'light' });
}

async function journey(stage: Stage): Promise<void> {
  const page = await stage.open();
  await browse(stage, page);
  await fillBasket(stage, page);
  await checkOut(stage, page);
  await page.goto('/catalogue/oak-mirror/');
  await stage.shot(page, 'not-found', { pattern: ['not-found', 'error'], theme: 'light' });
  await keepShop(stage);
  const phone = await stage.open({ viewport: 'phone' });
  await phone.goto('/search/?q=vase');
  await phone.getByRole('link', { name: 'Ink-blue vase' }).first().click();
  await phone.getByRole('button', { name: 'Add to basket' }).waitFor();
  await startAt(phone, '#product_gallery');
  await stage.shot(phone, 'product-phone', { pattern: ['detail', 'rating', 'add-item'], theme: 'light' });
}

export const recipe: AppRecipe = {
  id: 'django-oscar',
  name: 'Oscar',
  version: VERSION,
  licence: 'BSD-3-Clause',
  source: 'PyPI django-oscar',
  install: (place) =>
    pipInstall(place, [`django-oscar[sorl-thumbnail]==${VERSION}`, 'Django==5.2.19', 'Whoosh==2.7.4']),
  prepare,
  start: (place) => manage(place, 'runserver', '--noreload', '--insecure', `127.0.0.1:${place.port}`),
  readyPath: '/',
  journey,
  flows: [
    {
      slug: 'find-product',
      type: 'search',
      name: 'Find a product',
      description: 'A search without a match, a search with two, and the product that was meant.',
      screens: ['catalogue', 'no-results', 'search-results', 'product', 'added-to-basket'],
    },
    {
      slug: 'guest-checkout',
      type: 'checkout',
      name: 'Check out as a guest',
      description:
        'Five steps from an e-mail address to the confirmed order, with a postcode that is put right.',
      screens: [
        'basket-with-voucher',
        'checkout-email',
        'address-error',
        'shipping-method',
        'payment',
        'review-order',
        'order-confirmation',
      ],
    },
    {
      slug: 'voucher',
      type: 'checkout',
      name: 'Use a voucher',
      description: 'The basket before and after a voucher code takes a tenth off.',
      screens: ['added-to-basket', 'basket', 'basket-with-voucher'],
    },
    {
      slug: 'delete-product',
      type: 'delete',
      name: 'Take a product out of the shop',
      description:
        'From the shop keeper’s product list to the editor, and to the question whether to delete.',
      screens: ['product-list', 'product-editor', 'delete-product'],
    },
  ],
};
