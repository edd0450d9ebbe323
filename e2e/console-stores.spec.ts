import { sql } from '@store-sales/server/db/sql';
import { expect, signIn, test } from './fixtures.ts';

test.describe('in another time zone than the store', () => {
  test.use({ timezoneId: 'Asia/Tokyo' });

  test('all times are the store’s, and its zone is named', async ({ service, page }) => {
    const { id, email } = await service.owner();
    const store = await service.store(id);
    const { id: orderId } = await service.order(store.id, 'Tea', 1, 1000);
    await signIn(page, email);
    await expect(page.getByText('Times are in Europe/Moscow')).toBeVisible();

    const moscow = (at: string) =>
      new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Europe/Moscow' }).format(
        new Date(at),
      );
    await page.goto(`/console/stores/${store.id}/orders/${orderId}`);
    await expect(page.getByText(/\(Europe\/Moscow\)/)).toBeVisible();
    // The history of settings, keys and webhooks has the same zone as the orders.
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.goto(`/console/stores/${store.id}/settings/store`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await saved;
    const history = page.waitForResponse((response) => /\/console\/api\/.*\/history/.test(response.url()));
    await page.goto(`/console/stores/${store.id}/history`);
    const { entries } = await (await history).json();
    await expect(page.getByText(moscow(entries[0].at)).first()).toBeVisible();
  });
});

test('a second store starts with the first one’s currency and zone, and switching keeps the section', async ({
  service,
  page,
}) => {
  const { id, email } = await service.owner();
  const first = await service.store(id);
  await service.db.run(sql`update stores set currency = 'KZT', timezone = 'Asia/Almaty' where id = ${first.id}`);
  await signIn(page, email);
  await page.getByRole('button', { name: /^Switch store/ }).click();
  await page.getByRole('menuitem', { name: 'Create store' }).click();
  await expect(page.getByRole('combobox', { name: 'Currency' })).toHaveValue(/KZT/);
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Asia/Almaty');
  await page.getByRole('textbox', { name: 'Name' }).fill('Second');
  await page.getByRole('button', { name: 'Create store' }).click();
  await expect(page.getByRole('button', { name: 'Switch store: Second' })).toBeVisible();

  await page.getByRole('link', { name: 'Order settings' }).click();
  await page.getByRole('link', { name: 'Warehouses' }).click();
  await page.getByRole('button', { name: /^Switch store/ }).click();
  await page.getByRole('menuitem', { name: new RegExp(first.name) }).click();
  await expect(page).toHaveURL(`/console/stores/${first.id}/references/warehouses`);

  const { id: orderId } = await service.order(first.id, 'Tea', 1, 1000);
  await page.goto(`/console/stores/${first.id}/orders/${orderId}`);
  await page.getByRole('button', { name: /^Switch store/ }).click();
  await page.getByRole('menuitem', { name: /Second/ }).click();
  await expect(page).toHaveURL(/\/stores\/[^/]+\/orders$/);
});
