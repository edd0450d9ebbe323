import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './fixtures.ts';

const csv = (name: string, ...lines: string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\r\n')),
});

const inRussian = async (page: Page) => {
  await page.evaluate(() => localStorage.setItem('store-sales-language', 'ru'));
  await page.reload();
};

test('import: prices in units with a preview of what they mean, or in hundredths', async ({ page, shop }) => {
  await page.goto(`/console/stores/${shop.storeId}/catalog/import`);
  const file = page.locator('input[type=file]');
  const units = page.getByRole('radio', { name: 'In RUB' });
  await expect(units).toBeChecked();
  await expectAccessible(page);
  const lines = ['sku;name;price', 'A;Tea;1\u00a0299,90', 'B;Cup;1.299', 'C;Pot;10', 'D;Jar;1,999', 'A;Tea;5'];
  await file.setInputFiles(csv('prices.csv', ...lines));
  await expect(page.getByRole('region', { name: 'Review changes' })).toContainText('Prices are read in RUB.');
  const changes = page.getByRole('table', { name: 'First changed rows' }).getByRole('row');
  await expect(changes).toHaveText([/Line/, /Tea.*price: ₽1,299\.90/, /Cup.*₽1,299\.00/, /Pot.*₽10\.00/]);
  const rejected = page.getByRole('table', { name: 'Rejected rows' });
  await expect(rejected).toContainText('price must have at most 2 decimals; found “1,999”');
  await expect(rejected).toContainText('6sku is the same as in line 2');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Import complete' })).toContainText(/New3/);

  // The same file in hundredths: only the integer is a price.
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await page.getByRole('radio', { name: 'In hundredths of RUB' }).check();
  await file.setInputFiles(csv('prices.csv', ...lines));
  await expect(page.getByRole('region', { name: 'Review changes' })).toContainText('read in hundredths of RUB');
  await expect(changes).toHaveText([/Line/, /Pot.*price: ₽10\.00 → ₽0\.10/]);

  await page.getByRole('button', { name: 'Choose another file' }).click();
  await units.check();
  await file.setInputFiles(csv('unclear.csv', 'sku;price', 'A;1,234'));
  await expect(rejected).toContainText('“1,234” is ambiguous');

  await page.goto(`/console/stores/${shop.storeId}/catalog/import`);
  await inRussian(page);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Скачать шаблон' }).click();
  const template = await (await saved).path();
  expect(await readFile(template, 'utf8')).toMatch(
    /^\uFEFFexternalId;sku;name;.*\r\n1c-17;TEA-G-03;.*;1480;;;;true\r\n$/,
  );
  await file.setInputFiles(template);
  await expect(page.getByText(/price: 1\s480,00\s₽/)).toBeVisible();
  await expectAccessible(page);
});

test('export: a row per order or per item, for a spreadsheet in the language of the console', async ({
  page,
  service,
  shop,
}) => {
  const post = async (path: string, data: object) => {
    const url = `/console/api/stores/${shop.storeId}/${path}`;
    expect((await page.request.post(url, { headers: { origin: service.url }, data })).ok()).toBe(true);
  };
  await post('products', { name: 'Sencha', price: 89_050, sku: 'S-1' });
  await post('products', { name: 'Cup', price: 100, sku: 'C-1' });
  const items = [
    { sku: 'S-1', quantity: 2 },
    { sku: 'C-1', quantity: 1 },
  ];
  await post('orders', { items, customer: { name: '=1+1', phone: '+7 900 000-00-01' } });
  await page.goto(`/console/stores/${shop.storeId}/orders`);
  const exported = async (button: string, item: string) => {
    await page.getByRole('button', { name: button }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: item }).click();
    return (await readFile(await (await saved).path(), 'utf8')).trimEnd().split('\n');
  };
  const orders = await exported('Export', 'one row per order');
  expect(orders).toHaveLength(2);
  expect(orders[0]).toContain(',createdAt (Europe/Moscow),');
  expect(orders[1]).toContain(',1782.00,');
  expect(orders[1]).toContain(',\u200e=1+1,\u200e+7 900 000-00-01,');
  await page.getByRole('button', { name: 'Export' }).click();
  await expect(page.getByRole('menuitem')).toHaveCount(2);
  await expectAccessible(page);

  await inRussian(page);
  const lines = await exported('Экспорт', 'строка на товар');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toMatch(/;1782,00;.*;Sencha;S-1;2;890,50;0,00;1781,00$/);
  expect(lines[2]).toMatch(/;Cup;C-1;1;1,00;0,00;1,00$/);
});

test('an invalid e-mail of a customer is refused where it is typed', async ({ page, service, shop }) => {
  const order = await service.order(shop.storeId, 'Sencha', 1, 100);
  await page.goto(`/console/stores/${shop.storeId}/orders/new`);
  await page.getByLabel('E-mail').fill('anna at example');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByText('Enter a valid e-mail address.')).toBeVisible();
  await page.getByLabel('E-mail').fill('anna@example.com');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByText('Enter a valid e-mail address.')).toHaveCount(0);

  await page.goto(`/console/stores/${shop.storeId}/orders/${order.id}`);
  await page.getByRole('button', { name: 'Edit customer' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill('@');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog.getByText('Enter a valid e-mail address.')).toBeVisible();
  await dialog.getByLabel('E-mail').fill('anna@example.com');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('anna@example.com')).toBeVisible();
});
