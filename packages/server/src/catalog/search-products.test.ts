import { beforeAll, describe, expect, test } from 'vitest';
import { planOf } from '../../test/plan.ts';
import { insertProducts } from '../../test/rows.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { findByTerms, firstTerms, sliceStatement } from '../db/search/record-terms.ts';
import { type Sql, sql } from '../db/sql.ts';
import { wordQuery } from '../text/search-terms.ts';
import { productTerms } from './search-terms.ts';

const service = await startService();
const { db } = service;

async function newShop() {
  const owner = await signedInOwner(service);
  const products = `${owner.path}/products`;
  const found = async (q: string) =>
    (await owner.visitor.get(`${products}?${new URLSearchParams({ q })}`)).body.data.map(({ name }: any) => name);
  const upload = async (text: string) =>
    service.send('POST', `/console/api${products}/import`, {
      headers: {
        origin: service.url,
        'content-type': 'text/csv',
        cookie: [...owner.visitor.jar].map((pair) => pair.join('=')).join('; '),
      },
      rawBody: text,
    });
  return { ...owner, products, found, upload };
}
type Shop = Awaited<ReturnType<typeof newShop>>;

describe('one product', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await newShop();
    const other = await newShop();
    const kettle = { name: 'Чайник «Ёлка» 0.5 л', price: 1, sku: 'TS-100/B', externalId: '1c-ABC' };
    for (const { visitor, products } of [shop, other]) await visitor.post(products, kettle);
    await shop.visitor.post(shop.products, { name: 'Чашка', price: 1 });
  });

  test.each([
    ['чайник', 1],
    ['ЕЛКА', 1],
    ['ёлк', 1],
    ['елка чай', 1],
    ['0.5 чайник', 1],
    ['ts-100', 1],
    ['TS100', 1],
    ['100/b', 1],
    ['abc', 1],
    ['1c-a', 1],
    ['1C-ABC елка', 1],
    ['ча', 2],
    ['йник', 0],
    ['чайник чашка', 0],
    ['% _', 0],
  ])('%j', async (q, count) => expect(await shop.found(q)).toHaveLength(count));

  test.each([
    ...['"', "'", '*', '\\', "\\'", '%', '_', '🍵', '\u{10ffff}', '½', 'ﷺ', '٣٤٥', '#9'],
    'q '.repeat(50),
    'я'.repeat(100),
    'a-1'.repeat(33),
  ])('%j is text', async (q) => {
    expect(await shop.found(q)).toEqual([]);
    const { status } = await shop.visitor.get(`${shop.path}/orders/products?${new URLSearchParams({ q })}`);
    expect(status).toBe(200);
  });

  test('a query has a limit', async () => {
    const { status, body } = await shop.visitor.get(`${shop.products}?q=${'a'.repeat(101)}`);
    expect([status, body.errors]).toMatchObject([400, [{ parameter: 'q', code: 'too_long' }]]);
  });
});

test('the search follows changes of the product, in the console and by import', async () => {
  const { visitor, products, found, upload } = await newShop();
  const { id } = (await visitor.post(products, { name: 'Green tea', price: 1, sku: 'A-1' })).body;
  await visitor.patch(`${products}/${id}`, { name: 'Black tea', sku: 'B-2' });
  expect([await found('green'), await found('a-1'), await found('tea b-2')]).toEqual([[], [], ['Black tea']]);
  await upload('sku,name,externalId,price\nB-2,White tea,x-9,1\nC-3,Cup,,1\n');
  expect([await found('black'), await found('white x-9'), await found('c-3')]).toEqual([[], ['White tea'], ['Cup']]);
  // A key passes from one product to the other.
  await upload('externalId,sku\nx-9,\n');
  await visitor.patch(`${products}/${(await visitor.get(`${products}?q=cup`)).body.data[0].id}`, { sku: 'B-2' });
  expect([await found('b-2'), await found('c-3')]).toEqual([['Cup'], []]);
});

