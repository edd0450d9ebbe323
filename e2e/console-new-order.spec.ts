import type { Page } from '@playwright/test';
import { expect, holdRequests, test } from './fixtures.ts';
import { create, fillOrder, prepare, unsaved } from './resilience.ts';

test.describe('a new order', () => {
  /** Lets the next creation reach the server and loses its response. */
  const loseResponse = (page: Page) =>
    page.route(
      /\/orders$/,
      async (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        await route.fetch();
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
  const failed = (page: Page) => page.getByText('Could not reach the server.');

  test('is created once if the response is lost, also after a reload', async ({ page, service, shop }) => {
    const { path, count } = await prepare(page, service, shop.storeId);
    page.on('dialog', (dialog) => void dialog.accept());
    await fillOrder(page, path);
    await loseResponse(page);
    await create(page).click();
    await expect(failed(page)).toBeVisible();
    await create(page).click();
    await expect(page.getByRole('heading', { name: 'Order #1', level: 1 })).toBeVisible();
    expect(await count()).toBe(1);

    await fillOrder(page, path);
    await loseResponse(page);
    await create(page).click();
    await expect(failed(page)).toBeVisible();
    await page.reload();
    await expect(page.getByText('Draft restored')).toBeVisible();
    await create(page).click();
    await expect(page.getByRole('heading', { name: 'Order #2', level: 1 })).toBeVisible();
    expect(await count()).toBe(2);
  });

  test('that was changed after a lost response is not created a second time unseen', async ({
    page,
    service,
    shop,
  }) => {
    const { path, count } = await prepare(page, service, shop.storeId);
    await fillOrder(page, path);
    await loseResponse(page);
    await create(page).click();
    await expect(failed(page)).toBeVisible();
    await page.getByLabel('Name').fill('Bella');
    await create(page).click();
    await expect(page.getByText('An earlier attempt already created this order')).toBeVisible();
    expect(await count()).toBe(1);
    // The person has read it and wants a second order.
    await create(page).click();
    await expect(page.getByRole('heading', { name: 'Order #2', level: 1 })).toBeVisible();
  });

  test('keeps its key while the outcome is unknown, waits for a first request, and gets a new key after a rejection', async ({
    page,
    service,
    shop,
  }) => {
    const { path, count } = await prepare(page, service, shop.storeId);
    const problem = (status: number, code: string, headers = {}) => ({
      status,
      headers: { 'content-type': 'application/problem+json', ...headers },
      body: JSON.stringify({ status, code, title: code }),
    });
    const responses = [
      problem(503, 'unavailable'),
      problem(409, 'idempotency_in_progress', { 'retry-after': '1' }),
      problem(422, 'invalid_body'),
    ];
    const keys: (string | undefined)[] = [];
    await page.route(/\/orders$/, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      keys.push(route.request().headers()['idempotency-key']);
      const response = responses.shift();
      return response ? route.fulfill(response) : route.continue();
    });
    await fillOrder(page, path);
    await create(page).click();
    await expect(page.getByText('The server is busy.')).toBeVisible();
    await create(page).click();
    await expect(page.getByText('Some of the values are invalid.')).toBeVisible();
    await create(page).click();
    await expect(page.getByRole('heading', { name: 'Order #1', level: 1 })).toBeVisible();
    const [first, second, third, fourth] = keys;
    expect(first).toMatch(/^[\da-f]{32}$/);
    expect([second, third]).toEqual([first, first]);
    expect(fourth).toMatch(/^[\da-f]{32}$/);
    expect(fourth).not.toBe(first);
    expect(await count()).toBe(1);
  });

  test('survives a text that is not an amount, and says so when it is submitted', async ({ page, service, shop }) => {
    const { path, count } = await prepare(page, service, shop.storeId);
    await fillOrder(page, path);
    for (const [label, tooLarge] of [
      ['Price', 'This value is too large.'],
      ['Discount', 'The discount cannot exceed the amount.'],
      ['Delivery cost', 'This value is too large.'],
      ['Order discount', 'The discount cannot exceed the amount.'],
    ] as const) {
      const field = page.getByLabel(label, { exact: true });
      const before = await field.inputValue();
      for (const [text, message] of [
        ['.', 'Enter an amount, such as 150.00.'],
        ['9'.repeat(400), tooLarge],
      ] as const) {
        await field.fill(text);
        await field.press('Enter');
        await expect(field, label).toHaveAccessibleDescription(message);
      }
      await field.fill(before);
    }
    await expect(page.getByTestId('total')).toContainText('150.00');
    expect(await count()).toBe(0);
    await create(page).click();
    await expect(page.getByRole('heading', { name: 'Order #1', level: 1 })).toBeVisible();
  });

  test('takes amounts with a decimal comma and with thousands', async ({ page, service, shop }) => {
    const { path } = await prepare(page, service, shop.storeId);
    await fillOrder(page, path);
    const price = page.getByLabel('Price', { exact: true });
    for (const [typed, total, shown] of [
      ['12,5', '₽12.50', '12.5'],
      ['1,234', '₽1,234.00', '1,234'],
      ['12345.60 ₽', '₽12,345.60', '12,345.6'],
    ] as const) {
      await price.fill('');
      await price.pressSequentially(typed);
      await expect(page.getByTestId('total')).toContainText(total);
      await price.blur();
      await expect(price).toHaveValue(shown);
    }
  });

  test('is not created by Enter in the product search', async ({ page, service, shop }) => {
    const { path, count, api } = await prepare(page, service, shop.storeId);
    const headers = { origin: service.url };
    for (const sku of ['CUP-1', 'CUP-12'])
      await page.request.post(`${api}/products`, { headers, data: { name: `Cup ${sku}`, sku, price: 100 } });
    await fillOrder(page, path);
    const add = page.getByRole('combobox', { name: 'Add a product' });
    await add.press('Enter');
    await add.fill('nothing like this');
    await add.press('Enter');
    await expect(page.getByText('No products found')).toBeVisible();
    // As a barcode scanner types.
    for (const sku of ['TEA-1', 'CUP-1']) {
      await add.fill(sku);
      await add.press('Enter');
      await expect(add).toHaveValue('');
    }
    await expect(page.getByRole('group', { name: 'Green tea' }).getByLabel('Quantity')).toHaveValue('2');
    await expect(page.getByRole('group', { name: 'Cup CUP-1', exact: true })).toBeVisible();
    await expect(page.getByRole('group', { name: 'Cup CUP-12' })).toHaveCount(0);
    expect(await count()).toBe(0);
  });

  test('offers no products of an earlier search', async ({ page, service, shop }) => {
    const { path, api } = await prepare(page, service, shop.storeId);
    const cup = { name: 'Cup', sku: 'CUP-1', price: 100 };
    await page.request.post(`${api}/products`, { headers: { origin: service.url }, data: cup });
    await page.goto(`${path}/orders/new`);
    const add = page.getByRole('combobox', { name: 'Add a product' });
    const tea = page.getByRole('option', { name: /Green tea/ });
    await add.fill('green');
    await expect(tea).not.toHaveAttribute('aria-disabled', 'true');
    const respond = await holdRequests(page, /products\?q=cup/);
    const asked = page.waitForRequest(/products\?q=cup/);
    await add.fill('cup');
    await asked;
    await expect(tea).toHaveAttribute('aria-disabled', 'true');
    await tea.click({ force: true });
    await add.press('ArrowDown');
    await add.press('Enter');
    respond();
    // Enter has waited for the only product that matches.
    await expect(page.getByRole('group', { name: 'Cup' })).toBeVisible();
    await expect(page.getByRole('group', { name: 'Green tea' })).toHaveCount(0);
  });

  test('is kept as a draft if the page fails', async ({ page, service, shop }) => {
    const { path } = await prepare(page, service, shop.storeId);
    page.on('dialog', (dialog) => void dialog.accept());
    await fillOrder(page, path);
    await page.route(/\/orders\/products\?q=fail/, (route) => route.fulfill({ json: {} }));
    await page.getByRole('combobox', { name: 'Add a product' }).fill('fail');
    await expect(create(page)).toHaveCount(0);
    await page.reload();
    await expect(page.getByText('Draft restored')).toBeVisible();
    await expect(page.getByLabel('Name')).toHaveValue('Anna');
    // Leaving the form still removes it.
    await page.getByRole('link', { name: 'Customers' }).click();
    await unsaved(page).getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByRole('heading', { name: 'Customers', level: 1 })).toBeVisible();
    await page.goto(`${path}/orders/new`);
    await expect(page.getByLabel('Name')).toHaveValue('');
  });
});
