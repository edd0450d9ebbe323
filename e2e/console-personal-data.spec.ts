import { expect, expectAccessible, expectNotification, test } from './fixtures.ts';

test('personal data: the owner downloads and erases it', async ({ page, service, shop }) => {
  const api = (path: string) => `/console/api/stores/${shop.storeId}/${path}`;
  const headers = { origin: service.url };
  const post = async (path: string, data: object) => (await page.request.post(api(path), { headers, data })).json();
  await post('products', { name: 'Sencha', price: 89_000, sku: 'S-1' });
  const { id: productId } = (await (await page.request.get(api('products'))).json()).data[0];
  const customer = { name: 'Anna Petrova', phone: '+7 916 000-00-01' };
  const { order } = await post('orders', { items: [{ productId, quantity: 1 }], customer, notes: 'Ring twice' });

  await page.goto(`/console/stores/${shop.storeId}/customers/${order.customer.id}`);
  const panel = page.getByRole('region', { name: 'Personal data' });
  const download = page.waitForEvent('download');
  await panel.getByRole('link', { name: 'Download all data' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('customer.json');

  const dialog = page.getByRole('dialog');
  await panel.getByRole('button', { name: 'Erase personal data' }).click();
  await expect(dialog).toContainText('“Anna Petrova”');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('heading', { name: 'Anna Petrova', level: 1 })).toBeVisible();
  await panel.getByRole('button', { name: 'Erase personal data' }).click();
  await expectNotification(page, 'Personal data erased', () => dialog.getByRole('button', { name: 'Erase' }).click());
  await expect(page.getByRole('heading', { name: 'Erased customer', level: 1 })).toBeVisible();
  await expect(panel).toHaveCount(0);
  for (const name of ['Edit', 'Merge']) await expect(page.getByRole('button', { name })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Orders' })).toContainText('890.00');
  await expectAccessible(page);

  await page.getByRole('link', { name: 'All customers' }).click();
  await expect(page.getByRole('link', { name: 'Erased customer' })).toBeVisible();
  await page.goto(`/console/stores/${shop.storeId}/orders/${order.id}`);
  await page.getByRole('heading', { name: /^Order / }).waitFor();
  for (const text of ['Anna Petrova', '916', 'Ring twice']) await expect(page.getByText(text)).toHaveCount(0);
  await page.goto(`/console/stores/${shop.storeId}/history`);
  await expect(page.getByText(/Customer.* personal data erased/)).toBeVisible();
});
