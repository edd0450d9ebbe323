import { sql } from '@store-sales/server/db/sql';
import { createKey } from '@store-sales/server/keys/keys';
import { expect, expectAccessible, test } from './fixtures.ts';
import type { Service } from './service.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

/** Requests with two keys: 200, 404 and 422. */
async function makeRequests(service: Service, storeId: string) {
  const [site, sync] = await Promise.all(
    ['Site', 'Sync'].map((name) =>
      createKey(service.db, { storeId, name, rights: ['orders:read', 'orders:write'] }, Date.now()),
    ),
  );
  const call = (key: typeof site, path: string, options: RequestInit = {}) =>
    fetch(`${service.url}/api/v1${path}`, {
      ...options,
      headers: { authorization: `Bearer ${key?.secret}`, 'content-type': 'application/json', ...options.headers },
    });
  await call(site, '/orders?limit=5&filter%5Bstatus%5D=new');
  await call(site, `/orders/${UNKNOWN}`);
  await call(sync, '/orders', { method: 'POST', body: '{"items":[]}', headers: { 'x-request-id': 'checkout-17' } });
  const lines = () =>
    service.db.one<{ count: number }>(sql`select count(*) as count from request_log where store_id = ${storeId}`);
  await expect.poll(async () => Number((await lines())?.count)).toBe(3);
}

test('the log starts empty and lists requests with their outcome', async ({ page, service, shop }) => {
  await page.getByRole('link', { name: 'API requests' }).click();
  await expect(page.getByRole('heading', { name: 'No requests yet' })).toBeVisible();
  await expectAccessible(page);

  await makeRequests(service, shop.storeId);
  await page.reload();
  const rows = page.getByRole('table', { name: 'API requests' }).getByRole('row');
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText('POST /orders');
  await expect(rows.nth(1)).toContainText('422 invalid_body');
  await expect(rows.nth(2)).toContainText('GET /orders/{id}');
  await expect(page.getByRole('region', { name: 'Requests by day' })).toContainText('Refused (4xx)2');
  await expectAccessible(page);

  await page.getByRole('link', { name: 'POST /orders' }).click();
  const dialog = page.getByRole('dialog', { name: 'API request' });
  await expect(dialog.getByRole('region', { name: 'Problem document' })).toContainText('"code": "invalid_body"');
  await expect(dialog.getByRole('region', { name: 'Request ID' })).toContainText('checkout-17');
  await expect(dialog).toContainText('Sync');
  await expectAccessible(page);
  // The open request is in the URL.
  await page.reload();
  await expect(dialog).toContainText('checkout-17');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(rows).toHaveCount(4);
});

test('the filters are in the URL, and a key links to its requests', async ({ page, service, shop }) => {
  await makeRequests(service, shop.storeId);
  await page.goto(`/console/stores/${shop.storeId}/settings/requests`);
  const rows = page.getByRole('table', { name: 'API requests' }).getByRole('row');
  await expect(rows).toHaveCount(4);
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: '4xx: refused' }).click();
  await expect(rows).toHaveCount(3);
  await page.getByRole('combobox', { name: 'Request' }).click();
  await page.getByRole('option', { name: 'GET /orders/{id}' }).click();
  await expect(rows).toHaveCount(2);
  await page.reload();
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows).toHaveCount(4);

  await page.getByRole('searchbox', { name: 'Search' }).fill('checkout-17');
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/requestId=checkout-17/);
  await page.getByRole('searchbox', { name: 'Search' }).fill('nothing');
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();

  const today = page.getByRole('region', { name: 'Requests by day' }).getByRole('button').last();
  await today.click();
  await expect(today).toHaveAttribute('aria-pressed', 'true');
  await expect(rows).toHaveCount(4);
  await expectAccessible(page);

  await page.getByRole('link', { name: 'API keys' }).click();
  await expect(page.getByRole('heading', { name: 'API keys', level: 1 })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Requests with Site' }).click();
  await expect(rows).toHaveCount(3);
  await expect(page.getByRole('combobox', { name: 'API key' })).toHaveValue('Site');
});

test('on a phone, in Russian', async ({ page, service, shop }) => {
  await makeRequests(service, shop.storeId);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => localStorage.setItem('store-sales-language', 'ru'));
  await page.goto(`/console/stores/${shop.storeId}/settings/requests`);
  await expect(page.getByRole('heading', { name: 'Запросы API', level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'POST /orders' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Фильтры' }).click();
  await page.getByRole('combobox', { name: 'Статус' }).click();
  await page.getByRole('option', { name: '2xx: успешно' }).click();
  await expect(page.getByRole('link', { name: /^GET/ })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Фильтры (1)' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'GET /orders' }).click();
  await expect(page.getByRole('dialog', { name: 'Запрос API' })).toContainText('limit=5');
  await expectAccessible(page);
});

test('the dates of the chart do not overlap on a phone', async ({ page, service, shop }) => {
  await makeRequests(service, shop.storeId);
  for (const [language, name] of [
    ['en', 'Requests by day'],
    ['ru', 'Запросы по дням'],
  ] as const) {
    await page.evaluate((chosen) => localStorage.setItem('store-sales-language', chosen), language);
    await page.goto(`/console/stores/${shop.storeId}/settings/requests`);
    const chart = page.getByRole('region', { name });
    await expect(chart).toBeVisible();
    for (const width of [320, 390, 800, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      const gaps = await chart.locator('li > span').evaluateAll((labels) => {
        const boxes = labels
          .filter((label) => label.textContent?.trim() && getComputedStyle(label).visibility === 'visible')
          .map((label) => {
            const range = document.createRange();
            range.selectNodeContents(label);
            return range.getBoundingClientRect();
          });
        return boxes.slice(1).map(({ left }, index) => left - (boxes[index]?.right ?? 0));
      });
      expect(gaps.length, `${language} ${width}`).toBeGreaterThan(1);
      expect(Math.min(...gaps), `${language} ${width}`).toBeGreaterThan(4);
    }
  }
});
