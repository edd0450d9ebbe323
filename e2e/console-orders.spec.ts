import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { sql } from '@store-sales/server/db/sql';
import { alertIn, expect, expectAccessible, expectNotification, test } from './fixtures.ts';
import type { Service } from './service.ts';

const products = [
  { sku: 'TEA-1', name: 'Green tea', price: 15_000 },
  { sku: 'CUP-1', name: 'Чашка', price: 49_900 },
];

async function addProducts(service: Service, storeId: string) {
  for (const each of products) await service.product(storeId, each);
}

/** Adds products, and creates orders through the console API, oldest first. */
async function createOrders(page: Page, service: Service, storeId: string, orders: object[] = []) {
  await addProducts(service, storeId);
  const api = `/console/api/stores/${storeId}/orders`;
  const headers = { origin: service.url };
  const created: { id: string; number: number }[] = [];
  for (const order of orders) {
    const data = { items: [{ sku: 'TEA-1', quantity: 2 }], ...order };
    created.push((await (await page.request.post(api, { headers, data })).json()).order);
  }
  const change = (index: number, data: object) =>
    page.request
      .patch(`${api}/${created[index]?.id}`, { headers, data })
      .then((response) => expect(response.ok()).toBe(true));
  return { created, change, path: `/console/stores/${storeId}/orders` };
}

const people = [
  { customer: { name: 'Анна Ким', phone: '8 916 000-00-01' }, externalId: 'WEB-1' },
  { customer: { name: 'Bob Brown', phone: '+44 20 7946 0000' }, externalId: 'WEB-2' },
  { customer: { name: 'Carl' } },
];

