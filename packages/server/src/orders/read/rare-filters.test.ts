import { sortOrders } from '@store-sales/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { addProduct } from '../../../test/catalog.ts';
import { isCitus } from '../../../test/database.ts';
import { planOf } from '../../../test/plan.ts';
import { startService } from '../../../test/service.ts';
import { system } from '../../actor.ts';
import { seededRandom } from '../../demo/random.ts';
import { createOrder } from '../write/create-order.ts';
import { pageStatement } from './list-orders.ts';

// Some values below fit more orders than this, and some fewer.
const service = await startService({ searchLimit: 20 });
const { db, clock } = service;
const random = seededRandom(7);

const phones = ['8 900 000-00-01', '+7 (900) 000 00 02', ''];
const emails = ['Anna@Example.test', '', 'b@example.test'];
const COUNT = 90;

let key: string;
let all: any[];

beforeAll(async () => {
  const shop = await service.shop();
  key = shop.key;
  await addProduct(service, shop.storeId, { sku: 'TEA' });
  const ids: string[] = [];
  for (let index = 0; index < COUNT; index++) {
    clock.now += random.between(0, 2);
    const order = {
      items: [{ sku: 'TEA', quantity: 1 }],
      customer: { phone: index % 30 ? (phones[index % 2] as string) : '', email: random.pick(emails) },
      metadata: {
        channel: index % 40 ? 'web' : 'tv "1"',
        ...(random.boolean(0.3) && { rare: String(index % 3) }),
      },
    };
    const source = index % 25 ? ('api' as const) : random.pick(['manual', 'site'] as const);
    const now = clock.now;
    ids.push(
      (await db.write(createOrder({ storeId: shop.storeId, currency: 'RUB', source, actor: system, order, now }))).id,
    );
  }
  for (let change = 0; change < 60; change++) {
    clock.now += random.between(0, 2);
    const body = random.pick([
      { status: random.pick(['packing', 'completed']) },
      { customer: { phone: random.pick(phones) } },
      { metadata: { rare: random.pick(['', '1', '5']) } },
    ]);
    await service.patch(`/api/v1/orders/${random.pick(ids)}`, body, key);
  }
  all = await walk('order=createdAt:asc');
});

const list = (query: string) => service.get(`/api/v1/orders?${query}`, key);

