import type { Page, Request } from '@playwright/test';
import type { Role } from '@store-sales/contract/console';
import { expect, expectAccessible, signIn, test } from './fixtures.ts';
import type { Service } from './service.ts';

const everyone: readonly Role[] = ['owner', 'manager', 'integrator', 'viewer'];
const owners: readonly Role[] = ['owner'];
const managers: readonly Role[] = ['owner', 'manager'];
const integrators: readonly Role[] = ['owner', 'integrator'];
const managersAndViewers: readonly Role[] = ['owner', 'manager', 'viewer'];
const integratorsAndViewers: readonly Role[] = ['owner', 'integrator', 'viewer'];
const ownersAndViewers: readonly Role[] = ['owner', 'viewer'];

const navigation: [string, readonly Role[]][] = [
  ['Home', managersAndViewers],
  ['Orders', everyone],
  ['Catalog', managersAndViewers],
  ['Customers', managersAndViewers],
  ['Order settings', managersAndViewers],
  ['Order page', managersAndViewers],
  ['Team', ownersAndViewers],
  ['API keys', integratorsAndViewers],
  ['Webhooks', integratorsAndViewers],
  ['API requests', integratorsAndViewers],
  ['History', managersAndViewers],
  ['Store', ownersAndViewers],
  ['Account', everyone],
];

interface Seed {
  storeId: string;
  orderId: string;
  customerId: string;
  endpointId: string;
}

interface Screen {
  path: string;
  opens: readonly Role[];
  /** In the content of the page, when it has loaded. */
  shows: string;
  /** Names of buttons, links, menus and switches that change something, and the roles that have them. */
  changes: [string | RegExp, readonly Role[]][];
}

const screens = ({ orderId, customerId, endpointId }: Seed): Screen[] => [
  { path: '', opens: managersAndViewers, shows: 'Revenue by day', changes: [] },
  {
    path: '/orders',
    opens: everyone,
    shows: '#1',
    changes: [['New order', managers]],
  },
  { path: '/orders/board', opens: everyone, shows: '#1', changes: [['Move order #1', managers]] },
  { path: '/orders/new', opens: managers, shows: 'New order', changes: [['Create order', managers]] },
  {
    path: `/orders/${orderId}`,
    opens: everyone,
    shows: 'Delivered',
    changes: [
      ['Edit items and amounts', managers],
      ['Edit customer', managers],
      ['Edit delivery address', managers],
      ['Edit notes', managers],
      ['Edit paid amount', managers],
      ['Edit tracking number', managers],
      ['Edit additional data', managers],
      ['Status', managers],
      ['Payment', managers],
      [/^Resend to/, ['owner', 'manager', 'integrator']],
    ],
  },
  {
    path: '/catalog/products',
    opens: managersAndViewers,
    shows: 'Green tea',
    changes: [
      ['Import', managers],
      ['Add product', managers],
      ['Green tea: active', managers],
      ['Select all products of this page', managers],
    ],
  },
  {
    path: '/catalog/categories',
    opens: managersAndViewers,
    shows: 'Leaf teas',
    changes: [
      ['Add category', managers],
      ['More: Leaf teas', managers],
    ],
  },
  {
    path: '/catalog/promo-codes',
    opens: managersAndViewers,
    shows: 'No promo codes yet',
    changes: [['Add promo code', managers]],
  },
  { path: '/catalog/import', opens: managers, shows: 'Catalog', changes: [] },
  {
    path: '/customers',
    opens: managersAndViewers,
    shows: 'Anna',
    changes: [
      ['Add customer', managers],
      ['Import', managers],
    ],
  },
  {
    path: `/customers/${customerId}`,
    opens: managersAndViewers,
    shows: 'Contact',
    changes: [
      ['Edit', managers],
      ['Merge', managers],
      ['New order', managers],
    ],
  },
  {
    path: '/references/order-statuses',
    opens: managersAndViewers,
    shows: 'Waiting',
    changes: [
      ['Add status: New', managers],
      ['Move Waiting up', managers],
      ['More: Waiting', managers],
    ],
  },
  {
    path: '/references/payment-statuses',
    opens: managersAndViewers,
    shows: 'Unpaid',
    changes: [['Add payment status', managers]],
  },
  {
    path: '/references/warehouses',
    opens: managersAndViewers,
    shows: 'North',
    changes: [
      ['Add warehouse', managers],
      ['Edit North', managers],
      ['North: enabled', managers],
    ],
  },
  { path: '/settings/shop', opens: managersAndViewers, shows: 'Settings', changes: [['Save changes', managers]] },
  {
    path: '/settings/team',
    opens: ownersAndViewers,
    shows: 'Anna Ivanova',
    changes: [
      ['Invite someone', owners],
      ['Actions for Anna Ivanova', owners],
    ],
  },
  {
    path: '/settings/api-keys',
    opens: integratorsAndViewers,
    shows: 'Site',
    changes: [
      ['Create key', integrators],
      ['Revoke Site', integrators],
    ],
  },
  { path: '/settings/requests', opens: integratorsAndViewers, shows: 'No requests yet', changes: [] },
  {
    path: '/settings/webhooks',
    opens: integratorsAndViewers,
    shows: '/hook',
    changes: [
      ['Add endpoint', integrators],
      ['Verify a signature', integrators],
    ],
  },
  { path: '/settings/webhooks/signature', opens: integrators, shows: 'Signing secret', changes: [] },
  {
    path: `/settings/webhooks/${endpointId}`,
    opens: integratorsAndViewers,
    shows: 'Order created',
    changes: [
      ['Send test', integrators],
      ['Disable', integrators],
      ['Edit', integrators],
      ['Replace secret', integrators],
      ['Delete endpoint', integrators],
      ['Resend all', integrators],
    ],
  },
  { path: '/history', opens: managersAndViewers, shows: 'Leaf teas', changes: [] },
  {
    path: '/settings/store',
    opens: ownersAndViewers,
    shows: 'Currency',
    changes: [
      ['Save changes', owners],
      ['Save seller', owners],
    ],
  },
];

