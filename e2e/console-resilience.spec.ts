import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNotification, signIn, test, withoutChanges } from './fixtures.ts';
import { PASSWORD, type Service } from './service.ts';

/** A product, orders of it through the console API, and a way to change them as someone else would. */
async function prepare(page: Page, service: Service, storeId: string, orders: object[] = []) {
  const api = `/console/api/stores/${storeId}`;
  const headers = { origin: service.url };
  const product = { name: 'Green tea', sku: 'TEA-1', price: 15_000 };
  expect((await page.request.post(`${api}/products`, { headers, data: product })).ok()).toBe(true);
  const ids: string[] = [];
  for (const order of orders) {
    const data = { items: [{ sku: 'TEA-1', quantity: 2 }], ...order };
    ids.push((await (await page.request.post(`${api}/orders`, { headers, data })).json()).order.id);
  }
  const read = async (index: number) =>
    (await (await page.request.get(`${api}/orders/${ids[index]}`)).json()).order as {
      customer: { name: string; phone: string };
      status: { code: string };
      notes: string;
    };
  const change = async (index: number, data: object) =>
    expect((await page.request.patch(`${api}/orders/${ids[index]}`, { headers, data })).ok()).toBe(true);
  const count = async () => (await (await page.request.get(`${api}/orders`)).json()).data.length as number;
  return { ids, read, change, count, api, path: `/console/stores/${storeId}` };
}

const anna = { customer: { name: 'Anna', phone: '+7 916 000-00-01' } };
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });
const notes = (page: Page) => page.getByRole('textbox', { name: 'Notes' });
const save = (page: Page) => page.getByRole('button', { name: 'Save changes' });
const unsaved = (page: Page) => dialogOf(page, 'Discard unsaved changes?');
const sessionEnded = (page: Page) => dialogOf(page, 'Your session has ended');
async function endSession(page: Page) {
  // The stream of changes would notice it by itself, before the test does something.
  await withoutChanges(page);
  await page.context().clearCookies({ name: 'session' });
}

/** The console refreshes what it shows when the connection is back. */
async function refresh(page: Page) {
  await page.context().setOffline(true);
  await page.context().setOffline(false);
}

async function signInAgain(page: Page, email?: string) {
  const dialog = sessionEnded(page);
  if (email) await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
}

/** Fills in a new order of one product. */
async function fillOrder(page: Page, path: string) {
  await page.goto(`${path}/orders/new`);
  await page.getByRole('combobox', { name: 'Add a product' }).fill('TEA');
  await page.getByRole('option', { name: /Green tea/ }).click();
  await page.getByLabel('Name').fill('Anna');
}

const create = (page: Page) => page.getByRole('button', { name: 'Create order' });

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
});

