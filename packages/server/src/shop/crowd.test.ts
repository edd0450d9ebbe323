import type { Order } from '@store-sales/contract';
import { expect, test } from 'vitest';
import { startService } from '../../test/service.ts';
import { fillIn, openShopWith, shopVisitor } from '../../test/shop-visitor.ts';
import { sql } from '../db/sql.ts';
import { formTokens } from './checkout-form.ts';

const service = await startService({ env: { TRUST_PROXY: '1' } });
const { db, clock } = service;

const from = (address: string) => shopVisitor(service, { 'x-forwarded-for': address });
const countOrders = async (storeId: string) =>
  (await db.one<{ count: number }>(sql`select count(*) as count from orders where store_id = ${storeId}`))?.count;

test('two hundred customers at once: each order once, with the prices of the catalog', async () => {
  const shop = await openShopWith(service, { sku: 'A', price: 100 }, { sku: 'B', price: 250 });
  const customers = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const customer = from(`198.51.100.${index}`);
      const form = await fillIn(customer, shop.path, shop.ids[index % 2] as string);
      return { customer, form: { ...form, name: `Customer ${index}` } };
    }),
  );
  clock.now += 5000;
  // Every form is sent twice.
  const sent = await Promise.all(
    customers.flatMap(({ customer, form }) => {
      const cookie = `cart=${customer.jar.get('cart')}`;
      return [1, 2].map(() => customer.post(`${shop.path}/checkout`, form, { cookie }));
    }),
  );
  expect(sent.filter(({ status }) => status !== 303)).toEqual([]);
  expect(new Set(sent.map(({ location }) => location.replace('?new', ''))).size).toBe(200);
  const page = (query: string) => service.get(`/api/v1/orders?limit=100${query}`, shop.key);
  const first = (await page('')).body;
  const orders: Order[] = [...first.data, ...(await page(`&cursor=${first.page.nextCursor}`)).body.data];
  const expected = customers.map(({ form }, index) => `${form.name} ${index % 2 ? 250 : 100}`);
  expect(orders.map(({ customer, totalAmount }) => `${customer?.name} ${totalAmount}`).sort()).toEqual(expected.sort());
  expect(new Set(orders.map(({ number }) => number)).size).toBe(200);
});

test('a thousand orders a minute from one address: ten are taken, and others are served', async () => {
  const shop = await openShopWith(service, { sku: 'A' });
  const tokens = formTokens(service.config.SECRET_KEY);
  const attacker = from('203.0.113.1');
  const form = await fillIn(attacker, shop.path, shop.ids[0] as string);
  const cookie = `cart=${attacker.jar.get('cart')}`;
  const customer = from('203.0.113.2');
  const honest = await fillIn(customer, shop.path, shop.ids[0] as string);
  const forms = Array.from({ length: 1000 }, () => tokens.issue(shop.storeId, clock.now));
  clock.now += 5000;
  const flood = Promise.all(
    Array.from({ length: 20 }, async () => {
      const statuses: number[] = [];
      for (let token = forms.pop(); token; token = forms.pop())
        statuses.push((await attacker.post(`${shop.path}/checkout`, { ...form, token }, { cookie })).status);
      return statuses;
    }),
  );
  expect((await customer.post(`${shop.path}/checkout`, honest)).status).toBe(303);
  const statuses = (await flood).flat().sort();
  expect(statuses).toEqual([...Array(10).fill(303), ...Array(990).fill(429)]);
  expect(await countOrders(shop.storeId)).toBe(11);
});

test("visitors who search take turns with the store's own API", async () => {
  const shop = await openShopWith(service, { sku: 'A' });
  const SEARCHES = 40;
  let finished = 0;
  const searches = Array.from({ length: SEARCHES }, async () => {
    const { status } = await from('203.0.113.3').get(`${shop.path}?q=tea`);
    finished++;
    return status;
  });
  expect((await service.get('/api/v1/products', shop.key)).status).toBe(200);
  expect(finished).toBeLessThan(SEARCHES);
  expect(await Promise.all(searches)).toEqual(Array(SEARCHES).fill(200));
});
