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
