import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { sql } from '@store-sales/server/db/sql';
import { alertIn, expect, expectAccessible, expectNotification, test } from './fixtures.ts';

const csv = (name: string, ...lines: string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\n')),
});

/** Posts to the console API. */
const api = (page: Page, url: string, storeId: string) => async (path: string, data: object) => {
  const response = await page.request.post(`/console/api/stores/${storeId}/${path}`, {
    headers: { origin: url },
    data,
  });
  expect(response.ok()).toBe(true);
  return response.json();
};

test('products: create, search, filter, edit and deactivate', async ({ page, service, shop }) => {
  const post = api(page, service.url, shop.storeId);
  await page.getByRole('link', { name: 'Catalog' }).click();
  await expect(page).toHaveURL(/catalog\/products$/);
  await expect(page.getByRole('heading', { name: 'No products yet' })).toBeVisible();
  await expectAccessible(page);

  const [tea] = await post('categories', { name: 'Tea' });
  await post('products', { name: 'Sencha', price: 89_000, sku: 'S-1' });
  await page.reload();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add product' }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('This field is required.')).toHaveCount(2);
  await dialog.getByLabel('Name').fill('Longjing');
  await dialog.getByLabel('Price').fill('1480.50');
  await dialog.getByLabel('SKU').fill('S-1');
  await dialog.getByRole('combobox', { name: 'Category' }).click();
  await page.getByRole('option', { name: 'Tea' }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('Another product already uses this SKU.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('SKU').fill('L-1');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  const rows = page.getByRole('table', { name: 'Products' }).getByRole('row');
  await expect(rows).toHaveText([/Name/, /Longjing.*L-1.*Tea.*1,480\.50/, /Sencha.*S-1.*890\.00/]);
  await expectAccessible(page);

  const search = page.getByRole('searchbox', { name: 'Search' });
  for (const text of ['LONG', 'L-1']) {
    await search.fill(text);
    await expect(rows).toHaveText([/Name/, /Longjing/]);
  }
  await search.fill('');
  await expect(rows).toHaveCount(3);
  await page.getByRole('combobox', { name: 'Category' }).click();
  await page.getByRole('option', { name: 'Tea' }).click();
  await expect(rows).toHaveText([/Name/, /Longjing/]);
  await expect(page).toHaveURL(new RegExp(`category=${tea.id}`));
  await page.reload();
  await expect(rows).toHaveText([/Name/, /Longjing/]);

  await page.getByRole('button', { name: 'Longjing' }).click();
  await expect(dialog.getByLabel('Price')).toHaveValue('1,480.5');
  await dialog.getByLabel('Price').fill('1500');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(rows).toHaveText([/Name/, /Longjing.*1,500\.00/]);
  const isActive = page.getByRole('switch', { name: 'Longjing: active' });
  await isActive.focus();
  await expectNotification(page, '“Longjing” is now inactive', () => page.keyboard.press('Space'));
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Active', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(rows).toHaveCount(3);
  await expect(isActive).not.toBeChecked();

  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Product “Longjing” changed' }).last()).toContainText(
    '₽1,480.50 → ₽1,500.00',
  );
});

test('products: a mistyped word offers the right one', async ({ page, service, shop }) => {
  await api(page, service.url, shop.storeId)('products', { name: 'Sencha', price: 89_000 });
  await page.goto(`/console/stores/${shop.storeId}/catalog/products`);
  await page.getByRole('searchbox').fill('sancha');
  await page.getByRole('button', { name: 'Did you mean “sencha”?' }).click();
  await expect(page.getByRole('table', { name: 'Products' }).getByRole('row')).toHaveText([/Name/, /Sencha/]);
  await expect(page.getByRole('searchbox')).toHaveValue('sencha');
});

test('products: next and previous page', async ({ page, service, shop }) => {
  const post = api(page, service.url, shop.storeId);
  for (let index = 1; index <= 52; index++) await post('products', { name: `Tea ${index}`, price: index });
  await page.goto(`/console/stores/${shop.storeId}/catalog/products`);
  const rows = page.getByRole('table', { name: 'Products' }).getByRole('row');
  await expect(rows).toHaveCount(51);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(rows).toHaveText([/Name/, /Tea 2/, /Tea 1/]);
  // Opening and closing a product keeps the page.
  await page.getByRole('button', { name: 'Tea 2' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(rows).toHaveText([/Name/, /Tea 2/, /Tea 1/]);
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(rows).toHaveCount(51);
});

test('categories: create, expand with the keyboard, move and delete', async ({ page, service, shop }) => {
  await page.goto(`/console/stores/${shop.storeId}/catalog/categories`);
  await expect(page.getByRole('heading', { name: 'No categories yet' })).toBeVisible();
  await expectAccessible(page);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add category' }).click();
  await dialog.getByLabel('Name').fill('Tea');
  await page.keyboard.press('Enter');
  const tea = page.getByRole('listitem', { name: 'Tea', exact: true });
  const menu = async (name: string, item: string) => {
    await page.getByRole('button', { name: `More: ${name}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await menu('Tea', 'Add subcategory');
  await expect(dialog.getByRole('combobox', { name: 'Parent category' })).toHaveValue('Tea');
  await dialog.getByLabel('Name').fill('Green');
  await dialog.getByLabel('External ID').fill('green');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  // A category is expanded when it gets its first subcategory.
  await expect(tea.getByRole('listitem', { name: 'Green' })).toContainText('green');
  await expectAccessible(page);
  const arrow = page.getByRole('button', { name: 'Show subcategories of Tea' });
  await arrow.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('listitem', { name: 'Green' })).toHaveCount(0);
  await page.keyboard.press('Enter');

  await menu('Tea', 'Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(alertIn(dialog, 'This category has subcategories. Move or delete them first.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await menu('Green', 'Edit');
  await dialog.getByLabel('Name').fill('Green tea');
  await dialog.getByRole('combobox', { name: 'Parent category' }).click();
  await page.getByRole('option', { name: 'Top level' }).click();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('listitem')).toHaveText([/Green tea/, /Tea/]);
  await expect(arrow).toHaveCount(0);
  await menu('Tea', 'Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(tea).toHaveCount(0);

  const [green] = await (await page.request.get(`/console/api/stores/${shop.storeId}/categories`)).json();
  const product = { name: 'Sencha', price: 1, categoryId: green.id };
  await api(page, service.url, shop.storeId)('products', product);
  await menu('Green tea', 'Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(alertIn(dialog, 'This category has products. Move them to another category first.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await menu('Green tea', 'View products');
  await expect(page.getByRole('button', { name: 'Sencha' })).toBeVisible();
});

test('customers: search, and open one with their orders', async ({ page, service, shop }) => {
  const post = api(page, service.url, shop.storeId);
  await page.getByRole('link', { name: 'Customers' }).click();
  await expect(page.getByRole('heading', { name: 'No customers yet' })).toBeVisible();
  await expectAccessible(page);
  await post('products', { name: 'Sencha', price: 89_000, sku: 'S-1' });
  const items = [{ sku: 'S-1', quantity: 1 }];
  await post('orders', {
    items,
    customer: { name: 'Петрова Анна', phone: '8 916 000-00-01', email: 'anna@example.com' },
  });
  await post('orders', { items, customer: { name: 'Bob', phone: '+44 20 7946 0000' } });
  await page.reload();
  const rows = page.getByRole('table', { name: 'Customers' }).getByRole('row');
  await expect(rows).toHaveText([/Name/, /Bob/, /Петрова Анна.*8 916.*anna@example\.com/]);
  await expectAccessible(page);
  const search = page.getByRole('searchbox', { name: 'Search' });
  for (const text of ['анна', '+7 916', 'ANNA@example.com']) {
    await search.fill(text);
    await expect(rows).toHaveText([/Name/, /Петрова Анна/]);
  }
  await page.getByRole('link', { name: 'Петрова Анна' }).click();
  await expect(page.getByRole('heading', { name: 'Петрова Анна', level: 1 })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Contact details' })).toContainText('anna@example.com');
  await expectAccessible(page);
  const orders = page.getByRole('region', { name: 'Orders' });
  await orders.getByRole('link', { name: '#1' }).click();
  await expect(page.getByRole('heading', { name: 'Order #1' })).toBeVisible();
  await page.getByRole('link', { name: 'Петрова Анна' }).click();
  await expect(page.getByRole('region', { name: 'Contact details' })).toBeVisible();
  await page.goto(`/console/stores/${shop.storeId}/customers/${shop.storeId}`);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});

test('import: an invalid file, a preview, the import, and a download of the rejected rows', async ({ page, shop }) => {
  await page.goto(`/console/stores/${shop.storeId}/catalog/products`);
  await page.getByRole('link', { name: 'Import from file' }).click();
  await expect(page.getByRole('button', { name: 'Choose file' })).toBeVisible();
  await expectAccessible(page);
  const file = page.locator('input[type=file]');
  await file.setInputFiles(csv('wrong.csv', 'sku,colour', 'A,red'));
  await expect(page.getByRole('alert')).toContainText('Unknown column “colour”');
  await expectAccessible(page);

  const inHundredths = page.getByRole('radio', { name: 'In hundredths of RUB' });
  await inHundredths.check();
  const lines = ['sku,name,price', 'A,Tea,15000', 'B,Cup,149.90', 'C,Pot,20000'];
  await file.setInputFiles(csv('products.csv', ...lines));
  const outcome = page.getByRole('region', { name: 'Review changes' });
  await expect(outcome).toContainText(/New2.*Updated0.*Unchanged0.*Rejected1/);
  await expect(page.getByRole('table', { name: 'First changed rows' }).getByRole('row')).toHaveText([
    /Line/,
    /2Tea.*price: ₽150\.00/,
    /4Pot/,
  ]);
  await expect(page.getByRole('table', { name: 'Rejected rows' })).toContainText(
    '3price must be a whole number of hundredths',
  );
  await expectAccessible(page);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download all rejected rows' }).click();
  expect(await readFile(await (await saved).path(), 'utf8')).toMatch(
    /^\uFEFFline,message\r\n3,"price must .*; found “149\.90”"\r\n$/,
  );

  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Import complete' })).toContainText(/New2/);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'View products' }).click();
  await expect(page.getByRole('table', { name: 'Products' }).getByRole('row')).toHaveText([/Name/, /Pot/, /Tea/]);

  await page.getByRole('link', { name: 'Import', exact: true }).click();
  await inHundredths.check();
  await file.setInputFiles(csv('prices.csv', 'sku,price', 'A,16000', 'C,20000'));
  await expect(page.getByRole('table', { name: 'First changed rows' })).toContainText('price: ₽150.00 → ₽160.00');
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await file.setInputFiles(csv('same.csv', 'sku,price', 'C,20000'));
  await expect(page.getByText('There is nothing to import')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
});

test('import: templates, drag and drop, and stopping', async ({ page, service, shop }) => {
  await page.goto(`/console/stores/${shop.storeId}/catalog/import`);
  for (const [kind, count] of [
    ['Categories', 2],
    ['Customers', 1],
    ['Products', 1],
  ] as const) {
    await page.getByRole('radiogroup', { name: 'File contents' }).getByText(kind).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download template' }).click();
    await page.locator('input[type=file]').setInputFiles(await (await saved).path());
    await expect(page.getByRole('region', { name: 'Review changes' })).toContainText(`New${count}`);
    await page.getByRole('button', { name: 'Choose another file' }).click();
  }

  const rows = Array.from({ length: 3000 }, (_, index) => `S-${index},Product ${index},100`);
  const transfer = await page.evaluateHandle(
    (text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'many.csv', { type: 'text/csv' }));
      return data;
    },
    ['sku,name,price', ...rows].join('\n'),
  );
  const drop = () => page.getByText('or drop it here').dispatchEvent('drop', { dataTransfer: transfer });
  const stop = async () => {
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByRole('alert')).toContainText('Import stopped. Rows already imported are kept');
  };
  // The request never completes, so the progress bar stays.
  await page.route('**/products/import*', () => {});
  await drop();
  const bar = page.getByRole('progressbar');
  await expect(bar).toHaveAttribute('aria-valuenow', '0');
  await expectAccessible(page);
  await stop();
  await page.unroute('**/products/import*');

  await drop();
  await expect(page.getByRole('region', { name: 'Review changes' })).toContainText('New3,000');
  // The lock keeps the first batch from being written, so that the import cannot end before it is stopped.
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const lock = service.db.transaction(async (tx) => {
    await tx.lock(shop.storeId, ['catalog']);
    await released;
  });
  const started = page.waitForResponse((response) => /products\/import\?file=[^&]*&prices=/.test(response.url()));
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await started;
  await stop();
  release();
  await lock;
  await page.getByRole('link', { name: 'History' }).click();
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('many.csv')).toBeVisible({ timeout: 3000 });
  }).toPass();
  const { n } = (await service.db.one<{ n: number }>(
    sql`select count(*) as n from products where store_id = ${shop.storeId}`,
  )) ?? { n: 0 };
  expect(n).toBeLessThan(3000);
  await page.goto(`/console/stores/${shop.storeId}/catalog/products`);
  await expect(page.getByRole('table', { name: 'Products' }).getByRole('row')).toHaveCount(51);
});

test('import in Russian', async ({ page, shop }) => {
  await page.goto(`/console/stores/${shop.storeId}/catalog/import`);
  await page.evaluate(() => localStorage.setItem('store-sales-language', 'ru'));
  await page.reload();
  await page
    .locator('input[type=file]')
    .setInputFiles(csv('a.csv', 'sku,name,price', 'A,Чай,много', 'B,,1', 'C,Пуэр,100'));
  await expect(page.getByRole('region', { name: 'Что изменится' })).toContainText(/Новые1.*Отклонены2/);
  const rejected = page.getByRole('table', { name: 'Отклонённые строки' });
  await expect(rejected).toContainText('price: нужна цена, например 1 299,90');
  await expect(rejected).toContainText('name не должно быть пустым');
  await expectAccessible(page);
});
