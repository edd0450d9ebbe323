import { type Order, type OrderQuery, type SortOrder, sortOrders } from '@store-sales/contract';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { addProduct } from '../../../test/catalog.ts';
import { engine, isCitus } from '../../../test/database.ts';
import { planOf } from '../../../test/plan.ts';
import { startService } from '../../../test/service.ts';
import { SEARCH_LIMIT } from '../../db/lists/list.ts';
import { sql } from '../../db/sql.ts';

const service = await startService({ damages: 'copies of one order' });
const { db, clock } = service;
const codes = ['new', 'packing', 'completed'];
const payments = ['unpaid', 'paid'];
const start = clock.now;
let key: string;
let storeId: string;

/** All pages, joined. */
async function walk(query: Record<string, string>, withKey = key) {
  const records: Order[] = [];
  let cursor: string | null = null;
  do {
    const parameters = new URLSearchParams({ ...query, ...(cursor && { cursor }) });
    const { status, body } = await service.get(`/api/v1/orders?${parameters}`, withKey);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data.length).toBeLessThanOrEqual(Number(query.limit ?? 50));
    expect(body.page.hasMore).toBe(body.page.nextCursor !== null);
    records.push(...body.data);
    cursor = body.page.nextCursor;
  } while (cursor);
  return records;
}

const time = (order: Order, field: 'createdAt' | 'updatedAt') => Date.parse(order[field]);

beforeAll(async () => {
  ({ key, storeId } = await service.shop());
  const otherStore = await service.shop();
  for (const shop of [{ key, storeId }, otherStore]) {
    await addProduct(service, shop.storeId, { sku: 'P' });
    // 90 orders within 12 ms, so that many share their times; then changes, again at few times.
    const ids: string[] = [];
    for (let index = 0; index < 90; index++) {
      clock.now = start + Math.floor(index / 8);
      const body = { externalId: `x${index}`, items: [{ sku: 'P', quantity: 1 + (index % 3) }] };
      ids.push((await service.post('/api/v1/orders', body, shop.key)).body.data.id);
    }
    for (let index = 0; index < 70; index++) {
      clock.now = start + 12 + Math.floor(index / 9);
      const id = ids[(index * 37) % 90] as string;
      const change = { status: codes[index % 3], paymentStatus: payments[Math.floor(index / 3) % 2] };
      expect((await service.patch(`/api/v1/orders/${id}`, change, shop.key)).status).toBe(200);
    }
  }
  clock.now = start;
});

