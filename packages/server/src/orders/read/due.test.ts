import { beforeAll, expect, test } from 'vitest';
import { browser } from '../../../test/browser.ts';
import { addProduct } from '../../../test/catalog.ts';
import { planOf } from '../../../test/plan.ts';
import { startService } from '../../../test/service.ts';
import { dueStatement } from '../sales/sales.queries.ts';
import { foundStatement } from './find-orders.ts';

const service = await startService();
const { db } = service;

async function shopWithOrders() {
  const owner = await service.owner();
  const shop = await service.shop({ ownerId: owner.id });
  const visitor = browser(service);
  await visitor.signIn(owner.email);
  const path = `/stores/${shop.storeId}`;
  const productId = await addProduct(service, shop.storeId, { sku: 'T', price: 10_000 });
  const order = async (change: object = {}, body: object = {}) => {
    const made = await service.post('/api/v1/orders', { items: [{ productId, quantity: 1 }], ...body }, shop.key);
    const { id } = made.body.data;
    if (Object.keys(change).length) await service.patch(`/api/v1/orders/${id}`, change, shop.key);
    return id as string;
  };
  const found = async (query: Record<string, string>) =>
    (await visitor.get(`${path}/orders?${new URLSearchParams(query)}`)).body.data.map(({ number }: any) => number);
  const due = async () => (await visitor.get(`${path}/home`)).body.due;
  return { ...shop, visitor, path, order, found, due };
}

let shop: Awaited<ReturnType<typeof shopWithOrders>>;
beforeAll(async () => {
  shop = await shopWithOrders();
  await shop.order();
  await shop.order({ paymentStatus: 'paid' });
  await shop.order({ status: 'cancelled' });
  await shop.order({ paymentStatus: 'partially_paid', paidAmount: 4_000 }, { customer: { name: 'Anna' } });
  await shop.order({ paidAmount: 12_000 });
});

test('orders that are not paid in full are found, with other filters and sorts', async () => {
  const { found } = shop;
  expect(await found({ due: 'yes' })).toEqual([4, 1]);
  expect(await found({ due: 'yes', order: 'createdAt:asc' })).toEqual([1, 4]);
  expect(await found({ due: 'yes', order: 'updatedAt:desc' })).toEqual([4, 1]);
  expect(await found({ due: 'yes', order: 'totalAmount:asc' })).toEqual([1, 4]);
  expect(await found({ due: 'yes', payment: 'unpaid' })).toEqual([1]);
  expect(await found({ due: 'yes', source: 'api' })).toEqual([4, 1]);
  expect(await found({ due: 'yes', status: 'cancelled' })).toEqual([]);
  expect(await found({ due: 'yes', q: 'anna' })).toEqual([4]);
  expect(await found({ due: 'yes', numbers: '1,2,3' })).toEqual([1]);
  expect((await shop.visitor.get(`${shop.path}/orders?due=no`)).status).toBe(400);
});

test('home counts what is due, also of an order that is edited after payment', async () => {
  expect(await shop.due()).toEqual({ orders: 2, amount: 16_000, isMore: false });
  const id = await shop.order({ paymentStatus: 'paid' });
  expect(await shop.due()).toEqual({ orders: 2, amount: 16_000, isMore: false });
  const { body } = await service.patch(`/api/v1/orders/${id}`, { delivery: { cost: 500 } }, shop.key);
  expect(body.data).toMatchObject({ totalAmount: 10_500, paidAmount: 10_000, paymentStatus: { isPaid: true } });
  expect(await shop.due()).toEqual({ orders: 3, amount: 16_500, isMore: false });
  expect(await shop.found({ due: 'yes' })).toEqual([6, 4, 1]);
});

test('both are read from an index', async () => {
  const store = { id: shop.storeId, timezone: 'UTC' };
  const page = await foundStatement(db, service.services, store, { due: 'yes' });
  for (const statement of [page, dueStatement(db.dialect, shop.storeId, 10)]) {
    const plan = await planOf(db, statement, { without: ['seqscan', 'bitmapscan', 'sort'] });
    expect(plan).toMatch(/orders_due/);
    expect(plan).not.toMatch(/Seq Scan on orders|USE TEMP B-TREE FOR ORDER BY|\bSort\b/);
  }
});
