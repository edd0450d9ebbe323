import { beforeAll, expect, test } from 'vitest';
import { isCitus } from '../../../test/database.ts';
import { planOf } from '../../../test/plan.ts';
import { insertOrders } from '../../../test/rows.ts';
import { startService } from '../../../test/service.ts';
import { signedInOwner } from '../../../test/signed-in-owner.ts';
import { system } from '../../actor.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { foundStatement } from '../read/find-orders.ts';
import { createOrderStatus } from '../statuses/order-statuses.ts';

const service = await startService();
const { db, clock } = service;

const COUNT = 1203;
let shop: Awaited<ReturnType<typeof signedInOwner>>;
let path: string;
beforeAll(async () => {
  shop = await signedInOwner(service);
  path = `${shop.path}/orders`;
  const { statuses, paymentStatuses } = (await shop.visitor.get(`${path}/choices`)).body;
  const [fresh, packing] = statuses;
  const [unpaid] = paymentStatuses;
  await insertOrders(
    db,
    shop.storeId,
    Array.from({ length: COUNT }, (_, index) => ({
      status_id: (index % 3 ? fresh : packing).id,
      payment_status_id: unpaid.id,
      external_id: `x${index}`,
    })),
  );
  await db.run(sql`update orders set source = 'site', document_rest = replace(document_rest, '"source":"api"', '"source":"site"')
        where store_id = ${shop.storeId} and number % 100 = 0`);
  // Otherwise the plans below depend on autovacuum.
  if (db.dialect.engine === 'postgres') await db.run(sql`analyze orders`);
});

async function walk(query: Record<string, string>) {
  const numbers: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const parameters: string = `${new URLSearchParams({ ...query, ...(cursor && { cursor }) })}`;
    const { body } = await shop.visitor.get(`${path}?${parameters}`);
    expect(body.data.length).toBeLessThanOrEqual(50);
    numbers.push(...body.data.map(({ number }: any) => number));
    cursor = body.page.nextCursor;
  }
  return numbers;
}
const down = (fits: (number: number) => boolean) =>
  Array.from({ length: COUNT }, (_, index) => COUNT - index).filter(fits);

test.each([
  [{}, () => true],
  [{ status: 'packing' }, (number: number) => number % 3 === 1],
  [{ source: 'site' }, (number: number) => number % 100 === 0],
  [{ source: 'site', status: 'new' }, (number: number) => number % 100 === 0 && number % 3 !== 1],
  [{ q: 'x11' }, (number: number) => `x${number - 1}`.startsWith('x11')],
  [{ q: 'x1', status: 'packing' }, (number: number) => number % 3 === 1 && `x${number - 1}`.startsWith('x1')],
  [{ q: 'x', source: 'site' }, (number: number) => number % 100 === 0],
] as [Record<string, string>, (number: number) => boolean][])('%j is walked by cursor', async (query, fits) => {
  expect(await walk(query)).toEqual(down(fits));
});

test('an export takes several reads', async () => {
  const { text } = await shop.visitor.get(`${path}/export?source=site`);
  expect(text.trim().split('\n').length).toBe(1 + down((number) => number % 100 === 0).length);
});

test('a column of the board joins the statuses of its stage, newest first', async () => {
  const own = await createOrderStatus(db, shop.storeId, { group: 'packing', name: 'Wrapping' }, system, clock.now);
  await db.run(
    sql`update orders set status_id = ${own.id} where store_id = ${shop.storeId} and number % 2 = 0 and number % 3 = 1`,
  );
  const first = await shop.visitor.get(`${path}/board?group=packing`);
  const second = await shop.visitor.get(`${path}/board?group=packing&cursor=${first.body.page.nextCursor}`);
  const shown = [...first.body.data, ...second.body.data].map(({ number }: any) => number);
  expect(shown).toEqual(down((number) => number % 3 === 1).slice(0, 40));
  const empty = await shop.visitor.get(`${path}/board?group=returned`);
  expect(empty.body).toEqual({ data: [], page: { nextCursor: null, hasMore: false } });
  expect((await shop.visitor.get(`${path}/board?group=x`)).status).toBe(400);
  const missing = await shop.visitor.get(`${path}/board`);
  expect([missing.status, missing.body.errors]).toMatchObject([400, [{ parameter: 'group', code: 'required' }]]);
});

const range = { from: '1970-01-01', to: '2030-01-01' };
const queries: Partial<Record<'from' | 'to' | 'status' | 'payment' | 'source' | 'order', string>>[] = [
  {},
  range,
  { status: 'new' },
  { status: 'new', ...range },
  { payment: 'paid', ...range },
  { status: 'new', payment: 'paid' },
  { source: 'site' },
  { source: 'site', ...range },
  { source: 'api', ...range },
  { source: 'site', status: 'new' },
  { order: 'updatedAt:desc' },
  { order: 'updatedAt:asc', ...range },
  { order: 'updatedAt:desc', status: 'new', payment: 'paid' },
  { order: 'createdAt:asc', status: 'new' },
];
test.skipIf(isCitus).each(queries)('%j: no full scan, no sort of more than a bounded part', async (query) => {
  const plan = await planFor(query);
  expect(plan).not.toMatch(/SCAN (o|orders)\b(?! USING)|Seq Scan on orders/);
  // Of a bounded search, called `t` as well, all is looked at.
  const isBounded = query.source === 'api' || (query.source && query.status) || (query.order && query.from);
  if (!isBounded) expect(plan).not.toMatch(/SCAN t\b(?! USING)|USE TEMP B-TREE FOR ORDER BY|\bSort\b/);
  if (query.status && db.dialect.engine === 'sqlite') expect(plan).not.toContain('orders_created');
  if (query.order?.startsWith('updatedAt') && db.dialect.engine === 'sqlite') expect(plan).toMatch(/orders_\w*updated/);
  if (query.source === 'site' && !query.status) expect(plan).toContain('orders_source_created');
});

test('a search goes by the numbers it found, never along the orders of the store', async () => {
  expect(await planFor({ q: 'x1' })).toMatch(
    db.dialect.engine === 'postgres' ? /orders_store_id_number_key/ : /SEARCH o USING INDEX sqlite_autoindex_orders/,
  );
});

async function planFor(query: object) {
  const place = { id: shop.storeId, timezone: 'Europe/Moscow' };
  return explained(await foundStatement(db, service.services, place, query));
}

const explained = (statement: Sql) =>
  planOf(db, statement, { without: ['seqscan', 'sort', 'bitmapscan', 'hashjoin', 'mergejoin'] });