/** A store with one of everything; its owner is signed in on the page. */
async function seed(page: Page, service: Service): Promise<Seed> {
  const owner = await service.owner();
  const { id: storeId } = await service.store(owner.id);
  const { id: endpointId } = await service.endpoint(storeId, (await service.receiver()).url);
  const { id: orderId } = await service.order(storeId, 'Green tea', 2, 1000);
  await service.key(storeId, 'Site');
  await signIn(page, owner.email);
  await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
  const post = (path: string, body: object) =>
    page.evaluate(
      async ([url, content]) => {
        const headers = { 'Content-Type': 'application/json' };
        const response = await fetch(url, { method: 'POST', headers, body: content });
        if (!response.ok) throw new Error(`${url}: ${await response.text()}`);
        return response.json();
      },
      [`/console/api/stores/${storeId}${path}`, JSON.stringify(body)] as const,
    );
  await post('/categories', { name: 'Leaf teas' });
  await post('/warehouses', { name: 'North' });
  await post('/order-statuses', { name: 'Waiting', group: 'new' });
  const customer = await post('/customers', { name: 'Anna', phone: '+79001234567' });
  return { storeId, orderId, customerId: customer.id, endpointId };
}

/** The seeded store, with someone of this role signed in instead of its owner, and the requests that were refused. */
async function storeOf(page: Page, service: Service, role: Role) {
  const store = await seed(page, service);
  const member = await service.member(store.storeId, role);
  await page.context().clearCookies();
  const refused: string[] = [];
  const pending = new Set<Request>();
  // The stream of changes does not end.
  page.on('request', (request) => {
    if (/\/console\/api\/(?!.*\/changes$)/.test(request.url())) pending.add(request);
  });
  page.on('requestfailed', (request) => pending.delete(request));
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('response', (response) => {
    if (response.url().includes('/console/api/') && response.status() === 403) refused.push(response.url());
  });
  await signIn(page, member.email);
  await expect(page.getByRole('link', { name: 'Account' })).toBeVisible();
  const settled = () => expect.poll(() => pending.size).toBe(0);
  return { ...store, memberId: member.id, refused, settled };
}

const NO_ACCESS = 'Your role does not include this page';
const content = (page: Page) => page.locator('main');
const named = (page: Page, name: string | RegExp) =>
  content(page)
    .locator('button, a, input, [role=combobox]')
    .and(
      page
        .getByRole('button', { name, exact: true })
        .or(page.getByRole('link', { name, exact: true }))
        .or(page.getByRole('switch', { name, exact: true }))
        .or(page.getByRole('checkbox', { name, exact: true }))
        .or(page.getByRole('combobox', { name, exact: true })),
    );

