import { expect, expectAccessible, expectNotification, test } from './fixtures.ts';

test('stock: the list, a product with its movements, an adjustment, an order beyond it', async ({
  page,
  service,
  shop,
}) => {
  const path = `/console/api/stores/${shop.storeId}`;
  const post = async (to: string, data: object) =>
    (await page.request.post(`${path}/${to}`, { headers: { origin: service.url }, data })).json();
  const { id: main } = await post('warehouses', { name: 'Main' });
  await post('warehouses', { name: 'Reserve' });
  const stocks = { Sencha: 4, Cup: 40, Kettle: 0 };
  const ids: Record<string, string> = {};
  for (const [name, quantity] of Object.entries(stocks)) {
    ids[name] = (await post('products', { name, sku: name.toUpperCase(), price: 10_000 })).id;
    await post(`products/${ids[name]}/stock`, { warehouseId: main, quantity });
  }
  await post('products', { name: 'Gift wrap', price: 5_000 });

  await page.getByRole('link', { name: 'Catalog' }).click();
  const table = page.getByRole('table', { name: 'Products' });
  await expect(table.getByRole('row')).toHaveText([/Stock/, /Gift wrap.*—/, /Kettle.*0/, /Cup.*40/, /Sencha.*4/]);
  await page.getByRole('combobox', { name: 'Stock' }).click();
  await page.getByRole('option', { name: 'Low', exact: true }).click();
  await expect(table.getByRole('row')).toHaveText([/Stock/, /Sencha/]);
  await expect(page.getByRole('combobox', { name: 'Sort' })).toHaveValue('Lowest stock first');
  await page.getByRole('button', { name: 'Clear filters' }).click();

  // More is sold than there is.
  const order = await post('orders', { items: [{ productId: ids.Sencha, quantity: 6 }] });
  await page.getByRole('combobox', { name: 'Stock' }).click();
  await page.getByRole('option', { name: 'Below zero' }).click();
  await expect(table.getByRole('row')).toHaveText([/Stock/, /Sencha.*−2/]);
  await expectAccessible(page);

  await page.goto(`${service.url}/console/stores/${shop.storeId}/orders/${order.order.id}`);
  const alert = page.getByRole('status').filter({ hasText: 'More is ordered than there is' });
  await expect(alert).toContainText('Sencha: 2 missing (Main)');
  await expectAccessible(page);
  await alert.getByRole('link', { name: 'Sencha' }).click();
  const dialog = page.getByRole('dialog', { name: 'Stock: Sencha' });
  await expect(dialog.getByText('In stock: −2')).toBeVisible();
  const movements = dialog.getByRole('region', { name: 'Movements' }).getByRole('listitem');
  await expect(movements).toHaveText([/Order #1.*4 → −2/, /Adjustment.*0 → 4/]);
  await expectAccessible(page);
  await dialog.getByLabel('Change').fill('10');
  await expect(dialog.getByText('Afterwards: 8')).toBeVisible();
  await expectNotification(page, 'Stock saved', () => dialog.getByRole('button', { name: 'Save' }).click());
  await expect(dialog.getByText('In stock: 8')).toBeVisible();
  await expect(movements).toHaveCount(3);
  await page.keyboard.press('Escape');
  await expect(table.getByRole('row').filter({ hasText: 'Sencha' })).toContainText('8');

  // A form that is open is not disturbed by an order.
  await page.getByRole('button', { name: 'Sencha', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Edit product' });
  await form.getByLabel('Name').fill('Sencha, spring');
  await post('orders', { items: [{ productId: ids.Sencha, quantity: 1 }] });
  await expectNotification(page, 'Saved', () => form.getByRole('button', { name: 'Save changes' }).click());
  await expect(table.getByRole('row').filter({ hasText: 'Sencha, spring' })).toContainText('7');

  await page.goto(`${service.url}/console/stores/${shop.storeId}/orders/new`);
  await page.getByLabel('Add a product').fill('Kettle');
  await expect(page.getByRole('option', { name: /Kettle/ })).toContainText('in stock: 0');
});