describe('a mistyped letter', () => {
  let shop: Shop;
  const suggested = async (q: string, more = '') =>
    (await shop.visitor.get(`${shop.products}?${new URLSearchParams({ q })}${more}`)).body.suggestion;
  beforeAll(async () => {
    shop = await newShop();
    await insertProducts(db, shop.storeId, [
      { name: 'Зелёный чай Сенча' },
      { name: 'Чёрный чай', is_active: false },
      { name: 'Matcha bowl', sku: 'M-1' },
    ]);
  });

  test.each([
    ['синча', 'сенча'],
    ['енча', 'сенча'],
    ['снеча', 'сенча'],
    ['сенчча', 'сенча'],
    ['чяй Зелоный', 'чай зеленый'],
    ['зелн', 'зеленый'],
    ['macha', 'matcha'],
    ['matcha boul', 'matcha bowl'],
    ['M-1 mtacha', 'm1 matcha'],
    ['сенча', undefined],
    // Every word is there, but no product has both.
    ['сенча matcha', undefined],
    ['сннчяя', undefined],
    ['bxwl 777', undefined],
    ['aaa bbb ccc ddd', undefined],
    ['x'.repeat(100), undefined],
    ['茶碗', undefined],
  ])('%s: %s', async (q, text) => {
    expect(await suggested(q)).toBe(text);
    if (text) expect((await shop.found(text)).length).toBeGreaterThan(0);
  });

  test('suggests only what the filters show', async () => {
    expect(await suggested('чорный')).toBe('черный');
    expect(await suggested('чорный', '&active=true')).toBe(undefined);
  });

  test('reads ranges of the index only', async () => {
    let plan = '';
    const recorder = {
      ...db,
      async all<Row>(query: Sql) {
        plan = await planOf(db, query);
        return db.all<Row>(query);
      },
    };
    expect(await firstTerms(recorder, 'products', shop.storeId, ['wс', 'wчер', 'wnobody'])).toEqual([
      'wсенча',
      'wчерный',
    ]);
    expect(plan).toMatch(/product_terms_start/);
    expect(plan).not.toMatch(/\bSort\b|TEMP B-TREE|Seq Scan|SCAN t\b/);
  });
});

test('a product with a long name has a limited number of terms', () => {
  const long = 'x.'.repeat(2000);
  const terms = productTerms({ name: long, sku: long, external_id: 'я '.repeat(2000) });
  expect(terms.length).toBeLessThanOrEqual(96);
  expect(Math.max(...terms.map((term) => term.length))).toBeLessThanOrEqual(33);
});

describe('common words', () => {
  const MANY = 12_000;
  let shop: Shop;
  beforeAll(async () => {
    shop = await newShop();
    await insertProducts(
      db,
      shop.storeId,
      Array.from({ length: MANY }, (_, index) => ({
        name: `Common ${index % 2 ? 'left' : 'right'} tea`,
        price: index,
      })),
    );
    await insertProducts(db, shop.storeId, [{ name: 'Rare common left' }]);
  }, 60_000);

  test('beside a rare one, they are checked in its records only', async () => {
    expect(await shop.found('common left rare')).toEqual(['Rare common left']);
    expect(await shop.found('common rare nobody')).toEqual([]);
  });

  test.each([
    ['common', 2],
    ['common left', 12],
    ['common left right', 30],
    ['c co com comm commo common t te', 40],
  ])('alone, they take a limited number of statements: %j', async (q, max) => {
    const statements: number[] = [];
    const counted = async <Row>(query: Sql) => {
      const rows = await db.all<Row>(query);
      statements.push(rows.length);
      return rows;
    };
    const recorder = { ...db, all: counted, one: async <Row>(query: Sql) => (await counted<Row>(query))[0] };
    const found = await findByTerms(recorder, 'products', shop.storeId, wordQuery(q), 500);
    expect(found.length).toBe(q.includes('right') ? 0 : 500);
    expect(statements.length).toBeLessThanOrEqual(max);
    expect(Math.max(...statements)).toBeLessThanOrEqual(500);
  });

  test('a list of them is paged to its end', async () => {
    const ids = new Set<string>();
    for (let cursor = ''; ; ) {
      const { body } = await shop.visitor.get(`${shop.products}?q=common tea${cursor && `&cursor=${cursor}`}`);
      for (const { id } of body.data) ids.add(id);
      cursor = body.page.nextCursor;
      if (!cursor) break;
    }
    expect(ids.size).toBe(500);
  });

  test('a search reads ranges of the index only', async () => {
    const after = { term: 'wcommon', id: shop.storeId };
    const statement = sliceStatement('products', shop.storeId, 'wcommon', [['wleft', 'wx'], ['wtea']], after);
    for (const isAnalyzed of [false, true]) {
      if (isAnalyzed && db.dialect.engine === 'postgres') await db.run(sql`analyze product_terms`);
      const plan = await planOf(db, statement);
      expect(plan).toMatch(/product_terms_start/);
      expect(plan).not.toMatch(/\bSort\b|TEMP B-TREE|Hash|SCAN|Seq Scan/);
      const others = plan.split('\n').filter((line) => /\bo(_1)?\b.*(\(store_id|cost)/.test(line));
      expect(others).toHaveLength(2);
      for (const line of others) expect(line).toMatch(/PRIMARY KEY \(store_id=\? AND record_id=\?|product_terms_pkey/);
    }
  });
});