async function walk(query: string) {
  const found: any[] = [];
  for (let cursor = ''; ; ) {
    const { status, body, text } = await list(`${query}&limit=7${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    expect(status, text).toBe(200);
    found.push(...body.data);
    if (!body.page.nextCursor) return found;
    cursor = body.page.nextCursor;
  }
}

const digits = (phone: string) => phone.replace(/\D/g, '').replace(/^8/, '7');
const filters: [string, (order: any) => boolean][] = [
  ['filter[phone]=%2B79000000001', (order) => digits(order.customer.phone) === '79000000001'],
  ['filter[phone]=89000000002', (order) => digits(order.customer.phone) === '79000000002'],
  ['filter[email]=ANNA@example.TEST', (order) => order.customer.email === 'Anna@Example.test'],
  ['filter[source]=api', (order) => order.source === 'api'],
  ['filter[source]=manual', (order) => order.source === 'manual'],
  ['filter[source]=site', (order) => order.source === 'site'],
  ['filter[number]=17', (order) => order.number === 17],
  ['filter[number]=0', () => false],
  ['filter[metadata][channel]=web', (order) => order.metadata.channel === 'web'],
  ['filter[metadata][channel]=tv+%221%22', (order) => order.metadata.channel === 'tv "1"'],
  ['filter[metadata][rare]=1', (order) => order.metadata.rare === '1'],
  ['filter[metadata][rare]=none', () => false],
  [
    'filter[metadata][channel]=web&filter[metadata][rare]=2',
    ({ metadata }) => metadata.channel === 'web' && metadata.rare === '2',
  ],
];
const others: [string, (order: any) => boolean][] = [
  ['', () => true],
  ['&filter[status]=packing', (order) => order.status.code === 'packing'],
  [
    '&filter[source]=api&filter[phone]=89000000001',
    (o) => o.source === 'api' && digits(o.customer.phone) === '79000000001',
  ],
];

describe.each(sortOrders)('%s', (order) => {
  const sorted = (orders: any[]) => {
    const field = order.split(':')[0] as string;
    const ascending = [...orders].sort(
      (a, b) => Date.parse(a[field]) - Date.parse(b[field]) || (field === 'createdAt' ? a.number - b.number : 0),
    );
    return order.endsWith(':asc') ? ascending : ascending.reverse();
  };

  test.each(filters)('%s, alone, with a status, and with others', async (filter, fits) => {
    for (const [other, alsoFits] of others) {
      if (other.includes('source') && /source|phone/.test(filter)) continue;
      const found = await walk(`order=${order}&${filter}${other}`);
      const expected = sorted(all.filter((each) => fits(each) && alsoFits(each)));
      const ids = (orders: any[]) => orders.map(({ id }) => id);
      expect(ids(found).sort(), other).toEqual(ids(expected).sort());
      const times = (orders: any[]) => orders.map((each) => each[order.split(':')[0] as string]);
      expect(times(found), other).toEqual(times(expected));
    }
  });

  test('by customer', async () => {
    const customerId = all.find(({ customer }) => customer.id)?.customer.id;
    const found = await walk(`order=${order}&filter[customerId]=${customerId.toUpperCase()}`);
    expect(found).toHaveLength(all.filter(({ customer }) => customer.id === customerId).length);
    expect(await walk(`order=${order}&filter[customerId]=00000000-0000-7000-8000-000000000000`)).toEqual([]);
  });
});

test.skipIf(isCitus)('no filter reads all orders of the store', async () => {
  const { storeId } = await service.shop();
  for (const order of sortOrders)
    for (const filter of [
      { 'filter[number]': 1 },
      { 'filter[customerId]': storeId },
      { 'filter[phone]': '1' },
      { 'filter[source]': 'site' as const },
      { 'filter[metadata]': { a: '1' } },
    ]) {
      const { searchLimit, cursors } = service.services;
      const statement = await pageStatement(db, { searchLimit, cursors }, storeId, { ...filter, order, limit: 50 });
      const plan = await planOf(db, statement, { without: ['seqscan', 'bitmapscan'], isGeneric: true });
      expect(plan, JSON.stringify(filter)).not.toMatch(
        /SEARCH t USING INDEX \S+ \(store_id=\?\)|SCAN t USING|Seq Scan on orders/,
      );
      expect(plan, JSON.stringify(filter)).toMatch(
        /orders_(store_id_number_key|customer|source_created|pkey)|order_keys_pkey|sqlite_autoindex_orders|SEARCH k USING PRIMARY KEY/,
      );
    }
});

test('a client that follows a filter gets what changes, and nothing when nothing does', async () => {
  const query = 'order=updatedAt:asc&filter[metadata][followed]=yes';
  const { body } = await list(query);
  const changed = all[3].id;
  await service.patch(`/api/v1/orders/${changed}`, { metadata: { followed: 'yes' } }, key);
  const next = await list(`${query}&cursor=${encodeURIComponent(body.page.syncCursor)}`);
  expect(next.body.data.map(({ id }: any) => id)).toEqual([changed]);
  const idle = await list(`${query}&cursor=${encodeURIComponent(next.body.page.syncCursor)}`);
  expect(idle.body.data).toEqual([]);
});

test('the order of filters makes no difference to a client that follows them', async () => {
  const filters = ['filter[metadata][a]=1', 'filter[metadata][b]=2', 'filter[source]=api', 'order=updatedAt:asc'];
  const { syncCursor } = (await list(filters.join('&'))).body.page;
  const next = (query: string[]) => list([...query, `cursor=${encodeURIComponent(syncCursor)}`].join('&'));
  expect((await next(filters.toReversed())).status).toBe(200);
  expect((await next(filters.slice(1))).body.code).toBe('invalid_cursor');
  expect((await next(['filter[metadata][a]=2', ...filters.slice(1)])).body.code).toBe('invalid_cursor');
});

test('a page looks at fewer orders if it has more filters', async () => {
  const pages = async (query: string) => {
    const found: number[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await list(`${query}&limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      found.push(body.data.length);
      if (!body.page.nextCursor) return found;
      cursor = body.page.nextCursor;
    }
  };
  // Most orders fit, and a page may look at 20 of the 90.
  expect(await pages('filter[metadata][channel]=web')).toHaveLength(5);
  expect(await pages('filter[metadata][channel]=web&filter[source]=api')).toHaveLength(10);
  expect(
    await pages(
      `filter[metadata][channel]=web&filter[source]=api&filter[phone]=89000000001&filter[email]=b@example.test`,
    ),
  ).toHaveLength(19);
});

const manyKeys = (count: number) =>
  Array.from({ length: count }, (_, index) => `filter[metadata][k${index}]=x`).join('&');

test('an order has 20 keys at most, and so has a filter', async () => {
  expect((await list(manyKeys(20))).body.data).toEqual([]);
  const { status, body } = await list(manyKeys(21));
  expect([status, body.errors]).toMatchObject([400, [{ parameter: 'filter[metadata]', code: 'too_large' }]]);
});

test.each([
  ['filter[phone]=none', 'filter[phone]'],
  ['filter[email]=+', 'filter[email]'],
  ['filter[source]=web', 'filter[source]'],
  ['filter[number]=x', 'filter[number]'],
  ['filter[customerId]=x', 'filter[customerId]'],
  ['filter[metadata][a%20b]=x', 'filter[metadata][a b]'],
  ['filter[metadata][a]=', 'filter[metadata][a]'],
  [`filter[metadata][a]=${'x'.repeat(501)}`, 'filter[metadata][a]'],
  ['filter[metadata]=x', 'filter[metadata]'],
  ['filter[metadata][a]=1&filter[metadata][a]=2', 'filter[metadata][a]'],
])('%s is rejected with the name of the parameter', async (query, parameter) => {
  const { status, body } = await list(query);
  expect([status, body.code, body.errors?.[0].parameter]).toEqual([400, 'invalid_parameter', parameter]);
});