describe('GET /api/v1/orders', () => {
  test('newest first, 50 to a page, without items', async () => {
    const { body } = await service.get('/api/v1/orders', key);
    expect(body.data).toHaveLength(50);
    expect(body.page.hasMore).toBe(true);
    expect(body.data.map((order: Order) => order.number)).toEqual(Array.from({ length: 50 }, (_, index) => 90 - index));
    expect(body.data[0].items).toBeUndefined();
    expect((await service.get('/api/v1/orders?with=items&limit=1', key)).body.data[0].items).toHaveLength(1);
  });

  test('a store sees its own orders only', async () => {
    const other = await service.shop();
    expect((await service.get('/api/v1/orders', other.key)).body).toEqual({
      data: [],
      page: { nextCursor: null, hasMore: false },
    });
    expect(await walk({ limit: '100' })).toHaveLength(90);
  });

  test('for any query, the joined pages are the filtered and sorted list without duplicates', async () => {
    const whole = await walk({ limit: '100', order: 'createdAt:asc' });
    const instants = [...new Set(whole.flatMap((order) => [order.createdAt, order.updatedAt]))].sort();
    const bound = fc.option(fc.constantFrom(...instants), { nil: undefined, freq: 2 });
    const asked = fc.record({
      'filter[status]': fc.option(fc.constantFrom(...codes), { nil: undefined }),
      'filter[paymentStatus]': fc.option(fc.constantFrom(...payments), { nil: undefined }),
      'filter[externalId]': fc.option(fc.constantFrom('x3', 'x40', 'none'), { nil: undefined, freq: 1 }),
      'filter[createdAt][from]': bound,
      'filter[createdAt][to]': bound,
      'filter[updatedAt][from]': bound,
      'filter[updatedAt][to]': bound,
      order: fc.constantFrom(...sortOrders),
      limit: fc.constantFrom('1', '7', '8', '50', '100'),
    });

    await fc.assert(
      fc.asyncProperty(asked, async (query) => {
        const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as Record<
          string,
          string
        >;
        const expected = whole.filter((order) => matches(order, given)).sort(comparing(query.order));
        const found = await walk(given);
        expect(found.map((order) => order.id).sort()).toEqual(expected.map((order) => order.id).sort());
        const field = query.order.startsWith('updatedAt') ? 'updatedAt' : 'createdAt';
        expect(found.map((order) => order[field])).toEqual(expected.map((order) => order[field]));
      }),
      { numRuns: 150 },
    );
  }, 120_000);

  test('both directions of a sort are the reverse of each other, ties included', async () => {
    for (const field of ['createdAt', 'updatedAt']) {
      const up = await walk({ order: `${field}:asc`, limit: '7' });
      const down = await walk({ order: `${field}:desc`, limit: '11' });
      expect(down.map((order) => order.id)).toEqual(up.map((order) => order.id).reverse());
    }
  });

  test('the time of one order as both bounds finds that order, however the offset is written', async () => {
    const [order] = await walk({ limit: '100', 'filter[externalId]': 'x17' });
    const moscow = (order as Order).updatedAt.replace('Z', '+00:00');
    for (const bound of [(order as Order).updatedAt, moscow, moscow.replace('+', ' ')]) {
      const query = `filter[updatedAt][from]=${bound}&filter[updatedAt][to]=${bound}&filter[externalId]=x17`;
      const { status, body } = await service.get(`/api/v1/orders?${query}`, key);
      expect([status, body.data.length]).toEqual([200, 1]);
    }
  });

  test('bounds finer than a millisecond are exact', async () => {
    const at = new Date(start + 3).toISOString();
    const count = async (from: string, to: string) =>
      (await walk({ 'filter[createdAt][from]': from, 'filter[createdAt][to]': to, limit: '100' })).length;
    const exact = await count(at, at);
    expect(exact).toBe(8);
    expect(await count(at.replace('Z', '0001Z'), at.replace('Z', '9Z'))).toBe(0);
    expect(await count(at, at.replace('Z', '9Z'))).toBe(exact);
    expect(await count(at, at.replace('Z', `${'0'.repeat(40)}1Z`))).toBe(exact);
  });

  test('filters by status id, also without a code', async () => {
    const statuses = (await service.get('/api/v1/references/order-statuses', key)).body.data;
    const packing = statuses.find((status: { code: string }) => status.code === 'packing');
    const byId = await walk({ 'filter[status]': packing.id.toUpperCase(), limit: '100' });
    expect(byId).toEqual(await walk({ 'filter[status]': 'packing', limit: '100' }));
    const own = await service.post('/api/v1/references/order-statuses', { group: 'packing', name: 'Wrapping' }, key);
    expect(await walk({ 'filter[status]': own.body.data.id })).toEqual([]);
  });

  test.each([
    ['filter[status]=gone', 'filter[status]', 'new, packing'],
    ['filter[paymentStatus]=gone', 'filter[paymentStatus]', 'unpaid, paid'],
    ['filter[status]=00000000-0000-7000-8000-000000000000', 'filter[status]', 'new, packing'],
    ['with=lines', 'with', 'items'],
    ['order=createdAt', 'order', 'createdAt:desc'],
    ['limit=0', 'limit', '1 or more'],
    ['limit=101', 'limit', '100 or less'],
    ['limit=', 'limit', 'integer'],
    ['filter[createdAt][from]=2026-09-27', 'filter[createdAt][from]', 'RFC 3339'],
    ['filter[createdAt][from]=2026-09-27T10:00:00', 'filter[createdAt][from]', 'offset'],
    ['filter[updatedAt][to]=2026-02-30T10:00:00Z', 'filter[updatedAt][to]', 'RFC 3339'],
  ])('%s is rejected with the allowed values', async (query, parameter, words) => {
    const { status, body } = await service.get(`/api/v1/orders?${query}`, key);
    expect([status, body.code, body.errors.length, body.errors[0].parameter]).toEqual([
      400,
      'invalid_parameter',
      1,
      parameter,
    ]);
    expect(body.errors[0].message).toContain(words);
  });

  test('a cursor of another sort, list or store, or a modified one, is rejected', async () => {
    const cursor = (await service.get('/api/v1/orders?limit=5', key)).body.page.nextCursor as string;
    const other = await service.shop();
    const expectRejected = async (path: string, withKey = key) => {
      const { status, body } = await service.get(path, withKey);
      expect([status, body.code, body.errors[0].parameter]).toEqual([400, 'invalid_cursor', 'cursor']);
    };
    await expectRejected(`/api/v1/orders?order=createdAt:asc&cursor=${cursor}`);
    await expectRejected(`/api/v1/products?cursor=${cursor}`);
    await expectRejected(`/api/v1/orders?cursor=${cursor}`, other.key);
    await expectRejected(`/api/v1/orders?cursor=${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`);
    await expectRejected('/api/v1/orders?cursor=nonsense');
    await expectRejected(`/api/v1/orders?cursor=${encodeURIComponent('ж.ж')}`);
    expect((await service.get(`/api/v1/orders?order=createdAt:desc&limit=7&cursor=${cursor}`, key)).status).toBe(200);
  });

  test('orders that change while a client pages are neither skipped nor repeated', async () => {
    const shop = await service.shop();
    await addProduct(service, shop.storeId, { sku: 'P' });
    const make = async () =>
      (await service.post('/api/v1/orders', { items: [{ sku: 'P', quantity: 1 }] }, shop.key)).body.data.id as string;
    const ids = await Promise.all(Array.from({ length: 20 }, make));
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await service.get(`/api/v1/orders?limit=4${cursor && `&cursor=${cursor}`}`, shop.key);
      seen.push(...body.data.map((order: Order) => order.id));
      cursor = body.page.nextCursor ?? '';
      await service.patch(`/api/v1/orders/${ids[seen.length % 20]}`, { notes: `${seen.length}` }, shop.key);
      await make();
    } while (cursor);
    expect(seen.sort()).toEqual(ids.sort());
  });
});

