import { beforeAll, describe, expect, test } from 'vitest';
import { addProduct } from '../../../test/catalog.ts';
import { planOf } from '../../../test/plan.ts';
import { insertOrders } from '../../../test/rows.ts';
import { startService } from '../../../test/service.ts';
import { signedInOwner } from '../../../test/signed-in-owner.ts';
import { cursors } from '../../db/lists/cursor.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { runWrites } from '../../db/write/run-plans.ts';
import { addressOf } from '../document.ts';
import { searchedBy } from '../write/order-rows.queries.ts';
import { BLOCK_SIZE, searchQuery, searchTerms } from '../write/search-terms.ts';
import { matchStatement } from './search.queries.ts';
import { searchOrders } from './search-orders.ts';

const service = await startService({ damages: 'search terms without orders', searchLimit: 20 });
const { db } = service;

async function newShop() {
  const shop = await signedInOwner(service);
  const path = `${shop.path}/orders`;
  const productId = await addProduct(service, shop.storeId, { sku: 'TS-100/B', name: 'Чайник «Ёлка» 0.5 л', price: 5 });
  const order = async (body: object = {}) =>
    (await shop.visitor.post(path, { items: [{ productId, quantity: 1 }], ...body })).body.order;
  const found = async (q: string, more: Record<string, string> = {}) =>
    (await shop.visitor.get(`${path}?${new URLSearchParams({ q, ...more })}`)).body.data?.map(
      ({ number }: any) => number,
    );
  return { ...shop, path, productId, order, found };
}
type Shop = Awaited<ReturnType<typeof newShop>>;

const blank = { externalId: '', delivery: addressOf({}), notes: '' };
const customer = { name: "Anna-Maria O'Brien", phone: '8 (916) 123-45-67', email: 'Anna.Brien@mail.example.com' };

describe('one search', () => {
  let shop: Shop;
  let other: Shop;
  beforeAll(async () => {
    [shop, other] = [await newShop(), await newShop()];
    await shop.order({ externalId: 'WEB-2026/77', customer });
    // Without phone and e-mail there is no customer record.
    await shop.order({
      customer: { name: 'Пётр Ёжиков' },
      delivery: { address: 'ул. Берёзовая, д. 7', city: 'Орёл', postalCode: '602001' },
      notes: 'Позвонить за час\nдомофон 58к',
    });
    await other.order({ customer });
  });

  test.each([
    ['#1', [1]],
    ['№ 2', [2]],
    ['web-2026', [1]],
    ['WEB2026/7', [1]],
    ['2026', [1]],
    ['77', [1]],
    ['maria', [1]],
    ['anna maria', [1]],
    ['bri anna', [1]],
    ["o'brien", [1]],
    ['obrien', [1]],
    ['петр', [2]],
    ['ЕЖИК', [2]],
    ['березовая', [2]],
    ['петр орел', [2]],
    ['6020', [2]],
    ['домофон 58к', [2]],
    ['час ежиков', [2]],
    ['anna.brien@mail.example.com', [1]],
    ['anna.b', [1]],
    ['@mail.example', [1]],
    ['example', [1]],
    ['+7 916 123', [1]],
    ['8 916 123-45', [1]],
    ['89161234567', [1]],
    ['123-45', [1]],
    ['3 45', [1]],
    ['4567', [1]],
    ['brien 4567', [1]],
    ['ts-100', [2, 1]],
    ['100/b', [2, 1]],
    ['чайник', [2, 1]],
    ['елка чай', [2, 1]],
    ['чай 4567', [1]],
    ['nnamaria', []],
    ['67890', []],
    ['чай nobody', []],
  ])('%j', async (q, numbers) => expect(await shop.found(q)).toEqual(numbers));

  test.each([
    ...['"', '*', '" *', '" OR "', 'NOT', 'a AND b', '(', ')))', ':', '{x}: a', '^', '-', '+', '!', '&', '|', "' | '"],
    ...["'", "''", '\\', "\\'", '<->', ':*', ';--', '%', '_', '🍵', '\u{10ffff}', '\u0301', '½', 'ﷺ', '٣٤٥'],
    'a '.repeat(50),
    'я'.repeat(100),
    '1 '.repeat(49),
    'a-1'.repeat(33),
  ])('%j is text, not an operator', async (q) => {
    for (const path of [`${shop.path}?`, `${shop.path}/export?`, `/stores/${shop.storeId}/search?`]) {
      const { status } = await shop.visitor.get(`${path}${new URLSearchParams({ q })}`);
      expect([path, status]).toEqual([path, 200]);
    }
  });

  test.each([
    ['', 'required'],
    ['q=', 'too_short'],
    [`q=${'a'.repeat(10_000)}`, 'too_long'],
    ['q=a%00b', 'invalid_characters'],
    ['q=a&q=b', 'repeated'],
    ['q=%ff', 'invalid_format'],
  ])('a query %.20s is rejected', async (query, code) => {
    const { status, body } = await shop.visitor.get(`/stores/${shop.storeId}/search?${query}`);
    expect([status, body.errors?.[0]]).toMatchObject([400, { parameter: 'q', code }]);
    const bare = await shop.visitor.get(`/stores/${shop.storeId}/search${query && '?'}${query}`);
    expect(bare.status).toBe(400);
  });

  test('finds the orders, products and customers of one store', async () => {
    const find = async (q: string) =>
      (await shop.visitor.get(`/stores/${shop.storeId}/search?${new URLSearchParams({ q })}`)).body;
    expect(await find('anna')).toMatchObject({
      orders: [{ number: 1, customer: customer.name, totalAmount: 5, status: { code: 'new' } }],
      products: [],
      customers: [{ name: customer.name }],
    });
    expect(await find('чайник')).toMatchObject({
      orders: [{ number: 2 }, { number: 1 }],
      products: [{ id: shop.productId }],
      customers: [],
    });
    const theirs = `/stores/${other.storeId}/search?q=anna`;
    expect((await shop.visitor.get(theirs)).status).toBe(404);
  });

  test('follows changes of the customer, the lines, the address and the note', async () => {
    const order = await shop.order({ customer: { name: 'Before' } });
    const rowid = async () => (await db.one(sql`select count(*) as count from order_search`)) as { count: number };
    const { count } = await rowid();
    await shop.visitor.patch(`${shop.path}/${order.id}`, { customer: { name: 'After', email: 'after@example.org' } });
    expect([await shop.found('before'), await shop.found('after org'), await shop.found('ts100 after')]).toEqual([
      [],
      [3],
      [3],
    ]);
    const sku = 'CUP-9';
    const productId = await addProduct(service, shop.storeId, { sku, name: 'Cup', price: 1 });
    await shop.visitor.patch(`${shop.path}/${order.id}`, { items: [{ productId, quantity: 1 }], status: 'packing' });
    expect([await shop.found('cup-9'), await shop.found('ts100'), await shop.found('after')]).toEqual([
      [3],
      [2, 1],
      [3],
    ]);
    expect(await shop.found('after', { status: 'packing' })).toEqual([3]);
    await shop.visitor.patch(`${shop.path}/${order.id}`, { delivery: { city: 'Kazan' }, notes: 'ring twice' });
    expect([await shop.found('kazan'), await shop.found('twice after')]).toEqual([[3], [3]]);
    await shop.visitor.patch(`${shop.path}/${order.id}`, { notes: '' });
    expect(await shop.found('twice')).toEqual([]);
    expect((await rowid()).count).toBe(count);
  });
});

