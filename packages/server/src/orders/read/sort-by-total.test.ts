import type { ListedOrder } from '@store-sales/contract/console';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { planOf } from '../../../test/plan.ts';
import { insertOrders } from '../../../test/rows.ts';
import { startService } from '../../../test/service.ts';
import { signedInOwner } from '../../../test/signed-in-owner.ts';
import { sql } from '../../db/sql.ts';
import { foundStatement } from './find-orders.ts';

/** Below it, the orders that match a filter are sorted; above it, the orders are searched by total. */
const SEARCH_LIMIT = 60;
const service = await startService({ searchLimit: SEARCH_LIMIT });
const { db } = service;
const DAY = 86_400_000;
const COUNT = 400;
const start = Date.parse('2026-03-01T09:00:00Z');
const days = Array.from({ length: 5 }, (_, day) => new Date(start + day * DAY).toISOString().slice(0, 10));
const sources = ['api', 'manual', 'site'] as const;

let shop: Awaited<ReturnType<typeof signedInOwner>>;
let whole: ListedOrder[];

async function seed(storeId: string, choices: any) {
  const [fresh, packing, delivering] = choices.statuses;
  const [unpaid, paid] = choices.paymentStatuses;
  await insertOrders(
    db,
    storeId,
    Array.from({ length: COUNT }, (_, index) => ({
      status_id: (index % 9 === 0 ? delivering : index % 3 ? fresh : packing).id,
      payment_status_id: (index % 7 ? unpaid : paid).id,
      source: sources[index % 50 === 1 ? 1 : index % 2 ? 2 : 0] ?? 'api',
      created_at: start + Math.floor((index * 5) / COUNT) * DAY,
      // Few different totals, so that many orders share one; the filters are not spread evenly over them.
      total_amount: (index * index) % 13 === 0 ? 5_000_000_000_000 : ((index * 17) % 11) * 100,
    })),
  );
}

beforeAll(async () => {
  shop = await signedInOwner(service);
  const other = await signedInOwner(service);
  for (const { visitor, path, storeId } of [shop, other])
    await seed(storeId, (await visitor.get(`${path}/orders/choices`)).body);
  if (db.dialect.engine === 'postgres') await db.run(sql`analyze orders`);
  whole = await walk({});
  expect(whole).toHaveLength(COUNT);
});

/** All pages, joined. */
async function walk(query: Record<string, string>) {
  const found: ListedOrder[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const parameters: string = `${new URLSearchParams({ ...query, ...(cursor && { cursor }) })}`;
    const { status, body } = await shop.visitor.get(`${shop.path}/orders?${parameters}`);
    expect(status, JSON.stringify(body)).toBe(200);
    found.push(...body.data);
    cursor = body.page.nextCursor;
  }
  return found;
}

const optional = <Value>(values: readonly Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined });

test('for any filter, the joined pages are the matching orders sorted by total', async () => {
  const queries = fc.record({
    order: fc.constantFrom('totalAmount:asc', 'totalAmount:desc'),
    status: optional(['new', 'packing', 'delivering', 'returned']),
    payment: optional(['unpaid', 'paid']),
    source: optional(sources),
    from: optional(days),
    to: optional(days),
  });
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
      const found = await walk(Object.fromEntries(given));
      const sign = query.order === 'totalAmount:asc' ? 1 : -1;
      const expected = whole
        .filter(
          (order) =>
            (query.status ?? order.status.code) === order.status.code &&
            (query.payment ?? order.paymentStatus.code) === order.paymentStatus.code &&
            (query.source ?? order.source) === order.source &&
            (query.from ?? '') <= order.createdAt.slice(0, 10) &&
            (query.to ?? '9') >= order.createdAt.slice(0, 10),
        )
        .sort((a, b) => sign * (a.totalAmount - b.totalAmount || a.number - b.number));
      expect(found.map(({ number }) => number)).toEqual(expected.map(({ number }) => number));
    }),
    { numRuns: 60, examples: [[{ order: 'totalAmount:desc', status: 'new' }] as never] },
  );
});

test('selected orders are sorted by total too, and exported in that order', async () => {
  const numbers = [3, 7, 20, 41, 300].join(',');
  const found = await walk({ numbers, order: 'totalAmount:desc' });
  const totals = found.map(({ totalAmount }) => totalAmount);
  expect(totals).toEqual([...totals].sort((a, b) => b - a));
  const { text } = await shop.visitor.get(`${shop.path}/orders/export?status=delivering&order=totalAmount:asc`);
  const exported = text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => Number(line.split(',')[1]));
  const listed = await walk({ status: 'delivering', order: 'totalAmount:asc' });
  expect(exported).toEqual(listed.map(({ number }) => number));
});

test('a search cannot be sorted by total, and a cursor of another sort is refused', async () => {
  expect((await shop.visitor.get(`${shop.path}/orders?q=1&order=totalAmount:asc`)).status).toBe(400);
  const { body } = await shop.visitor.get(`${shop.path}/orders?order=totalAmount:desc`);
  for (const order of ['totalAmount:asc', 'createdAt:desc']) {
    const { status } = await shop.visitor.get(`${shop.path}/orders?order=${order}&cursor=${body.page.nextCursor}`);
    expect(status).toBe(400);
  }
});

test.each([
  [{}, /orders_total/],
  // Many orders match.
  [{ status: 'new' }, /orders_total/],
  [{ source: 'api' }, /orders_total/],
  // Few do.
  [{ status: 'delivering', payment: 'paid' }, /orders_status_payment_(created|updated)/],
  [{ status: 'delivering', from: '2026-03-01', to: '2026-03-02' }, /orders_status_(payment_)?created/],
  [{ source: 'manual' }, /orders_source_created/],
] as const)('%j is read from an index', async (filters, index) => {
  const store = { id: shop.storeId, timezone: 'UTC' };
  const query = { ...filters, order: 'totalAmount:desc' } as const;
  const statement = await foundStatement(db, service.services, store, query);
  const plan = await planOf(db, statement, { without: ['seqscan', 'bitmapscan', 'sort'] });
  expect(plan).toMatch(index);
  expect(plan).not.toMatch(/Seq Scan on orders/);
  if (index.source === 'orders_total') expect(plan).not.toMatch(/USE TEMP B-TREE FOR ORDER BY|\bSort\b/);
});