test.describe('two tabs', () => {
  test("a conflict keeps the other one's change, and only what was typed here is saved", async ({
    page,
    service,
    shop,
  }) => {
    const { ids, read, path } = await prepare(page, service, shop.storeId, [anna]);
    const other = await page.context().newPage();
    for (const tab of [page, other]) {
      await tab.goto(`${path}/orders/${ids[0]}`);
      await tab.getByRole('button', { name: 'Edit customer' }).click();
    }
    await page.getByLabel('Phone').fill('+7 916 000-00-02');
    await other.getByLabel('Name').fill('Bella');
    await save(other).click();
    await expect(other.getByRole('dialog')).toHaveCount(0);

    await save(page).click();
    const dialog = dialogOf(page, 'Edit customer');
    await expect(dialog.getByRole('alert')).toContainText('Someone else changed this while you were editing');
    await expect(dialog.getByRole('listitem')).toHaveText(['Name: Bella']);
    await expect(dialog.getByLabel('Name')).toHaveValue('Bella');
    await expect(dialog.getByLabel('Phone')).toHaveValue('+7 916 000-00-02');
    await expectAccessible(page);
    await save(page).click();
    await expect(dialog).toHaveCount(0);
    expect((await read(0)).customer).toMatchObject({ name: 'Bella', phone: '+7 916 000-00-02' });
  });

  test('a field changed by both shows both values, and saving again decides', async ({ page, service, shop }) => {
    const { ids, read, change, path } = await prepare(page, service, shop.storeId, [anna]);
    await page.goto(`${path}/orders/${ids[0]}`);
    await page.getByRole('button', { name: 'Edit customer' }).click();
    await page.getByLabel('Phone').fill('+7 916 000-00-02');
    await change(0, { customer: { phone: '+7 916 000-00-03' }, status: 'packing' });
    // The page behind the dialog is refreshed; the form still belongs to the version that it was opened with.
    await refresh(page);
    await expect(page.getByRole('combobox', { name: 'Status', includeHidden: true })).toHaveValue('Packing');
    await save(page).click();
    const dialog = dialogOf(page, 'Edit customer');
    await expect(dialog.getByRole('listitem')).toHaveText([
      'Phone: +7 916 000-00-03 (you entered: +7 916 000-00-02)',
      'Status: Packing',
    ]);
    await expect(dialog.getByLabel('Phone')).toHaveValue('+7 916 000-00-02');
    await save(page).click();
    await expect(dialog).toHaveCount(0);
    expect(await read(0)).toMatchObject({ customer: { phone: '+7 916 000-00-02' }, status: { code: 'packing' } });
  });

  test('a product that someone else changed is saved with the changes of both', async ({ page, service, shop }) => {
    const { path, api } = await prepare(page, service, shop.storeId);
    await page.goto(`${path}/catalog/products`);
    await page.getByRole('button', { name: 'Green tea' }).click();
    const drawer = dialogOf(page, 'Edit product');
    await drawer.getByLabel('Name').fill('Black tea');
    const { data } = await (await page.request.get(`${api}/products`)).json();
    const headers = { origin: service.url };
    await page.request.patch(`${api}/products/${data[0].id}`, { headers, data: { price: 20_000 } });
    // A refresh in the background does not touch what was typed.
    await refresh(page);
    await save(page).click();
    await expect(drawer.getByRole('alert')).toContainText('Price: 200');
    await expect(drawer.getByLabel('Name')).toHaveValue('Black tea');
    await expectAccessible(page);
    await save(page).click();
    await expect(drawer).toHaveCount(0);
    const product = await (await page.request.get(`${api}/products/${data[0].id}`)).json();
    expect(product).toMatchObject({ name: 'Black tea', price: 20_000 });
  });

  test('a card that someone else changed is not moved on the board', async ({ page, service, shop }) => {
    const { read, change, path } = await prepare(page, service, shop.storeId, [anna]);
    await withoutChanges(page);
    await page.goto(`${path}/orders/board`);
    const move = async (to: string) => {
      await page.getByRole('button', { name: 'Move order #1' }).click();
      await page.getByRole('menuitem', { name: to }).click();
    };
    await expect(page.getByRole('button', { name: 'Move order #1' })).toBeVisible();
    await change(0, { status: 'cancelled' });
    await expectNotification(page, 'Order #1 was not moved because someone else changed it.', () => move('Packing'));
    await expect(page.getByRole('region', { name: 'Cancelled' }).getByRole('listitem')).toHaveText([/#1/]);
    expect((await read(0)).status.code).toBe('cancelled');
    // Two moves one right after the other are no conflict.
    await move('Packing');
    await expectNotification(page, 'Order #1: Completed', () => move('Completed'));
    expect((await read(0)).status.code).toBe('completed');
  });
});

test.describe('a session that ends', () => {
  test('is continued in a dialog, and what was typed is saved once', async ({ page, service, shop }) => {
    const { ids, read, path } = await prepare(page, service, shop.storeId, [anna]);
    await page.goto(`${path}/orders/${ids[0]}`);
    await page.getByRole('button', { name: 'Edit notes' }).click();
    await notes(page).fill('Call first');
    await endSession(page);
    const sent: number[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'PATCH') sent.push(response.status());
    });
    await save(page).click();
    await expect(sessionEnded(page).getByLabel('E-mail')).toHaveValue(shop.email);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(sessionEnded(page)).toBeVisible();
    await expect(notes(page)).toHaveValue('Call first');
    await signInAgain(page);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Notes' })).toContainText('Call first');
    expect((await read(0)).notes).toBe('Call first');
    expect(sent).toEqual([401, 200]);
  });

  test('several calls at once wait for one dialog', async ({ page, service, shop }) => {
    const { path } = await prepare(page, service, shop.storeId, [anna]);
    await page.goto(`${path}/orders`);
    await expect(page.getByRole('table')).toContainText('#1');
    await endSession(page);
    await page.getByText('Board').click();
    await expect(sessionEnded(page)).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await signInAgain(page);
    await expect(page.getByRole('region', { name: 'New', exact: true }).getByRole('listitem')).toHaveText([/#1/]);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test("another owner's sign-in sends nothing and loads the console again", async ({ page, service, shop }) => {
    const { ids, path } = await prepare(page, service, shop.storeId, [anna]);
    const second = await service.owner('Boris Petrov');
    await service.store(second.id, 'Books');
    await page.goto(`${path}/orders/new`);
    await page.getByLabel('Name').fill('Secret customer');
    await page.goto(`${path}/orders/${ids[0]}`);
    await page.getByRole('button', { name: 'Edit notes' }).click();
    await notes(page).fill('Call first');
    await endSession(page);
    const sent: number[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'PATCH') sent.push(response.status());
    });
    await save(page).click();
    await signInAgain(page, second.email);
    await expect(page.getByRole('button', { name: /Books/ })).toBeVisible();
    expect(sent).toEqual([401]);
    expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => /draft/.test(key)))).toEqual([]);
  });

  test('signing out in one tab also leaves the others', async ({ page, service, shop }) => {
    const { path } = await prepare(page, service, shop.storeId, [anna]);
    const other = await page.context().newPage();
    await fillOrder(other, path);
    await page.getByRole('button', { name: /^Your account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(other.getByRole('heading', { name: 'Sign in to your store' })).toBeVisible();
    expect(await other.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Anna');
  });
});

test.describe('without a connection', () => {
  test('saving says so and can be tried again', async ({ page, context, service, shop }) => {
    const { ids, read, path } = await prepare(page, service, shop.storeId, [anna]);
    await page.goto(`${path}/orders/${ids[0]}`);
    await page.getByRole('button', { name: 'Edit notes' }).click();
    await notes(page).fill('Call first');
    await context.setOffline(true);
    await save(page).click();
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Could not reach the server.');
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
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('The server did not respond in time.');
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
});

test.describe('unsaved work', () => {
  test('leaving a dialog or a drawer asks', async ({ page, service, shop }) => {
    const { ids, path } = await prepare(page, service, shop.storeId, [anna]);
    await page.goto(`${path}/orders/${ids[0]}`);
    const leave = {
      escape: () => page.keyboard.press('Escape'),
      x: () => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click(),
      outside: () => page.mouse.click(5, 5),
      back: () => page.goBack(),
    };
    await page.getByRole('button', { name: 'Edit notes' }).click();
    // The dialog is loaded when it is first opened.
    await expect(notes(page)).toBeVisible();
    await leave.escape();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('button', { name: 'Edit notes' }).click();
    await notes(page).fill('Call first');
    for (const way of ['escape', 'x', 'outside'] as const) {
      await leave[way]();
      await expect(unsaved(page), way).toBeVisible();
      if (way === 'escape') await expectAccessible(page);
      // Escape answers the question only; the dialog below stays.
      await page.keyboard.press('Escape');
      await expect(unsaved(page)).toHaveCount(0);
      await expect(notes(page)).toHaveValue('Call first');
    }
    await leave.escape();
    await unsaved(page).getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);

    await page.goto(`${path}/catalog/products`);
    await page.getByRole('button', { name: 'Green tea' }).click();
    const drawer = dialogOf(page, 'Edit product');
    await drawer.getByLabel('Name').fill('Black tea');
    for (const way of ['escape', 'back'] as const) {
      await leave[way]();
      await unsaved(page).getByRole('button', { name: 'Keep editing' }).click();
      await expect(drawer.getByLabel('Name')).toHaveValue('Black tea');
    }
    await drawer.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('a new order asks before it is left, and is kept over a reload', async ({ page, service, shop }) => {
    const { path, count } = await prepare(page, service, shop.storeId);
    await fillOrder(page, path);
    await page.getByRole('link', { name: 'Customers' }).click();
    await expect(unsaved(page)).toBeVisible();
    await unsaved(page).getByRole('button', { name: 'Keep editing' }).click();
    await expect(page.getByLabel('Name')).toHaveValue('Anna');

    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.type());
      void dialog.accept();
    });
    await page.reload();
    expect(questions).toEqual(['beforeunload']);
    const draft = page.getByText('Draft restored');
    await expect(draft).toBeVisible();
    await expect(page.getByLabel('Name')).toHaveValue('Anna');
    await expect(page.getByRole('group', { name: 'Green tea' })).toBeVisible();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Discard draft' }).click();
    await expect(draft).toHaveCount(0);
    await expect(page.getByLabel('Name')).toHaveValue('');
    await page.reload();
    await expect(create(page)).toBeVisible();
    await expect(draft).toHaveCount(0);

    await fillOrder(page, path);
    await create(page).click();
    await expect(page.getByRole('heading', { name: 'Order #1', level: 1 })).toBeVisible();
    await page.goto(`${path}/orders/new`);
    await expect(create(page)).toBeVisible();
    await expect(draft).toHaveCount(0);
    expect(await count()).toBe(1);
  });

  test('signing out asks, and removes the draft', async ({ page, service, shop }) => {
    const { path } = await prepare(page, service, shop.storeId);
    await fillOrder(page, path);
    const signOut = async () => {
      await page.getByRole('button', { name: /^Your account/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    await signOut();
    await unsaved(page).getByRole('button', { name: 'Keep editing' }).click();
    await expect(page.getByLabel('Name')).toHaveValue('Anna');
    await signOut();
    await unsaved(page).getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in to your store' })).toBeVisible();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Anna');
    await signIn(page, shop.email);
    await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
    await page.goto(`${path}/orders/new`);
    await expect(page.getByLabel('Name')).toHaveValue('');
  });
});
