import { expect, expectAccessible, expectNotification, test } from './fixtures.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('products: pictures, sorting, duplicating, switching several', async ({ page, service, shop }) => {
  const post = async (path: string, data: object) => {
    const headers = { origin: service.url };
    return (await page.request.post(`/console/api/stores/${shop.storeId}/${path}`, { headers, data })).json();
  };
  const [tea] = await post('categories', { name: 'Tea' });
  await post('products', { name: 'Sencha', price: 89_000, sku: 'S-1', categoryId: tea.id });
  await post('products', { name: 'Cup', price: 10_000, imageUrl: 'https://pictures.example/broken.png' });
  const referrers: (string | undefined)[] = [];
  await page.route('https://pictures.example/**', (route) => {
    referrers.push(route.request().headers().referer);
    return route.request().url().includes('broken')
      ? route.fulfill({ status: 404 })
      : route.fulfill({ contentType: 'image/png', body: PIXEL });
  });

  await page.getByRole('link', { name: 'Catalog' }).click();
  const rows = page.getByRole('table', { name: 'Products' }).getByRole('row');
  await expect(rows).toHaveText([/Name/, /Cup/, /Sencha/]);
  await expect(rows.nth(1).locator('[data-picture=broken]')).toBeVisible();

  // A picture is previewed and shown in the table.
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Sencha' }).click();
  await dialog.getByLabel('Picture from another site').fill('//pictures.example/tea.png');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog.getByText('Enter an https address')).toBeVisible();
  await dialog.getByLabel('Picture from another site').fill('https://pictures.example/tea.png');
  await expect(dialog.locator('img')).toHaveJSProperty('naturalWidth', 1);
  await expectAccessible(page);
  await expectNotification(page, 'Saved', () => dialog.getByRole('button', { name: 'Save changes' }).click());
  await expect(rows.nth(2).locator('img')).toHaveJSProperty('naturalWidth', 1);
  expect(referrers.filter(Boolean)).toEqual([]);

  // A copy has neither SKU nor external ID.
  await page.getByRole('button', { name: 'Sencha' }).click();
  await dialog.getByRole('button', { name: 'Duplicate' }).click();
  await expect(dialog.getByRole('heading', { name: 'New product' })).toBeVisible();
  await expect(dialog.getByLabel('SKU')).toHaveValue('');
  await expect(dialog.getByLabel('Price')).toHaveValue(/890/);
  await dialog.getByLabel('Name').fill('Sencha, large');
  await expectNotification(page, 'Product created', () => dialog.getByRole('button', { name: 'Create' }).click());
  await expect(rows).toHaveText([/Name/, /Sencha, large/, /Cup/, /Sencha/]);

  await page.getByRole('combobox', { name: 'Sort' }).click();
  await page.getByRole('option', { name: 'Price, low to high' }).click();
  await expect(rows.nth(1)).toContainText('Cup');
  await expect(page).toHaveURL(/sort=price/);
  await page.reload();
  await expect(rows.nth(1)).toContainText('Cup');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('products.csv');

  await page.getByRole('checkbox', { name: 'Select all products of this page' }).check();
  await page.getByRole('checkbox', { name: 'Select Cup' }).uncheck();
  await expect(page.getByText('Selected: 2')).toBeVisible();
  await expectAccessible(page);
  await expectNotification(page, 'Products changed: 2', () => page.getByRole('button', { name: 'Deactivate' }).click());
  await expect(page.getByRole('switch', { name: 'Sencha, large: active' })).not.toBeChecked();
  await expect(page.getByRole('switch', { name: 'Cup: active' })).toBeChecked();

  await page.getByRole('checkbox', { name: 'Select Sencha', exact: true }).check();
  await page.getByRole('checkbox', { name: 'Select Cup' }).check();
  await page.getByRole('button', { name: 'Change price' }).click();
  await dialog.getByLabel('By percent').fill('-15');
  await expect(dialog.getByRole('list', { name: 'New prices' })).toContainText('₽890.00 → ₽757.00');
  await expectAccessible(page);
  await expectNotification(page, 'Products changed: 2', () =>
    dialog.getByRole('button', { name: 'Change products: 2' }).click(),
  );
  await expect(page.getByRole('row', { name: /Cup/ })).toContainText('₽85.00');

  await page.getByRole('link', { name: 'Categories' }).click();
  await expect(page.getByRole('listitem', { name: 'Tea' })).toContainText('Products: 2');
  await expectAccessible(page);
});
