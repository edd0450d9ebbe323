import type { Page } from '@playwright/test';
import { rights } from '@store-sales/contract';
import { createKey } from '@store-sales/server/keys/keys';
import { expect, expectAccessible, test } from './fixtures.ts';
import type { Service } from './service.ts';

async function keyOf(service: Service) {
  const owner = await service.owner();
  const store = await service.store(owner.id, '<img src=x onerror="alert(1)">Tea');
  const all = Object.keys(rights) as (keyof typeof rights)[];
  const { secret } = await createKey(service.db, { storeId: store.id, name: 'Docs', rights: all }, Date.now());
  return { storeId: store.id, secret };
}

const topOf = (page: Page, id: string) =>
  page.evaluate((anchor) => document.getElementById(anchor)?.getBoundingClientRect().top, id);

/** Below the sticky header, at the top of the window. */
async function expectAtTop(page: Page, id: string) {
  await expect.poll(() => topOf(page, id)).toBeGreaterThanOrEqual(56);
  expect(await topOf(page, id)).toBeLessThan(120);
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

async function openForm(page: Page, summary: string) {
  await page.getByRole('button', { name: `Try it: ${summary}`, exact: true }).click();
  return page.getByRole('form', { name: `Try it: ${summary}`, exact: true });
}

test('the search finds endpoints, fields and errors, by keyboard', async ({ page }) => {
  await page.goto('/docs');
  await page.keyboard.press('/');
  const search = page.getByRole('dialog', { name: 'Search' });
  await expect(search.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('externalProductId');
  await expect(search.getByRole('link').first()).toContainText('items[].externalProductId');
  await page.keyboard.press('ArrowDown');
  await expect(search.getByRole('link').first()).toBeFocused();
  const address = await search.getByRole('link').first().getAttribute('href');
  await page.keyboard.press('Enter');
  await expect(search).toBeHidden();
  expect(new URL(page.url()).hash).toBe(new URL(address as string, page.url()).hash);
  await expectAtTop(page, decodeURIComponent(new URL(page.url()).hash.slice(1)));

  await page.keyboard.press('Control+k');
  await search.getByRole('searchbox').fill('create order status');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/docs#createOrderStatus$/);

  await page.getByRole('button', { name: 'Search' }).click();
  await search.getByRole('searchbox').fill('idempotency_key_reused');
  await search.getByRole('link', { name: /^idempotency_key_reused/ }).click();
  await expect(page).toHaveURL(/\/docs\/errors#idempotency_key_reused$/);
  await expectAtTop(page, 'idempotency_key_reused');

  await page.keyboard.press('/');
  await search.getByRole('searchbox').fill('no such thing <b>');
  await expect(search.getByRole('status')).toHaveText('No results.');
  await page.keyboard.press('Escape');
  await expect(search).toBeHidden();
});

for (const [device, viewport] of Object.entries({
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
})) {
  test(`links land where they point, on a ${device}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto('/docs');
    // Longer samples above the target: the script must correct the position after the page has loaded.
    await page.evaluate(() => localStorage.setItem('docs-language', 'php'));
    for (const [path, id] of [
      ['/docs', 'authentication'],
      ['/docs', 'createOrder'],
      ['/docs', 'listOrders-parameters.filter.updatedAt.from'],
      ['/docs', 'createOrder-body.items.quantity'],
      // Inside of a closed element.
      ['/docs', 'readOrder-response.data.delivery.cost'],
      ['/docs', 'changePaymentStatusRecord'],
      ['/docs', 'webhook-payload.data.orderId'],
      ['/docs/errors', 'rate_limited'],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(`${path}#${id}`);
      await expectAtTop(page, id);
    }
    await page.goto('/docs');
    for (const id of ['readOrder-response.data.items.sku', 'createOrder-body.customer.phone', 'checkKey']) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, id);
      await expectAtTop(page, id);
    }
  });
}