test('the exact number comes first in the palette', async () => {
  const shop = await newShop();
  const { statuses, paymentStatuses } = (await shop.visitor.get(`${shop.path}/choices`)).body;
  const seed = { status_id: statuses[0].id, payment_status_id: paymentStatuses[0].id };
  await insertOrders(
    db,
    shop.storeId,
    Array.from({ length: 120 }, (_, index) => ({ ...seed, external_id: `7-${index}` })),
  );
  const { body } = await shop.visitor.get(`/stores/${shop.storeId}/search?q=7`);
  expect(body.orders.map(({ number }: any) => number)).toEqual([7, 120, 119, 118, 117]);
});

test('a common word with a rare filter continues where a page ended', async () => {
  const shop = await newShop();
  for (let count = 0; count < 45; count++) await shop.order({ customer: { name: 'Same Name' } });
  const { body: first } = await shop.visitor.get(`${shop.path}?from=2020-01-01&q=same`);
  await shop.visitor.patch(`${shop.path}/${first.data.at(-1).id}`, { status: 'packing' });
  const pages: number[][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await shop.visitor.get(`${shop.path}?q=name&status=packing${cursor && `&cursor=${cursor}`}`);
    pages.push(body.data.map(({ number }: any) => number));
    cursor = body.page.nextCursor;
  }
  expect(pages).toEqual([[], [], [1]]);
  expect(await shop.found('same', { from: '2090-01-01' })).toEqual([]);
  expect(await shop.found('same', { to: '2020-01-01' })).toEqual([]);
});

test('a search goes through all blocks of a large store, over several pages if need be', async () => {
  const shop = await newShop();
  const customer = { name: 'Rare Bird' };
  await shop.order({ customer });
  for (const last of [400_000, 900_000, 20_000_000]) {
    await db.run(sql`update store_clocks set last_number = ${last} where store_id = ${shop.storeId}`);
    await shop.order({ customer });
  }
  const pages: number[][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await shop.visitor.get(`${shop.path}?q=bird rare${cursor && `&cursor=${cursor}`}`);
    pages.push(body.data.map(({ number }: any) => number));
    cursor = body.page.nextCursor;
  }
  expect(pages.flat()).toEqual([20_000_001, 900_001, 400_001, 1]);
  expect(pages.length).toBeGreaterThan(1);
  const eight = 'bird rare b r bi ra bir rar';
  expect((await shop.visitor.get(`${shop.path}?q=${eight}`)).body.data).toHaveLength(1);
});

