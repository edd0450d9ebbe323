import { alertIn, expect, expectAccessible, expectNotification, test } from './fixtures.ts';

test('promo codes: create, see their uses and revenue, switch off', async ({ page, service, shop: { storeId } }) => {
  await page.goto(`/console/stores/${storeId}/catalog/promo-codes`);
  await expect(page.getByText('No promo codes yet')).toBeVisible();
  await page.getByRole('button', { name: 'Add promo code' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Promo code').fill('Spring');
  await dialog.getByLabel('Percent of the items').fill('101');
  await dialog.getByLabel('Smallest sum of the items').fill('100');
  await dialog.getByLabel('First day').fill('2026-01-31');
  await dialog.getByLabel('Last day').fill('2026-01-30');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('A whole number from 1 to 100.')).toBeVisible();
  await expect(dialog.getByText('The last day is before the first.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Percent of the items').fill('10');
  await dialog.getByLabel('Last day').fill('');
  await dialog.getByLabel('How many orders may use it').fill('2');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Spring' });
  await expect(row).toContainText('10 % off');
  await expect(row).toContainText('from ₽100.00 · from Jan 31, 2026');
  await expect(row).toContainText('0 of 2');

  await page.getByRole('button', { name: 'Add promo code' }).click();
  await dialog.getByLabel('Promo code').fill('SPRING');
  await dialog.getByText('Amount', { exact: true }).click();
  await dialog.getByLabel('Amount off the order').fill('50');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(alertIn(dialog, 'This code is already in use.')).toBeVisible();
  await dialog.getByLabel('Promo code').fill('Minus50');
  await expectNotification(page, 'Promo code created', () => dialog.getByRole('button', { name: 'Create' }).click());
  await expect(page.getByRole('row').filter({ hasText: 'Minus50' })).toContainText('₽50.00 off');
  await expectAccessible(page);

  const productId = await service.product(storeId, { name: 'Tea', price: 50_000 });
  const api = `/console/api/stores/${storeId}`;
  const headers = { origin: service.url };
  const { id: paymentTypeId } = (await (await page.request.get(`${api}/orders/choices`)).json()).paymentTypes[0];
  const order = {
    customer: { name: 'Anna', phone: '+79990000000' },
    items: [{ productId, quantity: 1 }],
    delivery: {},
    paymentTypeId,
    promoCode: 'spring',
  };
  const made = await page.request.post(`${api}/orders`, { headers, data: order });
  expect(made.status(), await made.text()).toBe(201);
  await page.getByRole('searchbox').fill('spr');
  await expect(page.getByRole('row').filter({ hasText: 'Minus50' })).toHaveCount(0);
  await page.reload();
  await expect(row).toContainText('1 of 2');
  await expect(row).toContainText('₽450.00');

  await row.getByRole('switch', { name: 'Spring: active' }).click();
  await expect(row.getByRole('switch')).not.toBeChecked();
  await page.reload();
  await expect(row.getByRole('switch')).not.toBeChecked();
  await page.getByRole('searchbox').fill('nothing');
  await expect(page.getByText('No promo code starts like this.')).toBeVisible();
});

test('an order made by hand shows what a code takes off, and why one does not apply', async ({
  page,
  service,
  shop: { storeId },
}) => {
  const headers = { origin: service.url };
  const codes = `/console/api/stores/${storeId}/promo-codes`;
  await page.request.post(codes, { headers, data: { code: 'TEN', percent: 10, minTotal: 5_000 } });
  await service.product(storeId, { name: 'Tea', sku: 'T', price: 4_000 });
  await page.goto(`/console/stores/${storeId}/orders/new`);
  await page.getByRole('combobox', { name: 'Add a product' }).fill('Tea');
  await page.getByRole('option', { name: /Tea/ }).click();
  await page.getByLabel('Promo code').fill('nope');
  const status = page.getByRole('status');
  await expect(status.filter({ hasText: 'There is no such promo code.' })).toBeVisible();
  await page.getByLabel('Promo code').fill('ten');
  await expect(status.filter({ hasText: 'The items add up to less' })).toBeVisible();
  await page.getByLabel('Quantity').fill('2');
  await expect(page.getByText('Promo code ten')).toBeVisible();
  await expect(page.getByTestId('total')).toHaveText('₽72.00');
  await page.getByRole('button', { name: 'Create order' }).click();
  await expect(page.getByRole('heading', { name: 'Order #1', level: 1 })).toBeVisible();
  await expect(page.getByTestId('total')).toHaveText('₽72.00');
  await expect(page.getByText('Promo code TEN')).toBeVisible();

  await page.getByRole('button', { name: 'Edit items' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Order discount')).toHaveValue('');
  await dialog.getByLabel('Order discount').fill('10');
  await dialog.getByLabel('Quantity').fill('3');
  await expect(dialog.getByTestId('total')).toHaveText('₽98.00');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByTestId('total')).toHaveText('₽98.00');
});