test.describe('the table of orders', () => {
  test('is filtered and searched, with the filters in the URL', async ({ page, service, shop }) => {
    await page.getByRole('link', { name: 'Orders' }).click();
    await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible();
    await expectAccessible(page);

    const { change } = await createOrders(page, service, shop.storeId, people);
    await change(1, { paymentStatus: 'paid' });
    await page.reload();
    const rows = page.getByRole('table', { name: 'Orders' }).getByRole('row');
    await expect(rows).toHaveText([/Order/, /#3.*Carl/, /#2.*Bob Brown.*New.*Paid.*Manual.*300\.00/, /#1.*Анна Ким/]);
    await expectAccessible(page);

    await page.getByRole('combobox', { name: 'Payment' }).click();
    await page.getByRole('option', { name: 'Paid', exact: true }).click();
    await expect(rows).toHaveCount(2);
    await expect(page).toHaveURL(/payment=paid/);
    await page.reload();
    await expect(rows).toHaveText([/Order/, /#2/]);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(rows).toHaveCount(4);

    const search = page.getByRole('searchbox', { name: 'Search' });
    for (const [text, found] of [
      ['анна', /#1/],
      ['8916000', /#1/],
      ['WEB-2', /#2/],
      ['3', /#3/],
    ] as const) {
      await search.fill(text);
      await expect(rows).toHaveText([/Order/, found]);
    }
    await search.fill('nobody');
    await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
    await expectAccessible(page);
    await search.fill('bob');
    await expect(rows).toHaveText([/Order/, /#2/]);

    await rows.nth(1).click();
    await expect(page.getByRole('heading', { name: 'Order #2', level: 1 })).toBeVisible();
    await page.getByRole('link', { name: 'All orders' }).click();
    await expect(search).toHaveValue('bob');
    await expect(rows).toHaveText([/Order/, /#2/]);

    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'one row per order' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('Bob Brown');
  });

  test('has pages, and the URL of a page can be shared', async ({ page, service, shop }) => {
    const { path } = await createOrders(
      page,
      service,
      shop.storeId,
      Array.from({ length: 51 }, () => ({})),
    );
    await page.goto(path);
    const first = page.getByRole('table').getByRole('row').nth(1);
    await expect(first).toContainText('#51');
    await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled();
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(first).toContainText('#1');
    await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled();
    const shared = await page.context().newPage();
    await shared.goto(page.url());
    await expect(shared.getByRole('table').getByRole('row').nth(1)).toContainText('#1');
    await page.reload();
    await page.getByRole('button', { name: 'Previous' }).click();
    await expect(first).toContainText('#51');
    await expect(page).toHaveURL(path);
  });

  test('is a list of cards on a phone', async ({ page, service, shop }) => {
    const { path } = await createOrders(page, service, shop.storeId, people);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(path);
    const card = page.getByRole('article', { name: '#2' });
    await expect(card).toContainText('Bob Brown');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Source' }).click();
    await page.getByRole('option', { name: 'Website' }).click();
    await expect(card).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Filters (1)' })).toBeVisible();
    await expectAccessible(page);
  });
});

test('an order is edited, also after a conflicting change', async ({ page, service, shop }) => {
  const { created, change, path } = await createOrders(page, service, shop.storeId, people);
  await page.goto(`${path}/${created[0]?.id}`);
  await expect(page.getByRole('heading', { name: 'Order #1', level: 1 })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Packing' }).click();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await expect(timeline).toContainText('Status: New → Packing');
  await expect(timeline.getByRole('listitem').first()).toContainText('Anna Ivanova');
  await page.getByRole('combobox', { name: 'Payment' }).click();
  await page.getByRole('option', { name: 'Paid', exact: true }).click();
  await expect(timeline).toContainText('Payment: Unpaid → Paid');

  await page.getByRole('button', { name: 'Edit notes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Notes').fill('Call first');
  await expectAccessible(page);
  await change(0, { customer: { name: 'Анна К.' } });
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(alertIn(dialog, 'Someone else changed this while you were editing')).toBeVisible();
  await expect(dialog.getByLabel('Notes')).toHaveValue('Call first');
  await expect(dialog.getByRole('listitem')).toHaveText(['Name: Анна К.']);
  await expect(page.getByRole('region', { name: 'Customer' })).toContainText('Анна К.');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Notes' })).toContainText('Call first');

  await page.getByRole('button', { name: 'Edit delivery address' }).click();
  await dialog.getByLabel('City').fill('Tver');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Delivery' })).toContainText('Tver');
  for (const edit of ['Customer changed', 'Notes changed', 'Delivery address changed'])
    await expect(timeline.getByRole('listitem').filter({ hasText: edit })).toContainText('Anna Ivanova');
  await page.goto(`${path}/${shop.storeId}`);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});

test('an order is created manually, with live totals', async ({ page, service, shop }) => {
  const { path } = await createOrders(page, service, shop.storeId);
  await page.goto(path);
  await page.getByRole('link', { name: 'New order' }).click();
  await page.getByRole('button', { name: 'Create order' }).click();
  await expect(page.getByText('Add at least one product.')).toBeVisible();
  await expectAccessible(page);

  const add = page.getByRole('combobox', { name: 'Add a product' });
  await add.fill('чаш');
  await expect(page.getByRole('option')).toHaveText([/Чашка CUP-1/]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const cup = page.getByRole('group', { name: 'Чашка' });
  await cup.getByLabel('Quantity').fill('3');
  await add.fill('TEA');
  await page.getByRole('option', { name: /Green tea/ }).click();
  const total = page.getByTestId('total');
  await expect(total).toContainText('1,647.00');
  await cup.getByLabel('Discount').fill('2000');
  await page.getByLabel('Delivery cost').fill('250.5');
  await page.getByRole('button', { name: 'Create order' }).click();
  await expect(cup).toContainText('The discount cannot exceed the amount.');
  await cup.getByLabel('Discount').fill('97.5');
  await expect(total).toContainText('1,800.00');
  await expectAccessible(page);

  await page.getByLabel('Name').fill('Анна');
  await page.getByLabel('Phone').fill('8 916 000-00-01');
  await page.getByRole('combobox', { name: 'Payment method' }).click();
  await page.getByRole('option').first().click();
  const setActive = (isActive: boolean) =>
    service.db.run(sql`update products set is_active = ${isActive} where store_id = ${shop.storeId} and sku = 'TEA-1'`);
  await setActive(false);
  await page.getByRole('button', { name: 'Create order' }).click();
  await expect(page.getByRole('group', { name: 'Green tea' })).toContainText('This item is inactive.');
  await setActive(true);
  await page.getByRole('button', { name: 'Create order' }).click();
  await expect(page.getByRole('heading', { name: 'Order #1', level: 1 })).toBeVisible();
  await expect(total).toContainText('1,800.00');
  await expect(page.getByText('Manual')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Anna Ivanova');
});

test('board cards are moved with the mouse and the keyboard', async ({ page, service, shop }) => {
  const { path } = await createOrders(page, service, shop.storeId, people);
  await page.goto(path);
  await page.getByText('Board').click();
  const column = (name: string) => page.getByRole('region', { name, exact: true });
  const cards = (name: string) => column(name).getByRole('listitem');
  await expect(cards('New')).toHaveText([/#3/, /#2/, /#1/]);
  await expectAccessible(page);

  await expectNotification(page, 'Order #2: Packing', () => cards('New').nth(1).dragTo(column('Packing')));
  await expect(cards('Packing')).toHaveText([/#2/]);

  const menu = page.getByRole('button', { name: 'Move order #3' });
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Completed' }).focus();
  await expectNotification(page, 'Order #3: Completed', () => page.keyboard.press('Enter'));
  await expect(cards('Completed')).toHaveText([/#3/]);
  await page.reload();
  await expect(cards('New')).toHaveText([/#1/]);
  await expect(cards('Packing')).toHaveText([/#2/]);
  await expect(cards('Completed')).toHaveText([/#3/]);
});

test('board columns are equally wide, whatever the names', async ({ page, service, shop }) => {
  const { path } = await createOrders(page, service, shop.storeId, [{ customer: { name: 'N'.repeat(200) } }]);
  await page.goto(`${path}/board`);
  await expect(page.getByRole('button', { name: 'Move order #1' })).toBeVisible();
  const widths = await page
    .getByRole('region', { name: 'Board' })
    .locator('section')
    .evaluateAll((columns) => columns.map((column) => Math.round(column.getBoundingClientRect().width)));
  expect(widths.length).toBeGreaterThan(2);
  expect(new Set(widths).size).toBe(1);
});

test('system statuses are shown in the console language', async ({ page, service, shop }) => {
  const { created, change, path } = await createOrders(page, service, shop.storeId, people);
  await change(0, { status: 'packing', paymentStatus: 'partially_paid' });
  await page.evaluate(() => localStorage.setItem('store-sales-language', 'ru'));
  await page.goto(path);
  const rows = page.getByRole('table', { name: 'Заказы' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('Новый');
  await expect(rows.nth(3)).toContainText('Собирается');
  await expect(rows.nth(3)).toContainText('Частично оплачен');
  await page.getByRole('combobox', { name: 'Оплата' }).click();
  await expect(page.getByRole('option', { name: 'Деньги возвращены' })).toBeVisible();

  await page.goto(`${path}/${created[0]?.id}`);
  await expect(page.getByRole('combobox', { name: 'Статус' })).toHaveValue('Собирается');
  await expect(page.getByRole('region', { name: 'История' })).toContainText('Статус: Новый → Собирается');
  await page.goto(`/console/stores/${shop.storeId}`);
  await expect(page.getByRole('region', { name: 'Заказы по статусам' })).toContainText('Собирается');

  const references = `/console/stores/${shop.storeId}/references`;
  await page.goto(`${references}/order-statuses`);
  await expect(page.getByRole('listitem', { name: 'Доставляется' })).toBeVisible();
  await page.goto(`${references}/payment-statuses`);
  await page.getByRole('button', { name: 'Ещё: Частично оплачен' }).click();
  await page.getByRole('menuitem', { name: 'Отключить' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading')).toContainText('Отключить «Частично оплачен»?');
  await expect(dialog).toContainText('Они сразу перейдут в статус «Не оплачен»');
});