describe('a sort by one time and a filter by the other', () => {
  test(`scans ${SEARCH_LIMIT} orders per page and continues from there`, async () => {
    const shop = await service.shop();
    await addProduct(service, shop.storeId, { sku: 'P' });
    await service.post('/api/v1/orders', { items: [{ sku: 'P', quantity: 1 }] }, shop.key);
    const copies = SEARCH_LIMIT + 10;
    // Copies of the order made in SQL, because the API would be slow.
    const numbers =
      db.dialect.engine === 'postgres'
        ? sql`(select n from generate_series(2, ${copies}) as n)`
        : sql`(with recursive c(n) as (select 2 union all select n + 1 from c where n < ${copies}) select n from c)`;
    await db.run(
      sql`insert into orders (store_id, id, number, created_at, updated_at, seq, status_id, payment_status_id, source,
            total_amount, document_head, document, document_rest, document_tail, items)
          select o.store_id, ${db.dialect.uuid(sql`o.created_at + c.n`, sql`o.id || ' ' || c.n`)}, c.n, o.created_at + c.n, o.updated_at + c.n, o.seq + c.n,
            o.status_id, o.payment_status_id, o.source, o.total_amount, o.document_head, o.document,
            o.document_rest, o.document_tail, o.items
          from orders o cross join ${numbers} c where o.store_id = ${shop.storeId} and o.number = 1`,
    );
    const last = new Date(clock.now + copies).toISOString();
    const path = `/api/v1/orders?order=createdAt:asc&filter[updatedAt][from]=${last}`;
    const first = (await service.get(path, shop.key)).body;
    expect([first.data.length, first.page.hasMore]).toEqual([0, true]);
    const second = (await service.get(`${path}&cursor=${first.page.nextCursor}`, shop.key)).body;
    expect([second.data.length, second.page.hasMore]).toEqual([1, false]);
  });
});

