import { expect, expectAccessible, holdRequests, test } from './fixtures.ts';

test('Ctrl+K finds orders, products, customers and pages by keyboard alone', async ({ page, service, shop }) => {
  const api = `/console/api/stores/${shop.storeId}`;
  const post = async (path: string, data: object) => {
    const response = await page.request.post(`${api}${path}`, { data, headers: { origin: service.url } });
    expect(response.status()).toBe(201);
    return response.json();
  };
  const { id: productId } = await post('/products', { name: 'Jasmine pearls', sku: 'JP-7', price: 90_000 });
  const customer = { name: 'Anna Kim', phone: '+7 916 123-45-67', email: 'anna@example.com' };
  const { order } = await post('/orders', { items: [{ productId, quantity: 2 }], customer });

  await page.goto(`/console/stores/${shop.storeId}/orders`);
  const listSearch = page.getByRole('searchbox', { name: 'Search' });
  await listSearch.focus();
  const palette = page.getByRole('dialog', { name: 'Find anything' });
  const field = palette.getByRole('combobox', { name: 'Find anything' });
  const option = (name: RegExp) => palette.getByRole('option', { name });

  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await expect(option(/^Webhooks/)).toBeVisible();
  await page.keyboard.type('123-45');
  await expect(option(/#1 · Anna Kim.*New · ₽1,800\.00/)).toBeVisible();
  await expect(option(/^Anna Kim.*916 123-45-67/)).toBeVisible();
  await expect(palette.getByRole('option')).toHaveCount(2);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(palette).toHaveCount(0);
  await expect(listSearch).toBeFocused();

  await page.keyboard.press('Meta+k');
  await field.fill('jasmine');
  await expect(option(/Jasmine pearls.*JP-7/)).toBeVisible();
  await expect(option(/#1 · Anna Kim/)).toHaveAttribute('aria-selected', 'true');
  await expect(field).toHaveAttribute('aria-activedescendant', /.+/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /1/, level: 1 })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/orders/${order.id}$`));

  await page.keyboard.press('Control+k');
  await field.fill('anna');
  await expect(option(/^Anna Kim/)).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Anna Kim', level: 1 })).toBeVisible();

  await page.getByRole('button', { name: 'Find anything' }).click();
  await field.fill('nothing like this');
  await expect(palette.getByText('Nothing found for “nothing like this”.')).toBeVisible();
  await field.fill('statuses pay');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/references\/payment-statuses$/);

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog').getByText('Find anything')).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(palette).toHaveCount(0);
  await page.keyboard.press('Escape');

  // On a phone the button is in the header.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('banner').getByRole('button', { name: 'Find anything' }).click();
  await field.fill('JP-7');
  await option(/Jasmine pearls/).click();
  await expect(page.getByRole('dialog', { name: /Jasmine pearls|product/i })).toBeVisible();
});

test('the search opens no record of an earlier text', async ({ page, service, shop }) => {
  const api = `/console/api/stores/${shop.storeId}`;
  for (const name of ['Anna Kim', 'Boris Orlov'])
    await page.request.post(`${api}/customers`, { data: { name }, headers: { origin: service.url } });
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Find anything' });
  const field = palette.getByRole('combobox', { name: 'Find anything' });
  const anna = palette.getByRole('option', { name: /Anna Kim/ });
  await field.fill('anna');
  await expect(anna).not.toHaveAttribute('aria-disabled', 'true');
  const respond = await holdRequests(page, /search\?q=boris/);
  const asked = page.waitForRequest(/search\?q=boris/);
  await field.fill('boris');
  await asked;
  await expect(anna).toHaveAttribute('aria-disabled', 'true');
  await anna.click({ force: true });
  await field.press('Enter');
  await expect(palette).toBeVisible();
  respond();
  await expect(palette.getByRole('option', { name: /Boris Orlov/ })).toHaveAttribute('aria-selected', 'true');
  await field.press('Enter');
  await expect(page.getByRole('heading', { name: 'Boris Orlov', level: 1 })).toBeVisible();
});
