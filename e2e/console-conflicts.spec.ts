import type { Page } from '@playwright/test';
import { alertIn, expect, expectAccessible, expectNotification, test, withoutChanges } from './fixtures.ts';
import { anna, dialogOf, prepare, refresh, save } from './resilience.ts';

test.describe('two tabs', () => {
  test("a conflict keeps the other one's change, and only what was typed here is saved", async ({
    page,
    service,
    shop,
  }) => {
    const { ids, read, path } = await prepare(page, service, shop.storeId, [anna]);
    const other = await page.context().newPage();
    for (const tab of [page, other]) {
      await tab.goto(`${path}/orders/${ids[0]}`);
      await tab.getByRole('button', { name: 'Edit customer' }).click();
    }
    await page.getByLabel('Phone').fill('+7 916 000-00-02');
    await other.getByLabel('Name').fill('Bella');
    await save(other).click();
    await expect(other.getByRole('dialog')).toHaveCount(0);

    await save(page).click();
    const dialog = dialogOf(page, 'Edit customer');
    await expect(alertIn(dialog, 'Someone else changed this while you were editing')).toBeVisible();
    await expect(dialog.getByRole('listitem')).toHaveText(['Name: Bella']);
    await expect(dialog.getByLabel('Name')).toHaveValue('Bella');
    await expect(dialog.getByLabel('Phone')).toHaveValue('+7 916 000-00-02');
    await expectAccessible(page);
    await save(page).click();
    await expect(dialog).toHaveCount(0);
    expect((await read(0)).customer).toMatchObject({ name: 'Bella', phone: '+7 916 000-00-02' });
  });

  test('a field changed by both shows both values, and saving again decides', async ({ page, service, shop }) => {
    const { ids, read, change, path } = await prepare(page, service, shop.storeId, [anna]);
    await page.goto(`${path}/orders/${ids[0]}`);
    await page.getByRole('button', { name: 'Edit customer' }).click();
    await page.getByLabel('Phone').fill('+7 916 000-00-02');
    await change(0, { customer: { phone: '+7 916 000-00-03' }, status: 'packing' });
    // The page behind the dialog is refreshed; the form still belongs to the version that it was opened with.
    await refresh(page);
    await expect(page.getByRole('combobox', { name: 'Status', includeHidden: true })).toHaveValue('Packing');
    await save(page).click();
    const dialog = dialogOf(page, 'Edit customer');
    await expect(dialog.getByRole('listitem')).toHaveText([
      'Phone: +7 916 000-00-03 (you entered: +7 916 000-00-02)',
      'Status: Packing',
    ]);
    await expect(dialog.getByLabel('Phone')).toHaveValue('+7 916 000-00-02');
    await save(page).click();
    await expect(dialog).toHaveCount(0);
    expect(await read(0)).toMatchObject({ customer: { phone: '+7 916 000-00-02' }, status: { code: 'packing' } });
  });

  test('a product that someone else changed is saved with the changes of both', async ({ page, service, shop }) => {
    const { path, api } = await prepare(page, service, shop.storeId);
    await page.goto(`${path}/catalog/products`);
    await page.getByRole('button', { name: 'Green tea' }).click();
    const drawer = dialogOf(page, 'Edit product');
    await drawer.getByLabel('Name').fill('Black tea');
    const { data } = await (await page.request.get(`${api}/products`)).json();
    const headers = { origin: service.url };
    await page.request.patch(`${api}/products/${data[0].id}`, { headers, data: { price: 20_000 } });
    // A refresh in the background does not touch what was typed.
    await refresh(page);
    await save(page).click();
    await expect(alertIn(drawer, 'Price: 200')).toBeVisible();
    await expect(drawer.getByLabel('Name')).toHaveValue('Black tea');
    await expectAccessible(page);
    await save(page).click();
    await expect(drawer).toHaveCount(0);
    const product = await (await page.request.get(`${api}/products/${data[0].id}`)).json();
    expect(product).toMatchObject({ name: 'Black tea', price: 20_000 });
  });

  test('a card that someone else changed is not moved on the board', async ({ page, service, shop }) => {
    const { read, change, path } = await prepare(page, service, shop.storeId, [anna]);
    await withoutChanges(page);
    await page.goto(`${path}/orders/board`);
    const move = async (to: string) => {
      await page.getByRole('button', { name: 'Move order #1' }).click();
      await page.getByRole('menuitem', { name: to }).click();
    };
    await expect(page.getByRole('button', { name: 'Move order #1' })).toBeVisible();
    // Every column has been read.
    await page.waitForLoadState('networkidle');
    await change(0, { status: 'cancelled' });
    await expectNotification(page, 'Order #1 was not moved because someone else changed it.', () => move('Packing'));
    await expect(page.getByRole('region', { name: 'Cancelled' }).getByRole('listitem')).toHaveText([/#1/]);
    expect((await read(0)).status.code).toBe('cancelled');
    // Two moves one right after the other are no conflict.
    await move('Packing');
    await expectNotification(page, 'Order #1: Completed', () => move('Completed'));
    expect((await read(0)).status.code).toBe('completed');
  });

  const records = [
    {
      list: 'payment-statuses',
      first: { name: 'Deposit' },
      theirs: { color: '#112233' },
      told: 'Color: #112233',
      open: async (page: Page) => {
        await page.getByRole('button', { name: 'More: Deposit' }).click();
        await page.getByRole('menuitem', { name: 'Edit' }).click();
      },
    },
    {
      list: 'order-statuses',
      first: { group: 'packing', name: 'Deposit' },
      theirs: { name: 'Gift wrap' },
      told: 'Name: Gift wrap (you entered: Mine)',
      open: async (page: Page) => {
        await page.getByRole('button', { name: 'More: Deposit' }).click();
        await page.getByRole('menuitem', { name: 'Rename' }).click();
      },
    },
    {
      list: 'delivery-types',
      first: { name: 'Deposit', kind: 'courier' },
      theirs: { kind: 'pickup' },
      told: 'Type: Pickup',
      open: (page: Page) => page.getByRole('button', { name: 'Edit Deposit' }).click(),
    },
    {
      list: 'warehouses',
      first: { name: 'Deposit' },
      theirs: { city: 'Kazan' },
      told: 'City: Kazan',
      open: (page: Page) => page.getByRole('button', { name: 'Edit Deposit' }).click(),
    },
  ];
  for (const { list, first, theirs, told, open } of records)
    test(`${list}: a record that someone else changed is saved with the changes of both`, async ({
      page,
      service,
      shop,
    }) => {
      const api = `/console/api/stores/${shop.storeId}/${list}`;
      const headers = { origin: service.url };
      const { id } = await (await page.request.post(api, { headers, data: first })).json();
      await page.goto(`/console/stores/${shop.storeId}/references/${list}`);
      await open(page);
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Mine');
      expect((await page.request.patch(`${api}/${id}`, { headers, data: theirs })).ok()).toBe(true);
      await save(page).click();
      await expect(dialog.getByRole('alert', { name: 'Someone else changed this' })).toBeVisible();
      await expect(dialog.getByRole('listitem')).toHaveText([told]);
      await expect(dialog.getByLabel('Name')).toHaveValue('Mine');
      await expectAccessible(page);
      await save(page).click();
      await expect(dialog).toHaveCount(0);
      const saved = (await (await page.request.get(api)).json()).find((record: { id: string }) => record.id === id);
      expect(saved).toMatchObject({ ...theirs, name: 'Mine' });
    });

  test('a category that someone else moved stays there when it is renamed here', async ({ page, service, shop }) => {
    const api = `/console/api/stores/${shop.storeId}/categories`;
    const headers = { origin: service.url };
    for (const name of ['Tea', 'Drinks']) await page.request.post(api, { headers, data: { name } });
    const [tea, drinks] = await (await page.request.get(api)).json();
    await page.goto(`/console/stores/${shop.storeId}/catalog/categories`);
    await page.getByRole('button', { name: 'More: Tea' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Green tea');
    await page.request.patch(`${api}/${tea.id}`, { headers, data: { parentId: drinks.id } });
    await save(page).click();
    await expect(dialog.getByRole('listitem')).toHaveText(['Parent category: Drinks']);
    await save(page).click();
    await expect(dialog).toHaveCount(0);
    const saved = (await (await page.request.get(api)).json()).find(({ id }: { id: string }) => id === tea.id);
    expect(saved).toMatchObject({ name: 'Green tea', parentId: drinks.id });
  });
});

test('settings of the order page do not reopen a page that someone else has closed', async ({
  page,
  service,
  shop,
}) => {
  const api = `/console/api/stores/${shop.storeId}/shop`;
  const { url: _url, etag: _etag, ...settings } = await (await page.request.get(api)).json();
  const [courier] = settings.delivery;
  const change = async (changed: object) => {
    const offered = { delivery: [{ typeId: courier.typeId, cost: 5000 }], payments: [] };
    const data = { ...settings, ...offered, slug: 'open-or-closed', ...changed };
    expect((await page.request.put(api, { headers: { origin: service.url }, data })).ok()).toBe(true);
  };
  await change({ isEnabled: true });
  await page.goto(`/console/stores/${shop.storeId}/settings/shop`);
  const title = page.getByLabel('Title');
  await title.fill('Teas');
  await change({ isEnabled: false, delivery: [{ typeId: courier.typeId, cost: 7000 }] });
  await save(page).click();
  const alert = alertIn(page, 'Someone else changed this while you were editing');
  await expect(alert.getByRole('listitem')).toHaveText(['The page is open: no', `Cost of ${courier.name}: 70`]);
  await expect(page.getByRole('switch', { name: 'The page is open' })).not.toBeChecked();
  await expect(title).toHaveValue('Teas');
  await expectAccessible(page);
  await save(page).click();
  await expect(alert).toHaveCount(0);
  const saved = await (await page.request.get(api)).json();
  expect(saved).toMatchObject({ isEnabled: false, title: 'Teas' });
  expect(saved.delivery[0]).toMatchObject({ isOffered: true, cost: 7000 });
  // The form goes on with the version that it has saved.
  await title.fill('More teas');
  await expectNotification(page, 'Saved', () => save(page).click());
});
