import type { Page } from '@playwright/test';
import { sql } from '@store-sales/server/db/sql';
import decode from 'qr/decode.js';
import { expect, expectAccessible, holdRequests, test } from './fixtures.ts';
import type { Service } from './service.ts';

test('an owner offers the catalog to other sites, in XML that parses', async ({ page, service, shop: { storeId } }) => {
  await service.order(storeId, 'Tea & "Cream" <b>', 1, 15_000);
  await page.goto(`/console/stores/${storeId}/settings/shop`);
  await page.getByRole('switch', { name: 'The page is open' }).check({ force: true });
  await page.getByRole('switch', { name: 'Feeds for other sites' }).check({ force: true });
  await page.getByLabel('Address').fill('fed-teas');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText(`${service.url}/shop/fed-teas/feeds/yml.xml`)).toBeVisible();
  await expect(page.getByText(`${service.url}/shop/fed-teas/feeds/google.xml`)).toBeVisible();
  await expectAccessible(page);
  for (const [name, element] of [
    ['yml', 'offer > name'],
    ['google', 'item > title'],
  ] as const) {
    const read = async ([address, selector]: [string, string]) => {
      const parsed = new DOMParser().parseFromString(await (await fetch(address)).text(), 'text/xml');
      return [parsed.querySelector('parsererror')?.textContent, parsed.querySelector(selector)?.textContent];
    };
    const found = await page.evaluate(read, [`/shop/fed-teas/feeds/${name}.xml`, element] as [string, string]);
    expect(found).toEqual([undefined, 'Tea & "Cream" <b>']);
  }
});

