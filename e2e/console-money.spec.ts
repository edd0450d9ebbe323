import { expect, expectAccessible, test } from './fixtures.ts';

test('what is paid and due is on the order, in the list, on home and on paper', async ({
  page,
  service,
  shop: { storeId },
}) => {
  const { id } = await service.order(storeId, 'Tea', 1, 10_000);
  const path = `/console/stores/${storeId}`;
  await page.goto(`${path}/orders/${id}`);
  const state = page.getByRole('region', { name: 'Status and payment' });
  await expect(state).toContainText('Paid₽0.00');
  await expect(state).toContainText('Due₽100.00');
  await state.getByRole('button', { name: 'Edit paid amount' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Paid').fill('40');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(state).toContainText('Due₽60.00');
  await expect(page.getByText('Paid amount changed')).toBeVisible();
  await state.getByLabel('Payment', { exact: true }).click();
  await page.getByRole('option', { name: 'Paid', exact: true }).click();
  await expect(state).toContainText('Due₽0.00');

  // Edited after payment.
  await page.getByRole('button', { name: 'Edit items' }).click();
  await dialog.getByLabel('Quantity').fill('3');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(state).toContainText('The order was changed after payment: ₽200.00 is still due.');
  await expectAccessible(page);

  await page.goto(`${path}/orders?due=yes`);
  await expect(page.getByRole('row').filter({ hasText: '#1' })).toContainText('₽200.00 due');
  await page.getByLabel('Due', { exact: true }).click();
  await page.getByRole('option', { name: 'Due or not' }).click();
  await expect(page).not.toHaveURL(/due=/);

  await page.goto(path);
  await page.getByRole('link', { name: 'Orders not paid in full: 1' }).click();
  await expect(page).toHaveURL(/orders\?due=yes$/);

  await page.goto(`${path}/orders/print?kind=invoice&numbers=1`);
  const invoice = page.getByRole('article');
  await expect(invoice).toContainText('Paid₽100.00');
  await expect(invoice).toContainText('Due₽200.00');
  await page.getByText('Packing slip', { exact: true }).click();
  await expect(page.getByRole('article')).toContainText('Due: ₽200.00');
});

test('parcels are tracked: address of a delivery method, one number, many numbers; additional data is edited and found', async ({
  page,
  service,
  shop: { storeId },
}) => {
  const { id } = await service.order(storeId, 'Tea', 1, 10_000);
  await service.order(storeId, 'Cup', 1, 10_000);
  const path = `/console/stores/${storeId}`;
  const dialog = page.getByRole('dialog');
  await page.goto(`${path}/references/delivery-types`);
  await page.getByRole('button', { name: 'Edit Courier' }).click();
  await dialog.getByLabel('Address for tracking').fill('http://t.example/{number}');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog.getByText('An https address with {number} in it.')).toBeVisible();
  await dialog.getByLabel('Address for tracking').fill('https://t.example/?id={number}');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toHaveCount(0);

  const api = `/console/api/stores/${storeId}`;
  const { deliveryTypes } = await (await page.request.get(`${api}/orders/choices`)).json();
  const courier = deliveryTypes.find(({ name }: { name: string }) => name === 'Courier');
  const data = { delivery: { typeId: courier.id } };
  await page.request.patch(`${api}/orders/${id}`, { headers: { origin: service.url }, data });
  await page.goto(`${path}/orders/${id}`);
  await page.getByRole('button', { name: 'Edit tracking number' }).click();
  await dialog.getByLabel('Tracking number').fill('RA 1');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('link', { name: 'RA 1' })).toHaveAttribute('href', 'https://t.example/?id=RA%201');

  await page.getByRole('button', { name: 'Edit additional data' }).click();
  await dialog.getByRole('button', { name: 'Add a value' }).click();
  await dialog.getByLabel('Key').fill('a b');
  await dialog.getByLabel('Value').fill('1C-7');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog.getByText('Up to 40 letters')).toBeVisible();
  await dialog.getByLabel('Key').fill('erp.id');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('link', { name: '1C-7' }).click();
  await expect(page.getByRole('row').filter({ hasText: '#1' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: '#2' })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove the filter erp.id=1C-7' }).click();
  await expect(page.getByRole('row').filter({ hasText: '#2' })).toBeVisible();

  await page.getByRole('button', { name: 'Tracking' }).click();
  await dialog.getByLabel('Orders and tracking numbers').fill('#2, RA2\n1;RA 1\n9, RA9\nhello');
  await dialog.getByRole('button', { name: 'Save numbers' }).click();
  await expect(dialog.getByRole('status')).toContainText('Saved: 1. Unchanged: 1.');
  await expect(dialog.getByRole('listitem')).toHaveText([
    '9, RA9: there is no such order',
    'hello: not a number of an order and a tracking number',
  ]);
  await expect(dialog.getByLabel('Orders and tracking numbers')).toHaveValue('9, RA9\nhello');
  await expectAccessible(page);
});
