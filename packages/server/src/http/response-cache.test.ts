import { API_PREFIX, type Endpoint, type EndpointName, endpoints } from '@store-sales/contract';
import { expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { cleanUpAfter } from '../../test/cleanup.ts';
import { testDatabase } from '../../test/database.ts';
import { startService } from '../../test/service.ts';
import { sql } from '../db/sql.ts';
import type { Caller } from '../keys/authenticate.ts';
import { revokeKey } from '../keys/keys.ts';
import { responseCache } from './response-cache.ts';

/** Two nodes on one database: one keeps answers, the other makes every answer anew. */
const place = await testDatabase();
cleanUpAfter(place.drop);
const keeping = await startService({ place });
const making = await startService({ place, env: { RESPONSE_CACHE_MB: '0' } });

async function stocked() {
  const shop = await keeping.shop();
  const productId = await addProduct(keeping, shop.storeId, { sku: 'A', name: 'Tea' });
  const send = async (method: string, path: string, body?: unknown) =>
    (await making.send(method, API_PREFIX + path, { key: shop.key, ...(body ? { body } : {}) })).body.data;
  const status = await send('POST', '/references/order-statuses', { group: 'new', name: 'Called back' });
  const paymentStatus = await send('POST', '/references/payment-statuses', { name: 'Invoiced' });
  const order = await send('POST', '/orders', { externalId: 'first', items: [{ productId, quantity: 1 }] });
  await send('PATCH', `/orders/${order.id}`, { statusId: status.id, paymentStatusId: paymentStatus.id });
  const [deliveryType] = await send('GET', '/references/delivery-types');
  return { ...shop, send, productId, status, paymentStatus, deliveryType, order };
}

type Stock = Awaited<ReturnType<typeof stocked>>;

const addresses = ({ order, status, paymentStatus }: Stock) => [
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

const seen = (service: typeof keeping, stock: Stock) =>
  Promise.all(
    addresses(stock).map(async (path) => {
      const { status, text, headers } = await service.get(API_PREFIX + path, stock.key);
      return { path, status, text, etag: headers.get('etag') };
    }),
  );

const sentAgain = async () =>
  Number(/^store_sales_response_cache_hits_total (\d+)/m.exec((await keeping.get('/metrics')).text)?.[1]);

/** Every operation that changes something; of what it changes, orders may show any part. */
const changes: Partial<Record<EndpointName, (stock: Stock) => [path: string, body: unknown][]>> = {
  createOrder: ({ productId }) => [['/orders', { externalId: 'second', items: [{ productId, quantity: 2 }] }]],
  changeOrder: ({ order }) => [
    [`/orders/${order.id}`, { notes: 'Call first' }],
    [`/orders/${order.id}`, { status: 'completed', paymentStatus: 'paid' }],
  ],
  createWarehouse: () => [['/references/warehouses', { name: 'North' }]],
  createPaymentType: () => [['/references/payment-types', { name: 'Barter' }]],
  createOrderStatus: () => [['/references/order-statuses', { group: 'new', name: 'Thought over' }]],
  createPaymentStatus: () => [['/references/payment-statuses', { name: 'Half' }]],
  changeDeliveryType: ({ deliveryType }) => [[`/references/delivery-types/${deliveryType.id}`, { name: 'By foot' }]],
  changeOrderStatus: ({ status }) => [
    [`/references/order-statuses/${status.id}`, { name: 'Called twice' }],
    [`/references/order-statuses/${status.id}`, { name: 'Called thrice', isActive: false }],
    [`/references/order-statuses/${status.id}`, { name: 'Called', isActive: true }],
  ],
  changePaymentStatus: ({ paymentStatus }) => [
    [`/references/payment-statuses/${paymentStatus.id}`, { name: 'Billed' }],
    [`/references/payment-statuses/${paymentStatus.id}`, { isPaid: true }],
    [`/references/payment-statuses/${paymentStatus.id}`, { isActive: false }],
  ],
};
const writing = (Object.entries(endpoints) as [EndpointName, Endpoint][]).filter(([, { method }]) => method !== 'GET');

test.each(writing)(
  'what %s changed is seen by the next request, on a node that kept the answers',
  async (name, row) => {
    const steps = changes[name];
    if (!steps) throw new Error(`give this test changes for ${name}`);
    const stock = await stocked();
    const before = await seen(keeping, stock);
    expect(await seen(making, stock)).toEqual(before);
    const count = await sentAgain();
    expect(await seen(keeping, stock)).toEqual(before);
    expect(await sentAgain()).toBe(count + before.length);
    for (const [path, body] of steps(stock)) {
      expect((await making.send(row.method, API_PREFIX + path, { key: stock.key, body })).status).toBeLessThan(300);
      expect(await seen(keeping, stock)).toEqual(await seen(making, stock));
    }
  },
);

test('numbers that are given out a second time, after a restore, keep nothing', async () => {
  const stock = await stocked();
  await seen(keeping, stock);
  await seen(keeping, stock);
  await making.db.run(sql`update store_clocks set seq = seq - 1 where store_id = ${stock.storeId}`);
  making.clock.now += 1000;
  await stock.send('PATCH', `/orders/${stock.order.id}`, { notes: 'Changed once more' });
  expect(await seen(keeping, stock)).toEqual(await seen(making, stock));
});

test('a kept answer is nobody else’s, and needs a key that holds', async () => {
  const [ours, theirs] = [await stocked(), await stocked()];
  const path = `${API_PREFIX}/orders`;
  const mine = await keeping.get(path, ours.key);
  expect((await keeping.get(path, ours.key)).text).toBe(mine.text);
  expect((await keeping.get(path, theirs.key)).body.data[0].id).toBe(theirs.order.id);

  const without = await keeping.key(ours.storeId, ['customers:read']);
  expect((await keeping.get(path, without)).body.code).toBe('insufficient_rights');
  const { id } = (await keeping.get(`${API_PREFIX}/credentials`, ours.key)).body.data;
  await revokeKey(making.db, id, making.clock.now);
  expect((await keeping.get(path, ours.key)).body.code).toBe('invalid_key');
});

test('what was not wanted lately goes, and nothing large is kept', () => {
  const cache = responseCache(200_000);
  const caller = { store_id: 'store', seq: 1 } as Caller;
  const keep = (url: string, kilobytes = 9) => cache.set(caller, url, { body: Buffer.alloc(kilobytes * 1000) });
  for (let index = 0; index < 10; index++) keep(`/${index}`);
  for (let index = 0; index < 10; index++) expect(cache.get(caller, `/${index}`)).toBeDefined();
  for (let index = 10; index < 40; index++) {
    keep(`/${index}`);
    expect(cache.get(caller, '/0')).toBeDefined();
  }
  expect(cache.get(caller, '/1')).toBeUndefined();
  keep('/large', 20);
  expect(cache.get(caller, '/large')).toBeUndefined();
});
