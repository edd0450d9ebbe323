import { beforeAll, describe, expect, test } from 'vitest';
import { listRules } from '../../test/list-rules.ts';
import { insertCustomers, insertProducts } from '../../test/rows.ts';
import { startService } from '../../test/service.ts';
import { sql } from '../db/sql.ts';
import { uuid } from '../db/uuid.ts';

const service = await startService({ damages: 'products with the change numbers of the test' });
const { db } = service;
const path = '/api/v1/products';
const read = (id: string, key: string) => service.get(`${path}/${encodeURIComponent(id)}`, key);

listRules(service, {
  path,
  otherPath: '/api/v1/customers',
  insert: (storeId, stamps) => insertProducts(db, storeId, stamps),
  insertOther: (storeId, stamps) => insertCustomers(db, storeId, stamps),
});

async function addCategory(storeId: string, externalId: string | null) {
  const id = uuid(1000);
  await db.run(
    sql`insert into categories (store_id, id, external_id, name, created_at, updated_at)
        values (${storeId}, ${id}, ${externalId}, 'Tea', 1000, 1000)`,
  );
  return id;
}

describe('a product', () => {
  test('is the same in a list and alone, whatever its texts and times', async () => {
    const { storeId, key } = await service.shop({ currency: 'KZT' });
    const category_id = await addCategory(storeId, '"cat"');
    const texts = ['"\\', '\u0001\b\f\n\r\t\u001f\u007f', '\u2028 Чай 🍵 </script>', "it's ||"];
    const times = [0, 999, 1_763_424_000_001, 253_402_300_799_999];
    await insertProducts(
      db,
      storeId,
      texts.map((name, index) => ({
        ...(index % 2 ? { external_id: name, sku: name } : { category_id }),
        name,
        description: name,
        image_url: name,
        is_active: index > 1,
        price: index && 2 ** 53 - index,
        created_at: times[index] as number,
        updated_at: times[index] as number,
      })),
    );
    const { data } = (await service.get(path, key)).body;
    expect(data.map(({ name }: { name: string }) => name)).toEqual(texts.toReversed());
    for (const product of data)
      expect(JSON.stringify((await read(product.id, key)).body.data)).toBe(JSON.stringify(product));
  });

  test('shows every field, in the currency of the store', async () => {
    const { storeId, key } = await service.shop({ currency: 'KZT' });
    const category_id = await addCategory(storeId, 'cat-1');
    const time = Date.parse('2026-03-04T05:06:07.089Z');
    const [row] = await insertProducts(db, storeId, [
      {
        external_id: 'p-1',
        sku: 'TEA',
        name: 'Чай',
        price: 2 ** 53 - 1,
        category_id,
        created_at: time,
        updated_at: time + 1,
      },
    ]);
    const { status, body } = await read('p-1', key);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        id: row?.id,
        externalId: 'p-1',
        sku: 'TEA',
        name: 'Чай',
        description: '',
        price: 2 ** 53 - 1,
        currency: 'KZT',
        categoryId: category_id,
        categoryExternalId: 'cat-1',
        imageUrl: '',
        isActive: true,
        createdAt: '2026-03-04T05:06:07.089Z',
        updatedAt: '2026-03-04T05:06:07.090Z',
        stock: null,
        oldPrice: null,
      },
    });
    expect((await service.get(path, key)).body.data).toEqual([body.data]);
  });

  test('has "" where a text is missing, null where there is no category', async () => {
    const { storeId, key } = await service.shop();
    const [row] = await insertProducts(db, storeId, [{ is_active: false }]);
    const { body } = await read(row?.id as string, key);
    expect(body.data).toMatchObject({ externalId: '', sku: '', categoryId: null, categoryExternalId: '' });
    expect(body.data.isActive).toBe(false);
  });
});

