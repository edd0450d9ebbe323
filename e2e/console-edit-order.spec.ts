import type { Page } from '@playwright/test';
import { sql } from '@store-sales/server/db/sql';
import { alertIn, expect, expectAccessible, test } from './fixtures.ts';
import type { Service } from './service.ts';

const products = [
  { sku: 'TEA-1', name: 'Green tea', price: 15_000 },
  { sku: 'CUP-1', name: 'Чашка', price: 49_900 },
  { sku: 'POT-1', name: 'Teapot', price: 200_000 },
];

/** Opens the page of a new order: two teas and a cup, 799.00 in total. */
async function openOrder(page: Page, service: Service, storeId: string) {
  for (const each of products) await service.product(storeId, each);
  const api = `/console/api/stores/${storeId}/orders`;
  const headers = { origin: service.url };
  for (const code of ['SPRING', 'THEIRS'])
    await page.request.post(`/console/api/stores/${storeId}/promo-codes`, { headers, data: { code, amount: 1 } });
  const items = [
    { sku: 'TEA-1', quantity: 2 },
    { sku: 'CUP-1', quantity: 1 },
  ];
  const { order } = await (await page.request.post(api, { headers, data: { items } })).json();
  const read = async () => (await (await page.request.get(`${api}/${order.id}`)).json()).order;
  /** Changes the order as another person would. */
  const change = async (data: object) =>
    expect((await page.request.patch(`${api}/${order.id}`, { headers, data })).ok()).toBe(true);
  await page.goto(`/console/stores/${storeId}/orders/${order.id}`);
  const dialog = page.getByRole('dialog', { name: 'Edit items and amounts' });
  const edit = () => page.getByRole('button', { name: 'Edit items and amounts' }).click();
  const save = () => dialog.getByRole('button', { name: 'Save changes' }).click();
  const line = (name: string) => dialog.getByRole('group', { name });
  const total = dialog.getByTestId('total');
  return { order, read, change, dialog, edit, save, line, total };
}

async function select(page: Page, label: string, option: string) {
  await page.getByRole('dialog').getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('items, delivery, payment and discounts are edited, with live totals', async ({ page, service, shop }) => {
  const { order, read, dialog, edit, save, line, total } = await openOrder(page, service, shop.storeId);
  await edit();
  await expect(total).toContainText('799.00');
  await expectAccessible(page);

  const add = dialog.getByRole('combobox', { name: 'Add a product' });
  await add.fill('teap');
  await page.getByRole('option', { name: /Teapot/ }).click();
  await expect(total).toContainText('2,799.00');
  await add.fill('TEA-1');
  await add.press('Enter');
  await expect(line('Green tea').getByLabel('Quantity')).toHaveValue('3');
  await line('Green tea').getByLabel('Price').fill('140');
  await line('Green tea').getByLabel('Discount').fill('20');
  await line('Чашка').getByRole('button', { name: 'Remove Чашка' }).click();
  await expect(total).toContainText('2,400.00');
  await select(page, 'Delivery method', 'Courier');
  await dialog.getByLabel('Delivery cost').fill('300');
  await dialog.getByLabel('Delivery discount').fill('100');
  await select(page, 'Payment method', 'Card');
  await dialog.getByLabel('Order discount').fill('50.5');
  await dialog.getByLabel('Promo code').fill('SPRING');
  await expect(total).toContainText('2,549.49');
  await save();
  await expect(dialog).toHaveCount(0);

  const items = page.getByRole('region', { name: 'Items' });
  await expect(items).toContainText('2,549.49');
  await expect(items.getByRole('listitem')).toHaveText([/Green tea.*3 × .*140\.00.*20\.00/, /Teapot/]);
  const entry = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem').first();
  await expect(entry).toContainText('Items changed · Delivery method changed · Delivery cost changed');
  await expect(entry).toContainText('Added: 1 · Removed: 1 · Changed: 1');
  await expect(entry).toContainText(/Total: .*799\.00 → .*2,549\.49/);
  await expect(entry).toContainText('Anna Ivanova');
  const saved = await read();
  expect(saved.items[0].id).toBe(order.items[0].id);
  expect(saved).toMatchObject({ promoCode: 'SPRING', paymentType: { code: 'card' }, delivery: { type: 'Courier' } });

  await edit();
  // Selecting the current one again clears the field.
  await select(page, 'Delivery method', 'Courier');
  await dialog.getByLabel('Promo code').fill('');
  await save();
  await expect(dialog).toHaveCount(0);
  expect(await read()).toMatchObject({ promoCode: '', delivery: { typeId: null, cost: 30_000 }, totalAmount: 254_950 });
});

test('a total below zero is shown while typing and cannot be saved', async ({ page, service, shop }) => {
  const { read, dialog, edit, save, line, total } = await openOrder(page, service, shop.storeId);
  await edit();
  await dialog.getByLabel('Order discount').fill('800');
  await expect(total).toContainText('-₽1.00');
  const error = dialog.getByText('The total cannot be below zero: reduce the discounts.');
  await expect(error).toBeVisible();
  await expect(dialog.getByLabel('Order discount')).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.method()));
  await save();
  await expect(error).toBeVisible();
  expect(sent).not.toContain('PATCH');

  // The error goes away wherever the amounts are corrected.
  await line('Green tea').getByLabel('Quantity').fill('3');
  await expect(error).toHaveCount(0);
  await expect(dialog.getByLabel('Order discount')).not.toHaveAttribute('aria-invalid', 'true');
  await save();
  await expect(dialog).toHaveCount(0);
  expect((await read()).totalAmount).toBe(14_900);
});

