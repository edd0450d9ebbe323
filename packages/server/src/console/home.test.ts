import { expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { insertProducts } from '../../test/rows.ts';
import { startService } from '../../test/service.ts';
import { webhooksOf } from '../../test/webhooks.ts';
import { sql } from '../db/sql.ts';
import { createKey } from '../keys/keys.ts';
import { salesCache } from '../orders/sales.ts';
import { listOrderStatuses } from '../references/order-statuses.ts';
import { disableEndpoint } from '../webhooks/endpoints/endpoints.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
const DAY = 86_400_000;

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

test('sales of the days that were chosen, against as many days before', async () => {
  const { key, tea, cup, order, home, products } = await signedInOwner();
  expect(await home()).toMatchObject({
    present: { revenue: 0, orders: 0 },
    before: { revenue: 0, orders: 0 },
    statuses: [],
    attention: [],
  });
  await order(tea, 5);
  service.clock.now += 8 * DAY;
  const first = await order(tea, 1);
  const second = await order(cup, 2);
  let seen = await home('?days=7');
  expect(seen).toMatchObject({ present: { revenue: 1600, orders: 2 }, before: { revenue: 5000, orders: 1 } });
  expect(seen.days).toHaveLength(7);
  expect(seen.days.at(-1)).toEqual({ date: '2026-10-05', revenue: 1600, orders: 2 });
  expect(seen.statuses).toMatchObject([{ code: 'new', name: 'New', group: 'new', orders: 2 }]);
  expect(await products('?days=7')).toEqual([
    { id: tea?.id, name: 'Tea', sku: 'T-1', quantity: 1, revenue: 1000 },
    { id: cup?.id, name: 'Cup', sku: '', quantity: 2, revenue: 600 },
  ]);
  expect((await home('?days=30')).present).toEqual({ revenue: 6600, orders: 3 });

  // What was summed up before follows the orders that change.
  service.clock.now += DAY;
  await service.patch(`/api/v1/orders/${second.id}`, { status: 'cancelled' }, key);
  await service.patch(`/api/v1/orders/${first.id}`, { status: 'packing' }, key);
  seen = await home('?days=7');
  expect(seen.present).toEqual({ revenue: 1000, orders: 1 });
  expect(seen.statuses.map(({ group, orders }: any) => [group, orders])).toEqual([
    ['packing', 1],
    ['cancelled', 1],
  ]);
  await order(tea, 1);
  expect((await home('?days=7')).days.slice(-2)).toMatchObject([{ revenue: 1000 }, { revenue: 1000 }]);
  expect((await products('?days=90'))[0]).toMatchObject({ name: 'Tea', quantity: 7, revenue: 7000 });
});

test('finished days are saved for the next process, which sees what has changed since', async () => {
  const { storeId, key, tea, order, home } = await signedInOwner();
  const first = await order(tea, 1);
  service.clock.now += 3 * DAY;
  await order(tea, 2);
  service.clock.now += 3 * DAY;
  expect((await home('?days=7')).present).toEqual({ revenue: 3000, orders: 2 });

  const { db, clock } = service;
  const written = () => db.all<any>(sql`select day_at, sums from sales_days where store_id = ${storeId}`);
  await expect.poll(async () => (await written()).filter(({ sums }) => sums !== '[]').length).toBe(2);
  // Modify the saved sums to verify that they are used.
  await db.run(
    sql`update sales_days set sums = replace(sums, '2000', '9000') where store_id = ${storeId} and kind = 'statuses'`,
  );
  await service.patch(`/api/v1/orders/${first.id}`, { status: 'cancelled' }, key);
  const next = salesCache(db, () => {});
  const statuses = await listOrderStatuses(db, storeId);
  const ids = statuses.map(({ id }) => id);
  const days = await next.days({ id: storeId, timezone: 'Europe/Moscow' }, ids, 7, clock.now);
  const codes = new Map(statuses.map(({ id, code }) => [id, code]));
  expect(
    days.flatMap(({ byStatus }) => byStatus.map((sum) => [codes.get(sum.status_id), Number(sum.revenue)])),
  ).toEqual([
    ['cancelled', 1000],
    ['new', 9000],
  ]);
});

test('what needs attention: endpoints that are off or fail, keys that expire soon', async () => {
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

test.each(['?days=8', '?days=', '?foo=1'])('%s is refused', async (query) => {
  const { storeId, visitor } = await signedInOwner();
  expect((await visitor.get(`/stores/${storeId}/home${query}`)).status).toBe(400);
});

test('the cache of a large store is warmed up in advance', async () => {
  const { storeId, tea, order, home, products } = await signedInOwner();
  await order(tea, 2);
  await order(tea, 3);
  service.clock.now += 3 * DAY;
  const book = salesCache(service.db, (error) => expect(error).toBeUndefined());
  const savedDays = () =>
    service.db.all<{ kind: string }>(sql`select kind from sales_days where store_id = ${storeId}`);
  await book.warmUp(90, service.clock.now, () => false, 3);
  expect(await savedDays()).toEqual([]);
  await book.warmUp(90, service.clock.now, () => true, 2);
  expect(await savedDays()).toEqual([]);
  await book.warmUp(90, service.clock.now, () => false, 2);
  await expect.poll(async () => (await savedDays()).length).toBeGreaterThan(170);
  expect((await home('?days=7')).present).toEqual({ revenue: 5000, orders: 2 });
  expect(await products('?days=7')).toMatchObject([{ name: 'Tea', quantity: 5 }]);
});
