import { alertIn, expect, expectNotification, test } from './fixtures.ts';

test('new orders and changes by others appear by themselves, and what was typed stays', async ({
  page,
  service,
  shop: { storeId },
}) => {
  const first = await service.order(storeId, 'Green tea', 2, 1000);
  const path = `/console/stores/${storeId}/orders`;
  const isConnected = page.waitForResponse('**/changes');
  await page.goto(path);
  await isConnected;
  const rows = page.getByRole('table', { name: 'Orders' }).getByRole('row');
  await expect(rows).toHaveCount(2);

  await expectNotification(page, 'New orders: 1', () => service.order(storeId, 'Green tea', 1, 1000));
  await expect(rows).toHaveCount(3);

  await page.goto(`${path}/${first.id}`);
  await page.getByRole('button', { name: 'Edit customer' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Anna');
  const headers = { origin: service.url };
  const data = { status: 'completed' };
  await page.request.patch(`/console/api/stores/${storeId}/orders/${first.id}`, { headers, data });
  await expect(page.getByRole('main').getByText('Completed').first()).toBeVisible();
  await expect(dialog.getByLabel('Name')).toHaveValue('Anna');
});

test('a notice can be closed while a dialog is open, and stays when the dialog is closed', async ({
  page,
  service,
  shop: { storeId },
}) => {
  const { id } = await service.order(storeId, 'Green tea', 2, 1000);
  await page.clock.install();
  const isConnected = page.waitForResponse('**/changes');
  await page.goto(`/console/stores/${storeId}/orders/${id}`);
  await isConnected;
  await page.getByRole('button', { name: 'Edit customer' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name')).toBeVisible();
  const notice = alertIn(page, 'New orders: 1');
  await page.clock.pauseAt(Date.now() + 60_000);
  await service.order(storeId, 'Green tea', 1, 1000);
  await notice.getByRole('button', { name: 'Close' }).click();
  await expect(notice).toHaveCount(0);
  await expect(dialog).toBeVisible();

  await service.order(storeId, 'Green tea', 1, 1000);
  await notice.hover();
  await page.clock.runFor(10_000);
  await expect(notice).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(notice).toBeVisible();
  await page.mouse.move(0, 0);
  await page.clock.runFor(10_000);
  await expect(notice).toHaveCount(0);
});
