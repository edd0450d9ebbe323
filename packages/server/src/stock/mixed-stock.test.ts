import type { Order, Product } from '@store-sales/contract';
import { afterAll, expect, test } from 'vitest';
import { migratedDatabase } from '../../test/database.ts';
import { startService } from '../../test/service.ts';
import { fillIn, openShopWith, shopVisitor } from '../../test/shop-visitor.ts';
import { table } from '../../test/tables.ts';
import { importProducts, productTable } from '../catalog/import-products.ts';
import { check } from '../check/check.ts';
import { sql } from '../db/sql.ts';
import { seededRandom } from '../demo/random.ts';

/**
 * Random mixtures of orders, edits, cancellations, adjustments and imports on two nodes. Afterwards there is what was
 * there at the start, with what was added, without what open orders have; and the order page has sold nothing that was
 * not there. MIXED_STOCK_SEED repeats a run.
 */
const seed = Number(process.env.MIXED_STOCK_SEED ?? Math.floor(Math.random() * 1e9));
const ROUNDS = 6;
const WRITES = 14;
const START = 20;

const database = await migratedDatabase();
afterAll(() => database.drop());
const options = { database, env: { TRUST_PROXY: '1', SHOP_ORDERS_PER_MINUTE: '1000' } };
const nodes = [await startService(options), await startService(options)] as const;
const [{ db, clock }] = nodes;
const isOpen = ({ status }: Order) => !['cancelled', 'returned'].includes(status.code ?? '');

test('quantity = start + what was added − what open orders have, and the order page never oversells', {
  timeout: 120_000,
}, async () => {
  const random = seededRandom(seed);
  const node = () => random.pick(nodes);
  // SITE is sold on the order page only.
  const skus = ['A', 'B', 'SITE'];
  const shop = await openShopWith(nodes[0], ...skus.map((sku) => ({ sku })));
  const { key, storeId } = shop;
  const warehouses: string[] = [];
  for (const name of ['First', 'Second']) {
    clock.now += 1;
    warehouses.push((await nodes[0].post('/api/v1/references/warehouses', { name }, key)).body.data.id);
  }
  const siteId = shop.ids[2] as string;
  const orders: string[] = [];
  /** What there would be without orders. */
  const added = new Map(skus.map((sku) => [sku, START]));
  const add = (sku: string, change: number) => added.set(sku, (added.get(sku) ?? 0) + change);
  const lines = skus.map((sku) => ({ sku, quantity: START }));
  await nodes[0].post('/api/v1/stock', { lines }, key);

  const all = async <Item>(path: string): Promise<Item[]> => {
    const found: Item[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await nodes[1].get(`/api/v1/${path}${cursor && `&cursor=${cursor}`}`, key);
      found.push(...body.data);
      cursor = body.page.nextCursor;
      if (!cursor) return found;
    }
  };
  const items = () => [
    { sku: random.pick(['A', 'B']), quantity: random.between(1, 6) },
    ...(random.boolean(0.4) ? [{ sku: 'A', quantity: random.between(1, 3) }] : []),
  ];
  const changeOrder = async (change: () => object) => {
    if (orders.length)
      expect((await node().patch(`/api/v1/orders/${random.pick(orders)}`, change(), key)).status).toBe(200);
  };
  const writes: readonly (() => Promise<void>)[] = [
    async () => {
      const { status, body } = await node().post('/api/v1/orders', { items: items() }, key);
      expect(status).toBe(201);
      orders.push(body.data.id);
    },
    () => changeOrder(() => ({ items: items() })),
    () => changeOrder(() => ({ status: random.pick(['new', 'packing', 'completed', 'cancelled', 'returned']) })),
    () => changeOrder(() => ({ items: items(), status: random.pick(['new', 'cancelled']) })),
    async () => {
      const line = {
        sku: random.pick(['A', 'B']),
        warehouseId: random.pick(warehouses),
        change: random.between(-5, 9),
      };
      if ((await node().post('/api/v1/stock', { lines: [line] }, key)).status === 200) add(line.sku, line.change);
    },
    async () => {
      const customer = shopVisitor(node(), { 'x-forwarded-for': `10.0.0.${random.between(1, 250)}` });
      const form = await fillIn(customer, shop.path, siteId);
      for (const { clock: its } of nodes) its.now += 4000;
      await customer.post(`${shop.path}/checkout`, form);
    },
  ];
  /** Sets quantities while nothing else does. */
  async function setQuantities() {
    const before = await all<Required<Product>>('products?with=stock');
    const [warehouseId = '', other = ''] = warehouses;
    const quantityIn = (sku: string, id: string) =>
      before.find((product) => product.sku === sku)?.stockByWarehouse.find((each) => each.warehouseId === id)
        ?.quantity ?? 0;
    const [a, b] = [random.between(0, 15), random.between(0, 15)];
    add('A', a - quantityIn('A', other));
    add('B', b - quantityIn('B', warehouseId));
    const rows = table(productTable, 'sku,stock,stock:second', `A,,${a}`, `B,${b},`);
    await importProducts(db, storeId, rows, { now: () => clock.now });
  }

  for (let round = 1; round <= ROUNDS; round++) {
    await Promise.all(Array.from({ length: WRITES }, () => random.pick(writes)()));
    for (const each of nodes) each.clock.now += 1000;
    const ordered = new Map<string, number>();
    for (const order of await all<Order>('orders?with=items'))
      for (const { sku, quantity } of isOpen(order) ? (order.items ?? []) : [])
        ordered.set(sku, (ordered.get(sku) ?? 0) + quantity);
    const products = await all<Product>('products?order=createdAt:asc');
    expect(
      products.map(({ sku, stock }) => [sku, stock]),
      `seed ${seed}, round ${round}`,
    ).toEqual(skus.map((sku) => [sku, (added.get(sku) ?? 0) - (ordered.get(sku) ?? 0)]));
    await setQuantities();
  }
  // More customers than there is left.
  const visits = await Promise.all(
    Array.from({ length: START + 5 }, async (_, index) => {
      const customer = shopVisitor(nodes[index % 2] as (typeof nodes)[0], { 'x-forwarded-for': `10.0.1.${index}` });
      return { customer, form: await fillIn(customer, shop.path, siteId) };
    }),
  );
  for (const each of nodes) each.clock.now += 5000;
  await Promise.all(visits.map(({ customer, form }) => customer.post(`${shop.path}/checkout`, form)));
  expect((await nodes[0].get('/api/v1/products/SITE', key)).body.data.stock).toBe(0);
  expect(
    await db.all(
      sql`select seq from stock_movements where store_id = ${storeId} and product_id = ${siteId} and quantity_after < 0`,
    ),
  ).toEqual([]);
  expect((await check(db, { storeId, eventsSince: 0, deliveriesSince: 0 })).problems).toEqual([]);
});