test('the name of a field is a link to it', async ({ page }) => {
  await page.goto('/docs#createOrder-body');
  await page.locator('[id="createOrder-body.promoCode"] code').first().click();
  await page.locator('[id="createOrder-body.promoCode"]').getByRole('link', { name: 'promoCode' }).click();
  await expect(page).toHaveURL(/#createOrder-body\.promoCode$/);
  await expectAtTop(page, 'createOrder-body.promoCode');
});

test('the language of the samples is remembered', async ({ page }) => {
  await page.goto('/docs');
  const sample = page.locator('#createOrder').locator('xpath=ancestor::section').locator('.samples');
  await expect(sample.getByText("curl '")).toBeVisible();
  const python = sample.getByRole('button', { name: 'Python', exact: true });
  await python.click();
  await expect(python).toBeInViewport();
  await expect(sample.getByText('requests.post(')).toBeVisible();
  await page.reload();
  await expect(sample.getByText('requests.post(')).toBeVisible();
  await expect(python).toHaveAttribute('aria-pressed', 'true');
  await page.evaluate(() => localStorage.setItem('docs-language', '"><img src=x>'));
  await page.reload();
  await expect(sample.getByText("curl '")).toBeVisible();
});

test('a request is sent with the key of the reader, which stays in memory', async ({ page, context, service }) => {
  const { storeId, secret } = await keyOf(service);
  const order = await service.order(storeId, '<script>alert(1)</script>', 1, 15_000);
  await context.addCookies([{ name: 'session', value: 'x', url: service.url }]);
  const sent: { url: string; headers: Record<string, string> }[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/')) sent.push({ url: request.url(), headers: request.headers() });
  });
  await page.goto('/docs');
  const check = await openForm(page, 'Check the key');
  await check.getByLabel('API key').fill('ssk_wrong');
  await check.getByRole('button', { name: 'Send GET' }).click();
  await expect(check.getByText(/^401/)).toBeVisible();
  await expect(check.getByRole('link', { name: 'invalid_key' })).toHaveAttribute('href', '/docs/errors#invalid_key');
  await check.getByLabel('API key').fill(secret);
  await page.keyboard.press('Enter');
  await expect(check.getByText(/^200/)).toBeVisible();
  await expect(check.getByText('X-Request-Id')).toBeVisible();
  // The store's name is text, never HTML.
  await expect(check.locator('pre')).toContainText('<img src=x onerror=');
  await expect(check.locator('img')).toHaveCount(0);

  const read = await openForm(page, 'Read an order');
  await expect(read.getByLabel('API key')).toHaveValue(secret);
  await read.getByLabel('id').fill('..');
  await read.getByRole('button', { name: 'Send GET' }).click();
  await expect(read.getByText('cannot be part of a path')).toBeVisible();
  await read.getByLabel('id').fill('//evil.example/?x=#');
  await read.getByRole('button', { name: 'Send GET' }).click();
  await expect(read.getByText(/^404/)).toBeVisible();
  await read.getByLabel('id').fill(order.id);
  await read.getByRole('button', { name: 'Send GET' }).click();
  await expect(read.getByText(/^200/)).toBeVisible();
  await expect(read.getByText('ETag')).toBeVisible();
  await expect(read.locator('pre')).toContainText('<script>alert(1)</script>');
  await expect(read.locator('script')).toHaveCount(0);

  const create = await openForm(page, 'Create a warehouse');
  await expect(create.getByText('This changes data')).toBeVisible();
  await create.getByRole('button', { name: 'Random Idempotency-Key' }).click();
  await create.getByRole('button', { name: 'Send POST' }).click();
  await expect(create.getByText(/^201/)).toBeVisible();
  await create.getByRole('button', { name: 'Send POST' }).click();
  await expect(create.getByText('Idempotent-Replayed')).toBeVisible();
  await expectAccessible(page);

  for (const { url, headers } of sent) {
    expect(new URL(url).origin).toBe(service.url);
    expect(url).not.toContain('ssk_');
    expect(headers.cookie).toBeUndefined();
  }
  expect(page.url()).not.toContain('ssk_');
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain('ssk_');
  await page.reload();
  await page.getByRole('button', { name: 'Try it: Check the key' }).click();
  await expect(page.getByLabel('API key')).toHaveValue('');
});

test('the key is not sent to another origin', async ({ page, service }) => {
  const { secret } = await keyOf(service);
  const elsewhere: string[] = [];
  await page.route('https://evil.example/**', (route) => {
    elsewhere.push(route.request().url());
    return route.fulfill({ headers: { 'access-control-allow-origin': '*' }, body: '{}' });
  });
  await page.goto('/docs');
  const check = await openForm(page, 'Check the key');
  await check.getByLabel('API key').fill(secret);
  await page.route('**/api/v1/credentials', (route) =>
    route.fulfill({ status: 302, headers: { location: 'https://evil.example/' } }),
  );
  await check.getByRole('button', { name: 'Send GET' }).click();
  await expect(check.getByText('The request was not sent')).toBeVisible();
  // Even if the page were changed: neither the script nor the content security policy lets it out.
  for (const path of ['https://evil.example/', '//evil.example/', '/\\evil.example/']) {
    await check.evaluate((form, address) => form.setAttribute('data-path', address), path);
    await check.getByRole('button', { name: 'Send GET' }).click();
    await expect(check.getByText('cannot be part of a path')).toBeVisible();
  }
  expect(elsewhere).toEqual([]);
});

test('the address cannot inject HTML', async ({ page }) => {
  for (const hash of [
    '<img src=x onerror=alert(1)>',
    '"><script>alert(1)</script>',
    '%E0%A4%A',
    '__proto__',
    'javascript:alert(1)',
  ]) {
    await page.goto('about:blank');
    await page.goto(`/docs?q=<script>alert(1)</script>#${hash}`);
    await page.keyboard.press('/');
    await page.getByRole('searchbox').fill(hash);
    await expect(page.locator('img[src=x]')).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  }
});

test('has no violations, and no horizontal scrolling on a phone of 320 pixels', async ({ page }) => {
  for (const path of ['/docs', '/docs/errors']) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(path);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('order');
    await expect(page.getByRole('dialog').getByRole('link').first()).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
  }
  await page.goto('/docs');
  for (const summary of ['Create an order', 'List orders']) await openForm(page, summary);
  for (const language of ['JavaScript', 'Python', 'PHP']) {
    await page.getByRole('button', { name: language, exact: true }).first().click();
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
  }
  await page.getByText('Query parameters').click();
  await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
});
