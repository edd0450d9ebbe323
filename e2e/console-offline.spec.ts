import { alertIn, expect, expectAccessible, test } from './fixtures.ts';
import { anna, dialogOf, notes, prepare, save } from './resilience.ts';

test.describe('without a connection', () => {
  test('saving says so and can be tried again', async ({ page, context, service, shop }) => {
    const { ids, read, path } = await prepare(page, service, shop.storeId, [anna]);
    await page.goto(`${path}/orders/${ids[0]}`);
    await page.getByRole('button', { name: 'Edit notes' }).click();
    await notes(page).fill('Call first');
    await context.setOffline(true);
    await save(page).click();
    await expect(alertIn(page.getByRole('dialog'), 'Could not reach the server.')).toBeVisible();
    await expectAccessible(page);
    await context.setOffline(false);
    await save(page).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect((await read(0)).notes).toBe('Call first');
  });

  test('a call without a response ends with an error', async ({ page, service, shop }) => {
    const { ids, path } = await prepare(page, service, shop.storeId, [anna]);
    await page.clock.install();
    await page.goto(`${path}/orders/${ids[0]}`);
    await page.getByRole('button', { name: 'Edit notes' }).click();
    await notes(page).fill('Call first');
    let arrived = () => {};
    const request = new Promise<void>((done) => {
      arrived = done;
    });
    await page.route(/\/orders\//, (route) => (route.request().method() === 'PATCH' ? arrived() : route.continue()));
    await save(page).click();
    await request;
    await page.clock.fastForward(31_000);
    await expect(alertIn(page.getByRole('dialog'), 'The server did not respond in time.')).toBeVisible();
    await page.unroute(/\/orders\//);
    await save(page).click();
    await expect(page.getByRole('region', { name: 'Notes' })).toContainText('Call first');
  });

  test('a section that was not loaded keeps the application and opens by itself', async ({
    page,
    context,
    service,
    shop,
  }) => {
    const { path } = await prepare(page, service, shop.storeId, [anna]);
    await page.goto(`${path}/orders`);
    await expect(page.getByRole('table')).toContainText('#1');
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Customers' }).click();
    await expect(page.getByText('This page could not be loaded.')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Orders' }).click();
    await expect(page.getByRole('table')).toContainText('#1');
    await page.getByRole('link', { name: 'Customers' }).click();
    await expect(page.getByText('This page could not be loaded.')).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByRole('table')).toContainText('Anna');
  });

  test('a dialog that is loaded when it opens says so, and opens later', async ({ page, context, service, shop }) => {
    const { ids, path } = await prepare(page, service, shop.storeId, [anna]);
    await page.goto(`${path}/orders/${ids[0]}`);
    const edit = page.getByRole('button', { name: 'Edit customer' });
    await expect(edit).toBeVisible();
    await context.setOffline(true);
    await edit.click();
    await expect(page.getByText('This could not be opened. Check your connection and try again.')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByText('Anna').first()).toBeVisible();
    await context.setOffline(false);
    await edit.click();
    const dialog = dialogOf(page, 'Edit customer');
    await dialog.getByLabel('Name').fill('Bella');
    await save(page).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText('Bella').first()).toBeVisible();
  });

  test('a list recovers by itself', async ({ page, service, shop }) => {
    const { path } = await prepare(page, service, shop.storeId, [anna]);
    await page.goto(`${path}/orders`);
    await expect(page.getByRole('table')).toContainText('#1');
    // The server is down, while the browser believes to be online.
    await page.route(/\/console\/api\//, (route) => route.abort('connectionrefused'));
    await page.getByRole('searchbox', { name: 'Search' }).fill('anna');
    await expect(page.getByText('Could not reach the server.')).toBeVisible();
    await page.unroute(/\/console\/api\//);
    await expect(page.getByRole('table')).toContainText('#1');
    await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('anna');
  });

  test('a first load that waits for the server shows that it does', async ({ page, shop }) => {
    let respond = () => {};
    const held = new Promise<void>((done) => {
      respond = done;
    });
    await page.route('**/console/api/stores', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`/console/stores/${shop.storeId}/settings/api-keys`);
    await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
    respond();
    await expect(page.getByRole('heading', { name: 'API keys', level: 1 })).toBeVisible();
  });
});
