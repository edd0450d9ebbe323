import { beforeAll, describe, expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { tick } from '../db/clock/store-clock.ts';
import { sql } from '../db/sql.ts';

const service = await startService({ damages: 'copies of one order' });
let shop: Awaited<ReturnType<typeof signedInOwner>>;
let key: string;

beforeAll(async () => {
  shop = await signedInOwner(service);
  key = await service.key(shop.storeId);
  await addProduct(service, shop.storeId, { sku: 'P' });
  await service.post('/api/v1/orders', { items: [{ sku: 'P', quantity: 1 }] }, key);
});

describe('the first and last days of the calendar', () => {
  test.each([
    ['to=9999-12-31', 1],
    ['from=0000-01-01', 1],
    ['from=0000-01-01&to=9999-12-31', 1],
    ['from=1969-12-31', 1],
    ['to=0000-01-01', 0],
    ['to=1969-12-31', 0],
    ['from=9999-12-31', 0],
  ])('orders?%s', async (query, count) => {
    for (const timezone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      expect((await shop.visitor.patch(shop.path, { timezone })).status).toBe(200);
      const { status, body } = await shop.visitor.get(`${shop.path}/orders?${query}`);
      expect([status, body.data.length]).toEqual([200, count]);
      const file = await shop.visitor.get(`${shop.path}/orders/export?${query}`);
      expect([file.status, file.text.trim().split('\n').length]).toEqual([200, count + 1]);
    }
  });

  test.each(['to=2026-02-30', 'from=2026-13-01', 'from=10000-01-01', 'to=-0001-01-01', 'to='])(
    'orders?%s is rejected with the name of the parameter',
    async (query) => {
      const { status, body } = await shop.visitor.get(`${shop.path}/orders?${query}`);
      const [parameter] = query.split('=');
      expect([status, body.code, body.errors[0].parameter]).toEqual([400, 'invalid_parameter', parameter]);
    },
  );
});

test.each(['-'.repeat(36), '0'.repeat(36), 'owner%00', ''])(
  'history?actor=%s is rejected with the name of the parameter',
  async (actor) => {
    const { status, body } = await shop.visitor.get(`${shop.path}/history?actor=${actor}`);
    expect([status, body.code, body.errors[0].parameter]).toEqual([400, 'invalid_parameter', 'actor']);
  },
);

test('history?actor= accepts the id of a key', async () => {
  const { status, body } = await shop.visitor.get(`${shop.path}/history?actor=01900000-0000-7000-8000-000000000000`);
  expect([status, body.entries]).toEqual([200, []]);
});

test.each([
  ['DELETE', '/sessions/%00'],
  ['DELETE', '/sessions/a%00b'],
  ['GET', '/stores/%00/orders'],
])('%s %s is not found', async (method, path) => {
  const { status, body } = await shop.visitor.send(method, path);
  expect([status, body.code]).toEqual([404, 'not_found']);
});

test('Home sums amounts beyond the integers of the engine', async () => {
  const { db } = service;
  const owner = await signedInOwner(service);
  const { storeId } = owner;
  await addProduct(service, storeId, { sku: 'P' });
  const amount = Number.MAX_SAFE_INTEGER;
  const items = [{ sku: 'P', quantity: 1, unitPrice: amount }];
  await service.post('/api/v1/orders', { items }, await service.key(storeId));
  const revenues = async () => {
    const summary = await owner.visitor.get(`${owner.path}/home`);
    const products = await owner.visitor.get(`${owner.path}/home/products`);
    expect([summary.status, products.status]).toEqual([200, 200]);
    return [summary.body.current.revenue, summary.body.days.at(-1).revenue, products.body[0].revenue];
  };
  expect(await revenues()).toEqual([amount, amount, amount]);

  // Copies of the order by statement; 1,040 times 2^53 is more than 2^63.
  const numbers =
    db.dialect.engine === 'postgres'
      ? sql`(select n from generate_series(2, 1040) as n)`
      : sql`(with recursive c(n) as (select 2 union all select n + 1 from c where n < 1040) select n from c)`;
  await db.transaction(async (tx) => {
    await tick(tx, storeId, service.clock.now, { count: 1040 });
    await tx.run(
      sql`insert into orders (store_id, id, number, created_at, updated_at, seq, status_id, payment_status_id, source,
            total_amount, document_head, document, document_rest, document_tail, items)
          select o.store_id, ${db.dialect.uuid(sql`o.created_at`, sql`o.id || ' ' || c.n`)}, c.n, o.created_at, o.updated_at, o.seq + c.n,
            o.status_id, o.payment_status_id, o.source, o.total_amount, o.document_head, o.document,
            o.document_rest, o.document_tail, o.items
          from orders o cross join ${numbers} c where o.store_id = ${storeId} and o.number = 1`,
    );
    await tx.run(
      sql`insert into order_lines (store_id, order_id, position, id, product_id, quantity, unit_price, discount, line_total)
          select l.store_id, o.id, l.position, ${db.dialect.uuid(sql`o.created_at`, sql`o.id || ' ' || l.position`)}, l.product_id, l.quantity,
            l.unit_price, l.discount, l.line_total
          from order_lines l join orders o on o.store_id = l.store_id and o.id <> l.order_id
          where l.store_id = ${storeId}`,
    );
  });
  for (const revenue of await revenues()) expect(revenue / (amount * 1040)).toBeCloseTo(1, 9);
});
