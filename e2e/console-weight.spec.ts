import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Request } from '@playwright/test';
import { expect, test, withoutChanges } from './fixtures.ts';

/** The goal is 15 files and 220 KiB for every page; lower these limits, never raise them. */
const LIMIT = { files: 15, kib: 218 };

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/**
 * Opens a page without a cache; returns the gzip sizes of all that the browser loads until the element `last` is there,
 * except responses of the API.
 */
async function firstLoad(browser: Browser, url: string, storageState?: StorageState, last = 'h1') {
  const context = await browser.newContext(storageState && { storageState });
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  const weigh = (request: Request) => {
    if (new URL(request.url()).pathname.startsWith('/console/api/')) return;
    const body = request.response().then((response) => response?.body());
    sizes.push(body.then((content) => gzipSync(content ?? '', { level: 9 }).length));
  };
  page.on('requestfinished', weigh);
  await withoutChanges(page);
  await page.goto(url, { waitUntil: 'networkidle' });
  await expect(page.locator(last)).toBeVisible();
  // A request that ends while the page is being closed has no body to read.
  page.off('requestfinished', weigh);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  await context.close();
  return { files: sizes.length, kib: Math.ceil(bytes / 1024) };
}

test('the first load of every page is light', async ({ page, browser, service, shop: { storeId } }) => {
  // Two dozen pages, each with an empty cache.
  test.slow();
  const order = await service.order(storeId, 'Green tea', 2, 1000);
  const endpoint = await service.endpoint(storeId, (await service.receiver()).url);
  await page.goto(`/console/stores/${storeId}/customers`);
  await page.getByRole('button', { name: 'Add customer' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Anna');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Anna', level: 1 })).toBeVisible();
  const customer = new URL(page.url()).pathname.split('/').at(-1);
  const storageState = await page.context().storageState();
  const sections = [
    ...['', '/orders', '/orders/board', '/orders/new', `/orders/${order.id}`],
    ...[
      '/catalog/products',
      '/catalog/categories',
      '/catalog/promo-codes',
      '/catalog/import',
      '/customers',
      `/customers/${customer}`,
    ],
    ...[
      '/history',
      '/settings/api-keys',
      '/settings/requests',
      '/settings/store',
      '/settings/shop',
      '/settings/team',
      '/settings/webhooks',
      '/settings/webhooks/signature',
    ],
    ...[`/settings/webhooks/${endpoint.id}`, '/references/order-statuses', '/references/payment-statuses'],
    ...['/references/payment-types', '/references/delivery-types', '/references/warehouses'],
  ];
  const loads: Record<string, typeof LIMIT> = {
    '/sign-in': await firstLoad(browser, `${service.url}/console/sign-in`),
    '/invitation': await firstLoad(browser, `${service.url}/console/invitation`),
    '/account': await firstLoad(browser, `${service.url}/console/account`, storageState),
  };
  for (const path of sections)
    loads[path] = await firstLoad(
      browser,
      `${service.url}/console/stores/${storeId}${path}`,
      storageState,
      path === '' ? 'canvas' : 'h1',
    );

  const heavy = Object.entries(loads).filter(([, { files, kib }]) => files > LIMIT.files || kib > LIMIT.kib);
  expect(Object.fromEntries(heavy), JSON.stringify(loads, null, 2)).toEqual({});
});
