import { expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { addProduct } from '../../test/catalog.ts';
import { insertProducts } from '../../test/rows.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner as signedInStore } from '../../test/signed-in-owner.ts';
import { webhooksOf } from '../../test/webhooks.ts';
import { createKey } from '../keys/keys.ts';
import { salesCache } from '../orders/sales/sales.ts';
import { listOrderStatuses } from '../orders/statuses/order-statuses.ts';
import { enableShop } from '../shop/shops.ts';
import { DAY } from '../time/duration.ts';
import { disableEndpoint } from '../webhooks/endpoints/switch-endpoint.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });

async function signedInOwner() {
  const owner = await service.owner();
  const store = await service.store({ ownerId: owner.id });
  const visitor = browser(service);
  await visitor.signIn(owner.email);
  const key = await service.key(store.id);
  const [tea, cup] = await insertProducts(service.db, store.id, [
    { name: 'Tea', sku: 'T-1', price: 1000 },
    { name: 'Cup', price: 300 },
  ]);
  const order = async (product: { id: string } | undefined, quantity: number) =>
    (await service.post('/api/v1/orders', { items: [{ productId: product?.id, quantity }] }, key)).body.data;
  const home = async (query = '') => (await visitor.get(`/stores/${store.id}/home${query}`)).body;
  const products = async (query = '') => (await visitor.get(`/stores/${store.id}/home/products${query}`)).body;
  return { storeId: store.id, visitor, key, tea, cup, order, home, products };
}

test('sales of the selected days, compared with the same number of days before', async () => {
  const { key, tea, cup, order, home, products } = await signedInOwner();
  expect(await home()).toMatchObject({
    current: { revenue: 0, orders: 0 },
    previous: { revenue: 0, orders: 0 },
    statuses: [],
    attention: [],
  });
  await order(tea, 5);
  service.clock.now += 8 * DAY;
  const first = await order(tea, 1);
  const second = await order(cup, 2);
  let seen = await home('?days=7');
  expect(seen).toMatchObject({ current: { revenue: 1600, orders: 2 }, previous: { revenue: 5000, orders: 1 } });
  expect(seen.days).toHaveLength(7);
  expect(seen.days.at(-1)).toEqual({
    date: '2026-10-05',
    revenue: 1600,
    orders: 2,
    previousRevenue: expect.any(Number),
  });
  expect(seen.statuses).toMatchObject([{ code: 'new', name: 'New', group: 'new', orders: 2 }]);
  expect(await products('?days=7')).toEqual([
    { id: tea?.id, name: 'Tea', sku: 'T-1', quantity: 1, revenue: 1000 },
    { id: cup?.id, name: 'Cup', sku: '', quantity: 2, revenue: 600 },
  ]);
  expect((await home('?days=30')).current).toEqual({ revenue: 6600, orders: 3 });

  // Cached sums are updated when orders change.
  service.clock.now += DAY;
  await service.patch(`/api/v1/orders/${second.id}`, { status: 'cancelled' }, key);
  await service.patch(`/api/v1/orders/${first.id}`, { status: 'packing' }, key);
  seen = await home('?days=7');
  expect(seen.current).toEqual({ revenue: 1000, orders: 1 });
  expect(seen.statuses.map(({ group, orders }: any) => [group, orders])).toEqual([
    ['packing', 1],
    ['cancelled', 1],
  ]);
  // Products count under the same rule.
  expect(await products('?days=7')).toMatchObject([{ name: 'Tea', quantity: 1, revenue: 1000 }]);
  await service.patch(`/api/v1/orders/${second.id}`, { status: 'returned' }, key);
  expect(await products('?days=7')).toMatchObject([{ name: 'Tea' }]);
  await service.patch(`/api/v1/orders/${second.id}`, { status: 'completed' }, key);
  expect(await products('?days=7')).toMatchObject([{ name: 'Tea' }, { name: 'Cup', quantity: 2, revenue: 600 }]);
  await service.patch(`/api/v1/orders/${second.id}`, { status: 'cancelled' }, key);
  await order(tea, 1);
  expect((await home('?days=7')).days.slice(-2)).toMatchObject([{ revenue: 1000 }, { revenue: 1000 }]);
  expect((await products('?days=90'))[0]).toMatchObject({ name: 'Tea', quantity: 7, revenue: 7000 });
});

test('sums that are cached follow later changes of finished days', async () => {
  const { key, tea, order, home } = await signedInOwner();
  const first = await order(tea, 1);
  service.clock.now += 3 * DAY;
  await order(tea, 2);
  service.clock.now += 3 * DAY;
  expect((await home('?days=7')).current).toEqual({ revenue: 3000, orders: 2 });
  await service.patch(`/api/v1/orders/${first.id}`, { status: 'cancelled' }, key);
  expect((await home('?days=7')).current).toEqual({ revenue: 2000, orders: 1 });
});

test('attention: disabled and failing endpoints, keys that expire soon', async () => {
  const { storeId, home } = await signedInOwner();
  const hooks = webhooksOf(service);
  const off = await hooks.endpoint('http://127.0.0.1:1/off', { storeId });
  await disableEndpoint(service.services, off.id);
  const failing = await hooks.endpoint('http://127.0.0.1:1/failing', { storeId });
  for (let count = 0; count < 5; count++) {
    await hooks.record(storeId);
    const dispatcher = hooks.dispatcher();
    await dispatcher.cycle();
    await dispatcher.close();
  }
  const key = { storeId, name: 'Soon', rights: ['orders:read'], life: 13 * DAY };
  const { key: soon } = await createKey(service.db, key, service.clock.now);
  expect((await home()).attention).toMatchObject([
    { kind: 'endpoint_off', id: off.id, name: 'http://127.0.0.1:1/off' },
    { kind: 'endpoint_failing', id: failing.id },
    { kind: 'key_expiring', id: soon.id, name: 'Soon', since: new Date(soon.expiresAt).toISOString() },
  ]);
});

test.each(['?days=8', '?days=', '?foo=1'])('%s is rejected', async (query) => {
  const { storeId, visitor } = await signedInOwner();
  expect((await visitor.get(`/stores/${storeId}/home${query}`)).status).toBe(400);
});

test('the cache of a large store is warmed up in advance', async () => {
  const { storeId, tea, order } = await signedInOwner();
  await order(tea, 2);
  await order(tea, 3);
  service.clock.now += 3 * DAY;
  // Of this store.
  let statements = 0;
  const all: typeof service.db.all = (statement) => {
    if (statement.values.includes(storeId)) statements++;
    return service.db.all(statement);
  };
  const cache = salesCache({ ...service.db, all });
  await cache.warmUp(90, service.clock.now, () => false, 3);
  await cache.warmUp(90, service.clock.now, () => true, 2);
  expect(statements).toBe(0);
  await cache.warmUp(90, service.clock.now, () => false, 2);
  expect(statements).toBeGreaterThan(90);
  statements = 0;
  const store = { id: storeId, timezone: 'Europe/Moscow' };
  const statuses = await listOrderStatuses(service.db, storeId);
  const ids = statuses.map(({ id }) => id);
  const days = await cache.days(store, ids, 7, service.clock.now);
  expect(days.flatMap(({ byStatus }) => byStatus)).toMatchObject([{ orders: 2, revenue: 5000 }]);
  expect(await cache.bestProducts(store, statuses, 7, 5, service.clock.now)).toMatchObject([
    { name: 'Tea', quantity: 5 },
  ]);
  // The name of the product.
  expect(statements).toBe(1);
});

test('each day has the revenue of the same day of the period before', async () => {
  const { tea, order, home } = await signedInOwner();
  await order(tea, 1);
  service.clock.now += 7 * DAY;
  await order(tea, 2);
  const { days } = await home('?days=7');
  expect(days.at(-1)).toMatchObject({ revenue: 2000, previousRevenue: 1000 });
  expect(days.slice(0, -1).every(({ previousRevenue }: any) => previousRevenue === 0)).toBe(true);
});

test('a store without orders gets its first steps, which tick themselves', async () => {
  const owner = await signedInStore(service);
  const setup = async () => (await owner.visitor.get(`${owner.path}/home`)).body.setup;
  const steps = (...done: string[]) =>
    ['product', 'order', 'shop', 'key', 'endpoint'].map((step) => ({ step, isDone: done.includes(step) }));
  expect(await setup()).toEqual(steps());
  await addProduct(service, owner.storeId, { sku: 'TEA' });
  await service.key(owner.storeId);
  expect(await setup()).toEqual(steps('product', 'key'));
  await webhooksOf(service).endpoint('http://127.0.0.1:1/', { storeId: owner.storeId });
  await enableShop(service.db, owner.storeId, 'teas', service.clock.now);
  expect(await setup()).toEqual(steps('product', 'shop', 'key', 'endpoint'));
  await owner.visitor.post(`${owner.path}/orders`, { items: [{ sku: 'TEA', quantity: 1 }] });
  expect(await setup()).toBeNull();
  const basic = await signedInStore(service, 'basic');
  const { body } = await basic.visitor.get(`${basic.path}/home`);
  expect(body.setup.map(({ step }: any) => step)).toEqual(['product', 'order', 'shop']);
});
