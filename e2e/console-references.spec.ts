import { alertIn, expect, expectAccessible, test } from './fixtures.ts';

test('order statuses: create, reorder with the keyboard, rename, disable, enable', async ({ page, service, shop }) => {
  await page.getByRole('link', { name: 'Order settings' }).click();
  await expect(page).toHaveURL(/references\/order-statuses$/);
  const packing = page.getByRole('region', { name: 'Packing' });
  await expect(packing.getByText('Main')).toBeVisible();
  await expectAccessible(page);

  const dialog = page.getByRole('dialog');
  for (const name of ['Wrapping', 'Gift']) {
    await packing.getByRole('button', { name: 'Add status: Packing' }).click();
    await dialog.getByLabel('Name').fill(name);
    await page.keyboard.press('Enter');
    await expect(packing.getByRole('listitem', { name })).toBeVisible();
  }
  await packing.getByRole('button', { name: 'Add status: Packing' }).click();
  await dialog.getByLabel('Name').fill('gift');
  await page.keyboard.press('Enter');
  await expect(alertIn(dialog, 'This name is already in use.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  const names = packing.getByRole('listitem');
  const up = packing.getByRole('button', { name: 'Move Gift up' });
  // The list changes before the order is saved, and the reload below would cut that off.
  const pressAndSave = () =>
    Promise.all([
      page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok()),
      page.keyboard.press('Enter'),
    ]);
  await up.focus();
  await pressAndSave();
  await expect(names).toHaveText([/Packing/, /Gift/, /Wrapping/]);
  await expect(up).toBeFocused();
  await pressAndSave();
  await expect(names).toHaveText([/Gift/, /Packing/, /Wrapping/]);
  await expect(page.getByRole('status').filter({ hasText: 'Gift: position 1 of 3' })).toHaveCount(1);
  await page.reload();
  await expect(names).toHaveText([/Gift/, /Packing/, /Wrapping/]);

  await packing.getByRole('button', { name: 'More: Gift' }).click();
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await dialog.getByLabel('Name').fill('Gift wrap');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(packing.getByRole('listitem', { name: 'Gift wrap' })).toBeVisible();

  const { id: orderId } = await service.order(shop.storeId, 'Tea', 1, 100);
  const api = `/console/api/stores/${shop.storeId}`;
  const statuses = (await (await page.request.get(`${api}/order-statuses`)).json()) as { id: string; name: string }[];
  const data = { statusId: statuses.find(({ name }) => name === 'Gift wrap')?.id };
  const moved = await page.request.patch(`${api}/orders/${orderId}`, { headers: { origin: service.url }, data });
  expect(moved.ok()).toBe(true);
  await packing.getByRole('button', { name: 'More: Gift wrap' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await expect(dialog).toContainText('Orders in this status: 1. They move to “Packing” immediately');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Disable' }).click();
  await expect(packing.getByRole('listitem', { name: 'Gift wrap' })).toContainText('Disabled');
  await packing.getByRole('button', { name: 'More: Gift wrap' }).click();
  await page.getByRole('menuitem', { name: 'Enable' }).click();
  await expect(packing.getByRole('listitem', { name: 'Gift wrap' })).not.toContainText('Disabled');
});

test('payment statuses: create with a color, edit, disable', async ({ page, shop }) => {
  await page.goto(`/console/stores/${shop.storeId}/references/payment-statuses`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add payment status' }).click();
  await dialog.getByLabel('Name').fill('Deposit');
  await dialog.getByLabel('Color').fill('red');
  // Leaving the field closes its color palette.
  await page.keyboard.press('Tab');
  await dialog.getByLabel('Counts as paid').check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('Enter a color, for example #16A34A.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Color').fill('#112233');
  await dialog.getByLabel('Name').click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  const row = page.getByRole('listitem', { name: 'Deposit' });
  await expect(row).toContainText('Counts as paid');
  await expect(row.locator('span[style*="rgb(17, 34, 51)"]')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'More: Unpaid' })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'More: Deposit' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog.getByLabel('Name').fill('Prepaid');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('button', { name: 'More: Prepaid' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await expect(dialog).toContainText('There are no orders in this status.');
  await dialog.getByRole('button', { name: 'Disable' }).click();
  await expect(page.getByRole('listitem', { name: 'Prepaid' })).toContainText('Disabled');
});

test('payment methods, delivery methods and warehouses', async ({ page, shop }) => {
  await page.goto(`/console/stores/${shop.storeId}/references/payment-types`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add payment method' }).click();
  await dialog.getByLabel('Name').fill('Invoice');
  await dialog.getByLabel('Code').fill('cash');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(alertIn(dialog, 'This code is already in use.')).toBeVisible();
  await dialog.getByLabel('Code').fill('');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('listitem', { name: 'Invoice' })).toContainText('invoice');
  const invoice = page.getByRole('switch', { name: 'Invoice: enabled in this store' });
  await expect(invoice).toBeChecked();
  await invoice.focus();
  await page.keyboard.press('Space');
  await expect(invoice).not.toBeChecked();
  await page.reload();
  await expect(invoice).not.toBeChecked();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Delivery methods' }).click();
  await page.getByRole('button', { name: 'Edit CDEK' }).click();
  await expect(dialog.getByRole('combobox', { name: 'Type' })).toBeDisabled();
  await expect(dialog).toContainText('Changes to the name, code and type apply to all your stores.');
  await expectAccessible(page);
  await dialog.getByLabel('Name').fill('CDEK Express');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('listitem', { name: 'CDEK Express' })).toBeVisible();
  await page.getByRole('button', { name: 'Add delivery method' }).click();
  await dialog.getByLabel('Name').fill('Night courier');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('listitem', { name: 'Night courier' })).toContainText('night-courier');
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Warehouses' }).click();
  await expect(page.getByRole('heading', { name: 'No warehouses yet' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add warehouse' }).click();
  await dialog.getByLabel('Name').fill('Склад Москва');
  await dialog.getByLabel('City').fill('Москва');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const row = page.getByRole('listitem', { name: 'Склад Москва' });
  await expect(row).toContainText('sklad-moskva · Москва');
  await page.getByRole('button', { name: 'Edit Склад Москва' }).click();
  await dialog.getByLabel('Address').fill('Lenina 1');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(row).toContainText('Lenina 1');
  await page.getByRole('switch', { name: 'Склад Москва: enabled' }).click({ force: true });
  await expect(page.getByRole('switch', { name: 'Склад Москва: enabled' })).not.toBeChecked();
  await expectAccessible(page);
});
