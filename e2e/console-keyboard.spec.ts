import { expect, expectAccessible, test } from './fixtures.ts';

test('shortcuts: / searches, n starts an order, ? lists them; not while typing', async ({ page, shop }) => {
  await page.goto(`/console/stores/${shop.storeId}/orders`);
  const search = page.getByRole('searchbox', { name: 'Search' });
  await expect(search).toBeVisible();
  await page.keyboard.press('/');
  await expect(search).toBeFocused();
  await page.keyboard.type('n?/');
  await expect(search).toHaveValue('n?/');

  await page.getByRole('heading', { name: 'Orders', level: 1 }).click();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('n');
  await expect(page.getByRole('heading', { name: 'New order', level: 1 })).toBeVisible();
});

test('the first invalid field gets the focus', async ({ page, shop }) => {
  await page.goto(`/console/stores/${shop.storeId}/settings/api-keys`);
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
});

test('phones and e-mails of an order are links', async ({ service, page, shop }) => {
  const { id } = await service.order(shop.storeId, 'Tea', 1, 1000);
  const { secret } = await service.key(shop.storeId, 'Site');
  const changed = await fetch(`${service.url}/api/v1/orders/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ customer: { name: 'Eve', phone: '+7 (900) 123-45-67', email: 'a@b.c?bcc=x' } }),
  });
  expect(changed.status).toBe(200);
  await page.goto(`/console/stores/${shop.storeId}/orders/${id}`);
  await expect(page.getByRole('link', { name: '+7 (900) 123-45-67' })).toHaveAttribute('href', 'tel:+79001234567');
  // What a customer typed cannot add a recipient.
  await expect(page.getByRole('link', { name: 'a@b.c' })).toHaveAttribute('href', 'mailto:a%40b.c%3Fbcc%3Dx');
});