describe('common words', () => {
  /** More than are checked one by one. */
  const MANY = 600;
  let shop: Shop;

  const ordersFrom = async (number: number, name: string, count = 1) => {
    await db.run(sql`update store_clocks set last_number = ${number - 1} where store_id = ${shop.storeId}`);
    await shop.order({ customer: { name } });
    const others = Array.from({ length: count - 1 }, (_, index) => number + 1 + index);
    const customer = { name, phone: '', email: '' };
    const terms = others.map((next) => searchedBy(shop.storeId, { ...blank, number: next, customer }, []));
    await db.transaction((tx) => runWrites(tx, terms));
    await db.run(sql`update store_clocks set last_number = ${number + count - 1} where store_id = ${shop.storeId}`);
  };

  /** In how many blocks the index is searched for each word. */
  async function lookups(q: string) {
    const blocks: Record<string, number> = {};
    const recorded = (query: Sql) => {
      if (/ match | @@ /.test(query.parts.join('?')))
        for (const [, word = ''] of query.values.join().matchAll(/["'].{7}w([a-z]+)["']/g))
          blocks[word] = (blocks[word] ?? 0) + 1;
      return query;
    };
    const recorder = {
      ...db,
      all: <Row>(query: Sql) => db.all<Row>(recorded(query)),
      one: <Row>(query: Sql) => db.one<Row>(recorded(query)),
    };
    const paging = { cursors: cursors(['k'.repeat(32)]), searchLimit: 5000 };
    const search = { q, list: { limit: 50 }, days: { from: undefined, to: undefined }, equal: [] };
    await searchOrders(recorder, paging, shop.storeId, search);
    return blocks;
  }

  beforeAll(async () => {
    shop = await newShop();
    await ordersFrom(1, 'Common Left Rare');
    await ordersFrom(2, 'Common Left', MANY);
    await ordersFrom(BLOCK_SIZE, 'Common Right', MANY);
    await ordersFrom(BLOCK_SIZE + MANY, 'Common Left Right');
    for (let block = 2; block < 40; block++) await ordersFrom(block * BLOCK_SIZE, 'Common Name', 10);
    await ordersFrom(40 * BLOCK_SIZE, 'Common Name', MANY);
  });

  test.each([
    ['rare common', [1]],
    ['common rare left', [1]],
    ['right common left', [BLOCK_SIZE + MANY]],
    ['common nobody', []],
  ])('%s', async (q, numbers) => expect(await shop.found(q)).toEqual(numbers));

  test('beside a rare word, a common one is looked up in one block only', async () => {
    expect(await lookups('common rare')).toEqual({ common: 1, rare: 42 });
    expect(await lookups('nobody common name')).toEqual({ common: 1, name: 1, nobody: 42 });
  });

  test('a common word alone ends with the block that fills the page', async () => {
    expect(await lookups('common')).toEqual({ common: 1 });
    expect(await lookups('common name')).toEqual({ common: 2, name: 2 });
  });
});

test('an order with hundreds of lines has a limited number of terms', () => {
  const items = Array.from({ length: 500 }, (_, index) => ({
    sku: `${'s.'.repeat(120)}${index}`,
    name: 'n '.repeat(120),
  }));
  const long = { name: 'x.'.repeat(120), phone: '1'.repeat(60), email: `${'я'.repeat(200)}@example.com` };
  const notes = 'n.'.repeat(2500);
  const terms = searchTerms({ ...blank, notes, number: 7, externalId: 'E', customer: long }, items);
  expect(terms.length).toBeLessThanOrEqual(400);
  expect(Math.max(...terms.map((term) => term.length))).toBeLessThanOrEqual(33);
  expect(terms.slice(0, 2)).toEqual(['n7n', 'we']);
  expect(searchQuery('a '.repeat(200)).flat()).toHaveLength(1);
  expect(searchQuery(Array.from({ length: 200 }, (_, index) => `w${index}`).join(' ')).flat()).toHaveLength(8);
  expect(searchQuery(' "*" ')).toEqual([]);
});

test('a search uses the index of terms', async () => {
  const { storeId, order } = await newShop();
  await order({ customer });
  if (db.dialect.engine === 'postgres') {
    await db.run(
      sql`insert into order_search (store_id, number, terms)
          select ${storeId}, n, array_to_tsvector(array['x' || n]) from generate_series(2, 5000) n`,
    );
    await db.run(sql`vacuum analyze order_search`);
  }
  const range = { above: 0, below: 100, limit: 51 };
  const plan = await planOf(db, matchStatement(db.dialect, storeId, [0], searchQuery('anna 77'), range));
  expect(plan).toMatch(db.dialect.engine === 'sqlite' ? /VIRTUAL TABLE INDEX \d+:.*M/ : /order_search_terms/);
  expect(plan).not.toContain('order_search_pkey');
});