describe('GET /products/{id}', () => {
  const unusual = [
    'a/b',
    'a?b=c',
    '100%',
    '%2F',
    '%252F',
    '#1',
    'two words',
    'a+b',
    'Чай «Ассам»',
    '🫖',
    '..a',
    "'; --",
    '\\',
    '&=;,:@$',
  ];
  let key: string;
  let storeId: string;
  beforeAll(async () => {
    ({ key, storeId } = await service.shop());
    await insertProducts(db, storeId, [
      ...unusual.map((text, index) => ({ external_id: text, sku: `sku ${index}` })),
      ...unusual.map((text, index) => ({ external_id: `external ${index}`, sku: `${text}!` })),
    ]);
  });

  test.each(unusual)('finds %j as external id and as SKU', async (text) => {
    const byExternalId = await read(text, key);
    expect([byExternalId.status, byExternalId.body.data?.externalId]).toEqual([200, text]);
    const bySku = await read(`${text}!`, key);
    expect([bySku.status, bySku.body.data?.sku]).toEqual([200, `${text}!`]);
  });

  test('finds an external id of 255 characters at their longest', async () => {
    const [row] = await insertProducts(db, storeId, [{ external_id: '界'.repeat(255) }]);
    expect((await read('界'.repeat(255), key)).body.data.id).toBe(row?.id);
  });

  test('matches the id first, then the external id, then the SKU', async () => {
    const shop = await service.shop();
    const [first] = await insertProducts(db, shop.storeId, [{ external_id: 'both', sku: 'first' }]);
    const id = first?.id as string;
    await insertProducts(db, shop.storeId, [
      { external_id: id, sku: 'both', seq: 2 },
      { external_id: 'third', sku: id, seq: 3 },
    ]);
    expect((await read(id, shop.key)).body.data.sku).toBe('first');
    expect((await read(id.toUpperCase(), shop.key)).body.data.sku).toBe('first');
    expect((await read('both', shop.key)).body.data.sku).toBe('first');
    const unknownId = uuid(1);
    await insertProducts(db, shop.storeId, [{ external_id: unknownId, seq: 4 }]);
    expect((await read(unknownId, shop.key)).body.data.externalId).toBe(unknownId);
  });

  test.each(['nothing', '', '\0', 'NULL', '00000000-0000-7000-8000-000000000000'])('%j is not found', async (id) => {
    const { status, body } = await read(id, key);
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  test('a product of another store of the same owner is not found', async () => {
    const mine = await service.shop();
    const other = await service.shop({ ownerId: mine.ownerId });
    const [row] = await insertProducts(db, other.storeId, [{ external_id: 'x', sku: 'y' }]);
    for (const id of [row?.id as string, 'x', 'y']) expect((await read(id, mine.key)).status).toBe(404);
  });
});

describe('filters', () => {
  test('by external id, SKU and category', async () => {
    const { storeId, key } = await service.shop();
    const tea = await addCategory(storeId, null);
    const empty = await addCategory(storeId, null);
    await insertProducts(db, storeId, [
      { external_id: 'a&b', sku: '1', category_id: tea },
      { external_id: 'c', sku: 'Ä 2', category_id: tea },
      { external_id: 'd', sku: '3' },
    ]);
    const skus = async (name: string, value: string) => {
      const { status, body } = await service.get(`${path}?filter[${name}]=${encodeURIComponent(value)}`, key);
      expect(status).toBe(200);
      return body.data.map((product: any) => product.sku).sort();
    };
    expect(await skus('externalId', 'a&b')).toEqual(['1']);
    expect(await skus('externalId', 'A&B')).toEqual([]);
    expect(await skus('sku', 'Ä 2')).toEqual(['Ä 2']);
    expect(await skus('categoryId', tea)).toEqual(['1', 'Ä 2']);
    expect(await skus('categoryId', tea.toUpperCase())).toEqual(['1', 'Ä 2']);
    expect(await skus('categoryId', empty)).toEqual([]);
    const both = await service.get(`${path}?filter[categoryId]=${tea}&filter[sku]=3`, key);
    expect(both.body.data).toEqual([]);
  });

  test('an invalid category id is rejected', async () => {
    const { key } = await service.shop();
    const { status, body } = await service.get(`${path}?filter[categoryId]=tea`, key);
    expect([status, body.errors[0].parameter]).toEqual([400, 'filter[categoryId]']);
  });
});