test('a text that is not an amount does not close the dialog', async ({ page, service, shop }) => {
  const { dialog, edit, line } = await openOrder(page, service, shop.storeId);
  await edit();
  await dialog.getByLabel('Promo code').fill('SPRING');
  await line('Green tea').getByLabel('Discount').fill('.');
  await line('Green tea').getByLabel('Discount').press('Enter');
  await expect(line('Green tea')).toContainText('Enter an amount, such as 150.00.');
  await expect(dialog.getByLabel('Promo code')).toHaveValue('SPRING');
});

test('after a conflict, the changes of both are kept', async ({ page, service, shop }) => {
  const { order, read, change, dialog, edit, save, line } = await openOrder(page, service, shop.storeId);
  const [tea, cup] = order.items;
  await edit();
  await line('Green tea').getByLabel('Quantity').fill('5');
  const items = [
    { id: tea.id, discount: 1_000 },
    { id: cup.id, quantity: 4 },
    { sku: 'POT-1', quantity: 1 },
  ];
  await change({ items, promoCode: 'THEIRS' });
  await save();
  const alert = alertIn(dialog, 'Someone else changed this while you were editing');
  await expect(alert.getByRole('listitem')).toHaveText([
    'Items: Green tea × 2, Чашка × 4, Teapot × 1',
    'Promo code: THEIRS',
  ]);
  await expect(line('Green tea').getByLabel('Quantity')).toHaveValue('5');
  await expect(line('Green tea').getByLabel('Discount')).toHaveValue('10');
  await expect(line('Чашка').getByLabel('Quantity')).toHaveValue('4');
  await expect(line('Teapot')).toBeVisible();
  await expect(dialog.getByLabel('Promo code')).toHaveValue('THEIRS');
  expect((await read()).items[0].quantity).toBe(2);
  await save();
  await expect(dialog).toHaveCount(0);
  const saved = await read();
  expect(saved).toMatchObject({ promoCode: 'THEIRS', totalAmount: 5 * 15_000 - 1_000 + 4 * 49_900 + 200_000 - 1 });
  expect(saved.items.map(({ quantity }: { quantity: number }) => quantity)).toEqual([5, 4, 1]);
});