for (const role of everyone) {
  test(`what the role ${role} may not do is not shown, and nothing is refused`, async ({ page, service }) => {
    test.slow();
    const store = await storeOf(page, service, role);
    const first = role === 'integrator' ? 'Orders' : 'Home';
    await expect(page.getByRole('heading', { name: first, level: 1 })).toBeVisible();

    const links = navigation.filter(([, roles]) => roles.includes(role)).map(([name]) => name);
    await expect(page.getByRole('navigation').first().getByRole('link')).toHaveText(links);
    for (const name of links) {
      await page.getByRole('navigation').first().getByRole('link', { name, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      await store.settled();
      await expect(page.getByRole('heading', { name: NO_ACCESS })).toHaveCount(0);
    }

    for (const { path, opens, shows, changes } of screens(store)) {
      if (path === '' && role === 'integrator') continue;
      await page.goto(`/console/stores/${store.storeId}${path}`);
      if (!opens.includes(role)) {
        await expect(page.getByRole('heading', { name: NO_ACCESS, level: 1 }), path).toBeVisible();
        continue;
      }
      await expect(content(page).getByText(shows).filter({ visible: true }).first(), path).toBeVisible();
      for (const [name, roles] of changes)
        await expect(named(page, name).filter({ visible: true }), `${path}: ${name}`).toHaveCount(
          roles.includes(role) ? 1 : 0,
        );
      await store.settled();
    }
    expect(store.refused).toEqual([]);
  });
}

test('a page that the role does not include leads to one that it does', async ({ page, service }) => {
  const { storeId, refused } = await storeOf(page, service, 'integrator');
  await page.goto(`/console/stores/${storeId}/customers`);
  await expect(page.getByRole('heading', { name: NO_ACCESS, level: 1 })).toBeVisible();
  await expect(page.getByText('Your role in this store: Integrator.')).toBeVisible();
  await expectAccessible(page);
  await content(page).getByRole('link', { name: 'Orders' }).click();
  await expect(page.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible();
  // The address of the store leads there as well.
  await page.goto(`/console/stores/${storeId}`);
  await expect(page.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible();
  expect(refused).toEqual([]);
});

test('search and shortcuts follow the role', async ({ page, service }) => {
  const { refused } = await storeOf(page, service, 'integrator');
  await expect(page.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible();
  await page.keyboard.press('n');
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help).toBeVisible();
  await expect(help.getByText('New order')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible();

  const searches: string[] = [];
  page.on('request', (request) => {
    if (/\/console\/api\/.*\/search/.test(request.url())) searches.push(request.url());
  });
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Find anything' });
  await expect(palette.getByRole('option')).toHaveText([/Orders/, /Board/, /API keys/, /Webhooks/, /Account/]);
  await palette.getByRole('combobox').fill('tea');
  await expect(palette.getByText('Nothing found for “tea”.')).toBeVisible();
  expect(searches).toEqual([]);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Switch store' }).click();
  await expect(page.getByRole('menuitem')).toHaveCount(1);
  await expect(page.getByRole('menuitem', { name: 'Create store' })).toHaveCount(0);
  expect(refused).toEqual([]);
});

test('a viewer sees orders and products, and changes none', async ({ page, service }) => {
  const { storeId, orderId, refused } = await storeOf(page, service, 'viewer');
  await page.goto(`/console/stores/${storeId}/orders`);
  await page.getByRole('checkbox', { name: 'Select order #1' }).first().check();
  const selection = page.getByRole('region', { name: 'Selected orders' });
  await expect(selection.getByRole('button', { name: 'Print' })).toBeVisible();
  await expect(selection.getByRole('button', { name: 'Change status' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Views' })).toHaveCount(0);
  await expectAccessible(page);

  await page.goto(`/console/stores/${storeId}/orders/board`);
  const column = (name: string) => page.getByRole('region', { name, exact: true });
  const card = column('New').getByRole('listitem');
  await expect(card).toHaveAttribute('draggable', 'false');
  await card.dragTo(column('Packing'));
  await expect(card).toHaveCount(1);
  await expect(column('Packing').getByRole('listitem')).toHaveCount(0);

  await page.goto(`/console/stores/${storeId}/orders/${orderId}`);
  await expect(page.getByRole('heading', { name: 'Status and payment' })).toBeVisible();
  await expectAccessible(page);

  await page.goto(`/console/stores/${storeId}/catalog/products`);
  await page.getByRole('button', { name: 'Green tea' }).first().click();
  const product = page.getByRole('dialog', { name: 'Green tea' });
  await expect(product.getByText('Price')).toBeVisible();
  await expect(product.locator('input, textarea')).toHaveCount(0);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.goto(`/console/stores/${storeId}/catalog/products?product=new`);
  await expect(page.getByRole('button', { name: 'Green tea' }).first()).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(refused).toEqual([]);
});

test('on a phone the role has the same pages', async ({ page, service }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const { storeId, refused } = await storeOf(page, service, 'viewer');
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/orders', '/orders/board', '/catalog/products', '/settings/api-keys', '/settings/shop']) {
    await page.goto(`/console/stores/${storeId}${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const name of ['New order', 'Move order #1', 'Add product', 'Create key', 'Save changes'])
      await expect(content(page).getByRole('button', { name })).toHaveCount(0);
    await expectAccessible(page);
  }
  await page.goto(`/console/stores/${storeId}/orders/new`);
  await expect(page.getByRole('heading', { name: NO_ACCESS, level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).click();
  await expect(page.getByRole('heading', { name: 'Webhooks', level: 1 })).toBeVisible();
  expect(refused).toEqual([]);
});

test('open pages follow a role that has changed', async ({ page, service }) => {
  const { storeId, memberId } = await storeOf(page, service, 'manager');
  await page.getByRole('link', { name: 'Catalog' }).click();
  const active = page.getByRole('switch', { name: 'Green tea: active' });
  await expect(active).toBeVisible();
  await service.setRole(storeId, memberId, 'viewer');
  await active.locator('xpath=..').click();
  await expect(page.getByText('Your role in this store is now Viewer.')).toBeVisible();
  await expect(active).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'API keys' })).toBeVisible();

  await service.setRole(storeId, memberId, 'integrator');
  await page.getByRole('link', { name: 'Customers' }).click();
  await expect(page.getByRole('heading', { name: NO_ACCESS, level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Customers' })).toHaveCount(0);
});