describe.skipIf(isCitus)('the plan of every combination', () => {
  const equal = [
    {},
    { 'filter[status]': 'new' },
    { 'filter[paymentStatus]': 'paid' },
    { 'filter[status]': 'new', 'filter[paymentStatus]': 'paid' },
  ];
  const sorted = sortOrders.flatMap((order) => equal.map((filters) => ({ order, ...filters }) as OrderQuery));
  const ranged = sorted.map((query) => {
    const field = query.order?.startsWith('updatedAt') ? 'updatedAt' : 'createdAt';
    return {
      ...query,
      [`filter[${field}][from]`]: '2026-01-01T00:00:00Z',
      [`filter[${field}][to]`]: '2027-01-01T00:00:00Z',
    };
  });
  /** Filtered by the other time: a bounded search. */
  const crossed = sorted.map((query) => ({
    ...query,
    [`filter[${query.order?.startsWith('updatedAt') ? 'createdAt' : 'updatedAt'}][to]`]: '2027-01-01T00:00:00Z',
    [`filter[${query.order?.startsWith('updatedAt') ? 'createdAt' : 'updatedAt'}][from]`]: '2026-01-01T00:00:00Z',
  }));
  const single = sortOrders.map((order) => ({ order, 'filter[externalId]': 'x1' }) as OrderQuery);

  test.each([...sorted, ...ranged, ...single].map((query) => [JSON.stringify(query), query]))(
    '%s: no full scan, no sort',
    async (_name, query) => {
      const plan = await planFor(query as OrderQuery);
      expect(plan).not.toMatch(/SCAN t\b(?! USING)|Seq Scan on orders/);
      if (!(query as OrderQuery)['filter[externalId]'])
        expect(plan).not.toMatch(/USE TEMP B-TREE FOR ORDER BY|\bSort\b/);
    },
  );

  test.each(crossed.map((query) => [JSON.stringify(query), query]))(
    '%s: a bounded search reads along one index',
    async (_name, query) => {
      const plan = await planFor(query as OrderQuery);
      expect(plan).not.toContain('Seq Scan on orders');
      // The page, whether there is more, and the end of the search: each along the index, up to the limit.
      const scans = plan.match(/(SEARCH t USING|Index (Only )?Scan).*orders_\w*(created|updated)/g) ?? [];
      expect(scans, plan).toHaveLength(3);
    },
  );
});

test.runIf(engine === 'postgres' && !isCitus)('fast reads keep their query plan', async () => {
  expect(await db.fastReads.one(sql`show plan_cache_mode`)).toEqual({ plan_cache_mode: 'force_generic_plan' });
});

async function planFor(query: OrderQuery) {
  const { pageStatement } = await import('./list-orders.ts');
  const statement = await pageStatement(db, service.services, storeId, query);
  // As in production: one generic plan for all values.
  return planOf(db, statement, { without: ['seqscan', 'sort', 'bitmapscan'], isGeneric: true });
}

const comparing = (order: SortOrder) => (a: Order, b: Order) => {
  const field = order.startsWith('updatedAt') ? 'updatedAt' : 'createdAt';
  return (order.endsWith('asc') ? 1 : -1) * (time(a, field) - time(b, field));
};

function matches(order: Order, query: Record<string, string>) {
  const within = (field: 'createdAt' | 'updatedAt') =>
    (query[`filter[${field}][from]`] ?? '') <= order[field] && order[field] <= (query[`filter[${field}][to]`] ?? '~');
  const is = (name: string, value: string | null) => query[name] === undefined || query[name] === value;
  return (
    is('filter[status]', order.status.code) &&
    is('filter[paymentStatus]', order.paymentStatus.code) &&
    is('filter[externalId]', order.externalId) &&
    within('createdAt') &&
    within('updatedAt')
  );
}