test('an owner opens the order page, and a customer orders on a phone without JavaScript', async ({
  page,
  browser,
  service,
  shop: { storeId },
}) => {
  await service.order(storeId, 'Green tea', 1, 15_000);
  await page.goto(`/console/stores/${storeId}/settings/shop`);
  await page.getByRole('switch', { name: 'The page is open' }).check({ force: true });
  await page.getByLabel('Address').fill('green-teas');
  await page.getByLabel('Title').fill('Green teas');
  await page.getByLabel('Cost of Courier').fill('300');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.frameLocator('iframe').getByRole('link', { name: 'Green teas' })).toBeVisible();
  await expectAccessible(page);
  const preview = page.frameLocator('iframe');
  await page.getByLabel('Text above the products').fill('Fresh every week');
  await page.getByLabel('Contacts').fill('Call us');
  await page.getByLabel('Color of the buttons').fill('#087f5b');
  await expect(preview.getByText('Fresh every week')).toBeVisible();
  await expect(preview.getByText('Call us')).toBeVisible();
  await expect(preview.getByRole('button', { name: 'Add to cart' })).toHaveCSS('background-color', 'rgb(8, 127, 91)');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeDisabled();
  await expect(preview.getByText('Fresh every week')).toBeVisible();
  await page.getByRole('button', { name: 'QR code' }).click();
  const pixels = await page.getByAltText('QR code').evaluate((image) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 320 });
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    context.fillStyle = '#fff';
    context.fillRect(0, 0, 320, 320);
    context.drawImage(image as HTMLImageElement, 0, 0, 320, 320);
    return [...context.getImageData(0, 0, 320, 320).data];
  });
  expect(decode({ width: 320, height: 320, data: new Uint8Array(pixels) })).toBe(`${service.url}/shop/green-teas`);

  await expectAccessible(page);

  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
  const customer = await context.newPage();
  await customer.goto(`${service.url}/shop/green-teas`);
  await customer.getByRole('button', { name: 'Add to cart' }).click();
  await customer.getByRole('link', { name: 'Checkout' }).click();
  await customer.getByLabel('Name').fill('Anna');
  await customer.getByLabel('Phone').fill('+7 916 123-45-67');
  await customer.getByLabel('Courier').check();
  const order = customer.getByRole('button', { name: 'Place order' });
  // Sent in less than three seconds, or without an address, the form comes back with what was typed.
  await order.click();
  await expect(customer.getByLabel('Name')).toHaveValue('Anna');
  await expect(async () => {
    await customer.getByLabel('Address').fill('Main street 1');
    await order.click();
    await expect(customer.getByText('Thank you! Your order is placed.')).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(customer.getByText('₽450.00').first()).toBeVisible();
  await customer.reload();

  await page.goto(`/console/stores/${storeId}/orders`);
  const rows = page.getByRole('table', { name: 'Orders' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText('Anna');
  await context.close();
});

const visits = [
  { name: 'on a desktop', hasScript: true, viewport: { width: 1280, height: 900 } },
  { name: 'on a phone', hasScript: true, viewport: { width: 390, height: 844 } },
  { name: 'on a desktop without JavaScript', hasScript: false, viewport: { width: 1280, height: 900 } },
  { name: 'on a phone without JavaScript', hasScript: false, viewport: { width: 390, height: 844 } },
];

/** From the catalog to the filled checkout. */
async function fillCheckout(customer: Page, service: Service, storeId: string, hasScript: boolean) {
  const slug = `teas-${storeId.slice(-12)}`;
  await service.order(storeId, 'Green tea', 1, 15_000);
  await service.shop(storeId, slug);
  const url = `${service.url}/shop/${slug}`;
  const value = service.formToken(storeId);
  await customer.context().addCookies([{ name: 'form', value, domain: new URL(url).hostname, path: `/shop/${slug}` }]);
  await customer.goto(url);
  await customer.getByRole('button', { name: 'Add to cart' }).click();
  if (hasScript) {
    await expect(customer.getByRole('status')).toContainText('Added to your cart.');
    await customer.getByRole('link', { name: 'Cart 1' }).click();
  }
  await customer.getByRole('link', { name: 'Checkout' }).click();
  await customer.getByLabel('Name').fill('Anna');
  await customer.getByLabel('Phone').fill('+7 916 123-45-67');
  await customer.getByLabel('Courier').check();
  await customer.getByLabel('Address').fill('Main street 1');
}

const placeOrder = (customer: Page) => customer.getByRole('button', { name: 'Place order' });
const orderTitle = (customer: Page) => customer.getByRole('heading', { name: /^Order \d/ });

/** Including the one that the test has created with its product. */
const countOrders = async ({ db }: Service, storeId: string) =>
  (await db.one<{ count: number }>(sql`select count(*) as count from orders where store_id = ${storeId}`))?.count;

for (const { name, hasScript, viewport } of visits)
  test(`an order ${name}: double click, reload and back make one order, and its status is shown`, async ({
    browser,
    service,
    shop: { storeId },
  }) => {
    const context = await browser.newContext({ javaScriptEnabled: hasScript, viewport });
    const customer = await context.newPage();
    await fillCheckout(customer, service, storeId, hasScript);
    await placeOrder(customer).dblclick();
    await expect(orderTitle(customer)).toBeVisible();
    const address = customer.url();
    await customer.reload();
    await customer.goBack();
    await expect(customer.getByText('Your cart is empty.')).toBeVisible();
    expect(await countOrders(service, storeId)).toBe(2);

    await customer.goto(address);
    await expect(customer.getByText('New', { exact: true })).toBeVisible();
    const { secret } = await service.key(storeId, 'Status');
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const { data } = await (await fetch(`${service.url}/api/v1/orders?limit=1`, { headers })).json();
    const body = JSON.stringify({ status: 'delivering' });
    await fetch(`${service.url}/api/v1/orders/${data[0].id}`, { method: 'PATCH', headers, body });
    await customer.reload();
    await expect(customer.getByText('On its way')).toBeVisible();
    await context.close();
  });

for (const { name, hasScript, viewport } of visits)
  test(`a promo code ${name}: what it takes off is seen before ordering, and why it does not apply`, async ({
    browser,
    service,
    shop: { storeId },
  }) => {
    await service.promo(storeId, { code: 'Весна', percent: 15 });
    await service.promo(storeId, { code: 'LARGE', amount: 1_000, minTotal: 15_001 });
    const context = await browser.newContext({ javaScriptEnabled: hasScript, viewport });
    const customer = await context.newPage();
    await fillCheckout(customer, service, storeId, hasScript);
    const code = customer.getByLabel('Promo code');
    const apply = customer.getByRole('button', { name: 'Apply' });
    const total = customer.locator('.totals').filter({ visible: true });
    await code.fill('LARGE');
    await apply.click();
    await expect(code).toHaveAccessibleDescription('This promo code is for products worth at least ₽150.01.');
    if (hasScript) await expect(code).toBeFocused();
    await placeOrder(customer).click();
    await expect(code).toHaveAccessibleDescription(/at least/);
    if (hasScript) await expectAccessible(customer);

    await code.fill('весна');
    await apply.click();
    await expect(customer.getByText('Promo code Весна')).toBeVisible();
    await expect(customer.getByText('-₽22.50')).toBeVisible();
    await expect(total).toContainText('₽127.50');
    await expect(customer.getByLabel('Name')).toHaveValue('Anna');
    if (hasScript) await expectAccessible(customer);
    await placeOrder(customer).click();
    await expect(orderTitle(customer)).toBeVisible();
    await expect(customer.locator('.totals')).toContainText('₽127.50');
    await context.close();
  });

test('Enter in the field of a promo code applies it, and in another field orders', async ({
  page,
  service,
  shop: { storeId },
}) => {
  await service.promo(storeId, { code: 'TEN', percent: 10 });
  await fillCheckout(page, service, storeId, true);
  await page.getByLabel('Promo code').fill('ten');
  await page.keyboard.press('Enter');
  await expect(page.getByText('-₽15.00')).toBeVisible();
  expect(await countOrders(service, storeId)).toBe(1);
  await page.getByLabel('Name').press('Enter');
  await expect(orderTitle(page)).toBeVisible();
  await expect(page.locator('.totals')).toContainText('₽135.00');
});

for (const { hasScript, again } of [
  { hasScript: true, again: 'sent again' },
  { hasScript: true, again: 'opened again' },
  { hasScript: false, again: 'sent again' },
  { hasScript: false, again: 'opened again' },
])
  test(`a response is lost ${hasScript ? 'with' : 'without'} JavaScript: ${again}, it is one order`, async ({
    browser,
    service,
    shop: { storeId },
  }) => {
    const context = await browser.newContext({ javaScriptEnabled: hasScript });
    const customer = await context.newPage();
    await fillCheckout(customer, service, storeId, hasScript);
    const form = customer.url();
    const cookies = await context.cookies();
    await customer.route(form, async (route) => {
      await route.fetch({ maxRedirects: 0 });
      // The browser has not received them.
      await context.addCookies(cookies);
      await route.abort();
    });
    await placeOrder(customer).click();
    await expect.poll(() => countOrders(service, storeId)).toBe(2);
    if (hasScript) await expect(customer.getByRole('status')).toContainText('No connection. Send it again');
    else await expect(orderTitle(customer).or(placeOrder(customer))).toBeHidden();
    await customer.unroute(form);
    if (again === 'opened again') await customer.goto(form);
    else if (hasScript) await placeOrder(customer).click();
    else await customer.reload();
    await expect(orderTitle(customer)).toBeVisible();
    await expect(customer.getByRole('link', { name: 'Cart', exact: true })).toBeVisible();
    expect(await countOrders(service, storeId)).toBe(2);
    await context.close();
  });

test('with JavaScript, pages follow each other without loading, and nothing typed is lost', async ({
  page,
  service,
  shop: { storeId },
}) => {
  for (const name of ['Green tea', 'Black tea']) await service.order(storeId, name, 1, 15_000);
  await service.shop(storeId, 'smooth-teas');
  await page.goto('/shop/smooth-teas');
  // Lost if a page is loaded.
  await page.evaluate(() => document.documentElement.setAttribute('data-first', ''));
  await page.getByRole('searchbox').fill('green');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page).toHaveURL(/q=green/);
  await expect(page.getByRole('heading', { name: 'green', level: 1 })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Black tea' })).toBeHidden();
  await page.goBack();
  await page.getByRole('link', { name: 'Black tea' }).click();
  await expect(page).toHaveTitle('Black tea · Tea and Coffee');
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await page.getByRole('status').getByRole('link', { name: 'Go to the cart' }).click();
  await page.getByLabel('Quantity: Black tea').fill('3');
  await page.keyboard.press('Tab');
  await expect(page.getByText('₽450.00').first()).toBeVisible();
  await page.getByRole('link', { name: 'Checkout' }).click();
  await page.getByLabel('Name').fill('Anna');
  await page.getByLabel('Pickup').check();
  await expect(page.getByLabel('Address')).toBeHidden();
  await page.getByRole('link', { name: 'Cart 3' }).click();
  await page.getByRole('link', { name: 'Checkout' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Anna');
  await expect(page.getByLabel('Pickup')).toBeChecked();
  await page.getByRole('button', { name: 'Place order' }).click();
  // The phone is missing.
  await expect(page.getByLabel('Phone')).toBeFocused();
  expect(await page.evaluate(() => document.documentElement.hasAttribute('data-first'))).toBe(true);

  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Cart 3' }).click();
  await expect(page.getByRole('status')).toContainText('No connection.');
  await expect(page.getByLabel('Name')).toHaveValue('Anna');
  await page.context().setOffline(false);
  await page.goto('/shop/smooth-teas/products/x');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});

/** Puts both teas into the cart of a shop and opens the cart. */
async function fillCart(customer: Page, service: Service, storeId: string, slug: string) {
  for (const name of ['Green tea', 'Black tea']) await service.order(storeId, name, 1, 10_000);
  await service.shop(storeId, slug);
  await customer.goto(`/shop/${slug}`);
  for (const count of [1, 2]) {
    await customer
      .getByRole('button', { name: 'Add to cart' })
      .nth(count - 1)
      .click();
    await expect(customer.getByRole('link', { name: `Cart ${count}` })).toBeVisible();
  }
  await customer.getByRole('link', { name: 'Cart 2' }).click();
  await expect(customer.getByRole('heading', { name: 'Cart', level: 1 })).toBeVisible();
}

/** Waits until the script has received the page that follows a saved quantity. */
async function untilSaved(customer: Page, save: () => unknown) {
  const saved = customer.waitForResponse((response) => response.request().method() === 'GET');
  await save();
  await (await saved).finished();
  await expect(customer.locator('body')).not.toHaveAttribute('aria-busy');
}

test('on a slow network, every change of the cart is sent, and the checkout waits for them', async ({
  page,
  service,
  shop: { storeId },
}) => {
  await fillCart(page, service, storeId, 'slow-teas');
  const sendChanges = await holdRequests(page, '**/cart', 'POST');
  await page.getByLabel('Quantity: Green tea').fill('3');
  await page.getByLabel('Quantity: Black tea').fill('4');
  await page.getByRole('link', { name: 'Checkout' }).click();
  sendChanges();
  await expect(page.getByText('Green tea × 3')).toBeVisible();
  await expect(page.getByText('Black tea × 4')).toBeVisible();

  await page.goto('/shop/slow-teas');
  const sendAdditions = await holdRequests(page, '**/cart', 'POST');
  for (let count = 0; count < 3; count++) await page.getByRole('button', { name: 'Add to cart' }).first().click();
  await page.getByRole('link', { name: /^Cart/ }).click();
  sendAdditions();
  await expect(page.getByRole('link', { name: 'Cart 10' })).toBeVisible();
  await expect(page).toHaveURL(/\/cart$/);
});

test('a quantity that is being typed is not lost when the one before is saved', async ({
  page,
  service,
  shop: { storeId },
}) => {
  await fillCart(page, service, storeId, 'typed-teas');
  const sendChange = await holdRequests(page, '**/cart', 'POST');
  await page.getByLabel('Quantity: Green tea').fill('3');
  await page.getByLabel('Quantity: Black tea').fill('1');
  await page.keyboard.type('2');
  await untilSaved(page, sendChange);
  await page.keyboard.type('5');
  await page.keyboard.press('Tab');
  await expect(page.getByText('₽12,800.00')).toBeVisible();
});

test('the first click on the checkout counts when a quantity is saved between press and release', async ({
  page,
  service,
  shop: { storeId },
}) => {
  await fillCart(page, service, storeId, 'quick-teas');
  await page.getByLabel('Quantity: Green tea').fill('3');
  await page.getByRole('link', { name: 'Checkout' }).hover();
  await untilSaved(page, () => page.mouse.down());
  await page.mouse.up();
  await expect(page.getByText('Green tea × 3')).toBeVisible();
});

test('a product that is no longer sold is not added, and can be removed', async ({
  page,
  service,
  shop: { storeId },
}) => {
  await fillCart(page, service, storeId, 'gone-teas');
  await service.db.run(
    sql`update products set is_active = ${false} where store_id = ${storeId} and name = 'Green tea'`,
  );
  await page.getByRole('button', { name: 'Remove: Green tea' }).click();
  await expect(page.getByRole('link', { name: 'Cart 1' })).toBeVisible();
  await page.goBack();
  const add = page.getByRole('button', { name: 'Add to cart' }).first();
  await expect(add).toBeVisible();
  await service.db.run(sql`update products set is_active = ${false} where store_id = ${storeId}`);
  await add.click();
  await expect(page.getByRole('status')).toContainText('This product is no longer available.');
  await expect(page).toHaveURL(/gone-teas$/);
});

test('offline, a change of the cart says that it was not saved', async ({ page, service, shop: { storeId } }) => {
  await fillCart(page, service, storeId, 'offline-teas');
  const quantity = page.getByLabel('Quantity: Green tea');
  const sendChange = await holdRequests(page, '**/cart', 'POST');
  await quantity.fill('3');
  await page.getByRole('link', { name: 'Checkout' }).click();
  await page.context().setOffline(true);
  sendChange();
  await expect(page.getByRole('status')).toContainText('No connection. Your cart was not changed');
  await expect(quantity).toHaveValue('1');
  await expect(page).toHaveURL(/\/cart$/);
  await page.context().setOffline(false);
  await quantity.fill('3');
  await page.keyboard.press('Tab');
  await expect(page.getByText('₽400.00')).toBeVisible();
  await page.goto('/shop/offline-teas');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Add to cart' }).first().click();
  await expect(page.getByRole('status')).toContainText('No connection. Your cart was not changed');
  await page.context().setOffline(false);
});

test('the pages of a shop are accessible in both themes and fit a narrow phone', async ({ page, service, shop }) => {
  await service.order(shop.storeId, 'Green tea', 1, 15_000);
  await service.shop(shop.storeId, 'teas');
  await page.goto('/shop/teas');
  await expectAccessible(page);
  const heading = (name: string) => expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'Green tea' }).click();
  await heading('Green tea');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await expect(page.getByRole('status')).toContainText('Added');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Cart 1' }).click();
  await heading('Cart');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Checkout' }).click();
  await heading('Checkout');
  await expectAccessible(page);
});