test('a line that another person removed stays removed, unless it was edited here', async ({ page, service, shop }) => {
  const { order, read, change, dialog, edit, save, line } = await openOrder(page, service, shop.storeId);
  await edit();
  await line('Чашка').getByLabel('Quantity').fill('2');
  await change({ items: [{ sku: 'POT-1', quantity: 1 }] });
  await save();
  await expect(alertIn(dialog, 'Items: Teapot × 1')).toBeVisible();
  await expect(line('Green tea')).toHaveCount(0);
  await save();
  await expect(dialog).toHaveCount(0);
  const { items } = await read();
  expect(items.map(({ name, quantity }: { name: string; quantity: number }) => [name, quantity])).toEqual([
    ['Чашка', 2],
    ['Teapot', 1],
  ]);
  expect(items[0].id).not.toBe(order.items[1].id);
});

test('unsaved changes are not lost by Escape; all by keyboard', async ({ page, service, shop }) => {
  const { read, dialog, line, total } = await openOrder(page, service, shop.storeId);
  const button = page.getByRole('button', { name: 'Edit items and amounts' });
  await button.press('Enter');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button).toBeFocused();

  await page.keyboard.press('Enter');
  await line('Green tea').getByLabel('Quantity').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('7');
  await expect(total).toContainText('1,549.00');
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(line('Green tea').getByLabel('Quantity')).toHaveValue('7');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toHaveCount(0);
  expect((await read()).items[0].quantity).toBe(2);

  await button.press('Enter');
  await expect(line('Green tea').getByLabel('Quantity')).toHaveValue('2');
  await line('Green tea').getByLabel('Quantity').fill('7');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  expect((await read()).items[0].quantity).toBe(7);
});

test('an order without items and a disabled delivery method are handled', async ({ page, service, shop }) => {
  const { read, change, dialog, edit, save, line } = await openOrder(page, service, shop.storeId);
  const choices = await (await page.request.get(`/console/api/stores/${shop.storeId}/orders/choices`)).json();
  const pickup = choices.deliveryTypes.find(({ code }: { code: string }) => code === 'pickup');
  await change({ delivery: { typeId: pickup.id } });
  await service.db.run(
    sql`update store_delivery_types set is_active = false
        where store_id = ${shop.storeId} and delivery_type_id = ${pickup.id}`,
  );
  await page.reload();
  await edit();
  await expect(dialog.getByRole('combobox', { name: 'Delivery method' })).toHaveValue(pickup.name);
  for (const name of ['Green tea', 'Чашка'])
    await line(name)
      .getByRole('button', { name: `Remove ${name}` })
      .click();
  await save();
  await expect(dialog.getByText('Add at least one product.')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Add a product' }).fill('POT');
  await page.getByRole('option', { name: /Teapot/ }).click();
  await save();
  await expect(dialog).toHaveCount(0);
  expect(await read()).toMatchObject({ totalAmount: 200_000, delivery: { typeId: pickup.id, type: pickup.name } });
});

test('fits a narrow phone in Russian', async ({ page, service, shop }) => {
  await page.addInitScript(() => localStorage.setItem('store-sales-language', 'ru'));
  await page.setViewportSize({ width: 320, height: 640 });
  await openOrder(page, service, shop.storeId);
  await page.getByRole('button', { name: 'Изменить товары и суммы' }).click();
  const dialog = page.getByRole('dialog', { name: 'Изменить товары и суммы' });
  await dialog.getByLabel('Скидка на заказ').fill('9999');
  await expect(dialog.getByText('Итог не может быть меньше нуля: уменьшите скидки.')).toBeVisible();
  const clipped = await dialog.evaluate((element) =>
    [element, ...element.querySelectorAll('*')]
      .filter((one) => {
        const { overflowX } = getComputedStyle(one);
        return one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 && overflowX !== 'visible';
      })
      .map((one) => one.outerHTML.slice(0, 200)),
  );
  expect(clipped).toEqual([]);
  await expectAccessible(page);
});
