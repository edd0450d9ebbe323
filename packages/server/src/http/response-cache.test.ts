import { API_PREFIX, type Endpoint, type EndpointName, endpoints } from '@store-sales/contract';
import { expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { cleanUpAfter } from '../../test/cleanup.ts';
import { testDatabase } from '../../test/database.ts';
import { startService } from '../../test/service.ts';
import { sql } from '../db/sql.ts';
import { revokeKey } from '../keys/keys.ts';
import type { KeyCaller } from './callers.ts';
import { responseCache } from './response-cache.ts';

/** Two nodes on one database: one with the response cache, the other without. */
const database = await testDatabase();
cleanUpAfter(database.drop);
const cached = await startService({ database, damages: 'a clock that was set back' });
const uncached = await startService({
  database,
  env: { RESPONSE_CACHE_MB: '0' },
  damages: 'a clock that was set back',
});

async function storeWithRecords() {
  const shop = await cached.shop();
  const productId = await addProduct(cached, shop.storeId, { sku: 'A', name: 'Tea' });
  const send = async (method: string, path: string, body?: unknown) =>
    (await uncached.send(method, API_PREFIX + path, { key: shop.key, ...(body ? { body } : {}) })).body.data;
  const status = await send('POST', '/references/order-statuses', { group: 'new', name: 'Called back' });
  const paymentStatus = await send('POST', '/references/payment-statuses', { name: 'Invoiced' });
  const order = await send('POST', '/orders', { externalId: 'first', items: [{ productId, quantity: 1 }] });
  await send('PATCH', `/orders/${order.id}`, { statusId: status.id, paymentStatusId: paymentStatus.id });
  const [deliveryType] = await send('GET', '/references/delivery-types');
  return { ...shop, send, productId, status, paymentStatus, deliveryType, order };
}

type StoreRecords = Awaited<ReturnType<typeof storeWithRecords>>;

const addresses = ({ order, status, paymentStatus }: StoreRecords) => [
  `/orders/${order.id}`,
  '/orders',
  '/orders?with=items',
  '/orders?order=updatedAt:asc',
  '/orders?limit=1',
  '/orders?filter[status]=new',
  `/orders?filter[status]=${status.id}`,
  `/orders?filter[paymentStatus]=${paymentStatus.id}&order=updatedAt:desc`,
  '/orders?filter[externalId]=second',
];

const seen = (service: typeof cached, records: StoreRecords) =>
  Promise.all(
    addresses(records).map(async (path) => {
      const { status, text, headers } = await service.get(API_PREFIX + path, records.key);
      return { path, status, text, etag: headers.get('etag') };
    }),
  );

const sentAgain = async () =>
  Number(/^store_sales_response_cache_hits_total (\d+)/m.exec((await cached.get('/metrics')).text)?.[1]);

/** Every operation that changes data that orders may contain. */
const changes: Partial<Record<EndpointName, (records: StoreRecords) => [path: string, body: unknown][]>> = {
  createOrder: ({ productId }) => [['/orders', { externalId: 'second', items: [{ productId, quantity: 2 }] }]],
  changeOrder: ({ order }) => [
    [`/orders/${order.id}`, { notes: 'Call first' }],
    [`/orders/${order.id}`, { status: 'completed', paymentStatus: 'paid' }],
  ],
  changeStock: ({ productId }) => [
    ['/references/warehouses', { name: 'Shop' }],
    ['/stock', { lines: [{ productId, quantity: 3 }] }],
  ],
  createWarehouse: () => [['/references/warehouses', { name: 'North' }]],
  createPaymentType: () => [['/references/payment-types', { name: 'Barter' }]],
  createOrderStatus: () => [['/references/order-statuses', { group: 'new', name: 'Thought over' }]],
  createPaymentStatus: () => [['/references/payment-statuses', { name: 'Half' }]],
  changeDeliveryType: ({ deliveryType }) => [[`/references/delivery-types/${deliveryType.id}`, { name: 'By foot' }]],
  changeOrderStatusRecord: ({ status }) => [
    [`/references/order-statuses/${status.id}`, { name: 'Called twice' }],
    [`/references/order-statuses/${status.id}`, { name: 'Called thrice', isActive: false }],
    [`/references/order-statuses/${status.id}`, { name: 'Called', isActive: true }],
  ],
  changePaymentStatusRecord: ({ paymentStatus }) => [
    [`/references/payment-statuses/${paymentStatus.id}`, { name: 'Billed' }],
    [`/references/payment-statuses/${paymentStatus.id}`, { isPaid: true }],
    [`/references/payment-statuses/${paymentStatus.id}`, { isActive: false }],
  ],
};
const writing = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(([, { method }]) => method !== 'GET');

test.each(writing)('a node with cached responses shows the changes of %s in the next request', async (name, row) => {
  const steps = changes[name];
  if (!steps) throw new Error(`give this test changes for ${name}`);
  const records = await storeWithRecords();
  const before = await seen(cached, records);
  expect(await seen(uncached, records)).toEqual(before);
  const count = await sentAgain();
  expect(await seen(cached, records)).toEqual(before);
  expect(await sentAgain()).toBe(count + before.length);
  for (const [path, body] of steps(records)) {
    expect((await uncached.send(row.method, API_PREFIX + path, { key: records.key, body })).status).toBeLessThan(300);
    expect(await seen(cached, records)).toEqual(await seen(uncached, records));
  }
});

test('change numbers that repeat after a restore are cache misses', async () => {
  const records = await storeWithRecords();
  await seen(cached, records);
  await seen(cached, records);
  await uncached.db.run(sql`update store_clocks set seq = seq - 1 where store_id = ${records.storeId}`);
  uncached.clock.now += 1000;
  await records.send('PATCH', `/orders/${records.order.id}`, { notes: 'Changed once more' });
  expect(await seen(cached, records)).toEqual(await seen(uncached, records));
});

test('a cached response is sent only to its store, with a valid key', async () => {
  const [ours, others] = [await storeWithRecords(), await storeWithRecords()];
  const path = `${API_PREFIX}/orders`;
  const mine = await cached.get(path, ours.key);
  expect((await cached.get(path, ours.key)).text).toBe(mine.text);
  expect((await cached.get(path, others.key)).body.data[0].id).toBe(others.order.id);

  const without = await cached.key(ours.storeId, ['customers:read']);
  expect((await cached.get(path, without)).body.code).toBe('insufficient_rights');
  const { id } = (await cached.get(`${API_PREFIX}/credentials`, ours.key)).body.data;
  await revokeKey(uncached.db, id, uncached.clock.now);
  expect((await cached.get(path, ours.key)).body.code).toBe('invalid_key');
});

test('evicts the least recently used responses, and caches no large ones', () => {
  const cache = responseCache(200_000);
  const caller = { store_id: 'store', seq: 1 } as KeyCaller;
  const add = (url: string, kilobytes = 9) => cache.set(caller, url, { body: Buffer.alloc(kilobytes * 1000) });
  for (let index = 0; index < 10; index++) add(`/${index}`);
  for (let index = 0; index < 10; index++) expect(cache.get(caller, `/${index}`)).toBeDefined();
  for (let index = 10; index < 40; index++) {
    add(`/${index}`);
    expect(cache.get(caller, '/0')).toBeDefined();
  }
  expect(cache.get(caller, '/1')).toBeUndefined();
  add('/large', 20);
  expect(cache.get(caller, '/large')).toBeUndefined();
});
