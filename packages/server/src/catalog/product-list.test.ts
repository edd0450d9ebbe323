import { priceAfter } from '@store-sales/contract/console';
import { describe, expect, test } from 'vitest';
import { insertProducts, searchAgain } from '../../test/rows.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { sql } from '../db/sql.ts';
import { uuid } from '../db/uuid.ts';
import { isImageUrl } from './image-url.ts';

const service = await startService({ damages: 'products with the change numbers of the test', searchLimit: 70 });
const { db, clock } = service;
const names = (reply: any) => reply.body.data.map(({ name }: any) => name);

describe('the picture of a product', () => {
  test('is an https address or a path of this service', () => {
    const valid = [
      'https://cdn.example.com/a b.jpg'.replace(' ', '%20'),
      'HTTPS://x.example/?a=1#b',
      '/images/a.jpg',
      '/',
    ];
    const invalid = [
      'http://x.example/a.jpg',
      '//evil.example/a.jpg',
      '/\\evil.example',
      'javascript:alert(1)',
      'a.jpg',
    ];
    const strange = [
      'https://',
      'https:///a',
      'https://u:p@x.example/',
      'https://x.example/a b',
      'data:image/png;base64,',
    ];
    for (const text of valid) expect(isImageUrl(text), text).toBe(true);
    for (const text of [...invalid, ...strange]) expect(isImageUrl(text), text).toBe(false);
  });

  test('is shown in the API after the category, kept by other changes, and cleared', async () => {
    const { storeId, visitor, path } = await signedInOwner(service);
    const key = await service.key(storeId);
    const imageUrl = 'https://cdn.example.com/tea.jpg';
    const created = await visitor.post(`${path}/products`, {
      name: 'Tea',
      price: 100,
      sku: 'T',
      imageUrl: ` ${imageUrl} `,
    });
    expect(created.body.imageUrl).toBe(imageUrl);
    const api = (await service.get('/api/v1/products/T', key)).body.data;
    expect(Object.keys(api).slice(8, 11)).toEqual(['categoryExternalId', 'imageUrl', 'isActive']);
    const one = `${path}/products/${created.body.id}`;
    clock.now += 1000;
    const renamed = await visitor.patch(one, { name: 'Green tea' });
    expect(renamed.body.imageUrl).toBe(imageUrl);
    expect((await visitor.patch(one, { imageUrl: '' })).body.imageUrl).toBe('');
    expect((await service.get('/api/v1/products', key)).body.data[0].imageUrl).toBe('');
    const refused = await visitor.patch(one, { imageUrl: '//evil.example/a.jpg' });
    expect(refused.body.errors).toMatchObject([{ pointer: '/imageUrl', code: 'invalid_format' }]);
    const long = await visitor.patch(one, { imageUrl: `https://x.example/${'a'.repeat(2000)}` });
    expect(long.body.errors).toMatchObject([{ pointer: '/imageUrl', code: 'too_long' }]);
    const [entry] = (await visitor.get(`${path}/history?kind=catalog`)).body.entries;
    expect(entry.details).toEqual({ imageUrl: [imageUrl, ''] });
  });

  test('survives a change by a node of the previous version', async () => {
    const { storeId, visitor, path } = await signedInOwner(service);
    const body = { name: 'Tea', price: 100, imageUrl: '/tea.jpg' };
    const { id } = (await visitor.post(`${path}/products`, body)).body;
    const columns = sql`store_id, id, name, name_key, description, price, is_active, created_at, updated_at, seq`;
    for (const each of [id, uuid(clock.now)])
      await db.run(sql`insert into products (${columns}) values (${storeId}, ${each}, 'Old', 'old', '', 5, ${true}, 1, 1, 9)
        on conflict (store_id, id) do update set name = excluded.name, price = excluded.price`);
    await searchAgain(db, storeId);
    const { data } = (await visitor.get(`${path}/products`)).body;
    expect(data.map(({ imageUrl }: any) => imageUrl).sort()).toEqual(['', '/tea.jpg']);
  });

  test('is a column of the import, in the console too', async () => {
    const { storeId, visitor, path } = await signedInOwner(service);
    const upload = async (text: string, query = '') => {
      const reply = await service.send('POST', `/console/api${path}/products/import${query}`, {
        headers: {
          origin: service.url,
          'content-type': 'text/csv',
          cookie: [...visitor.jar].map((pair) => pair.join('=')).join('; '),
        },
        rawBody: text,
      });
      return JSON.parse(reply.text.trim().split('\n').at(-1) as string).report;
    };
    const file = 'sku,name,price,imageUrl\nA,Tea,100,https://x.example/a.jpg\nB,Cup,100,\nC,Pot,100,ftp://x\n';
    const report = await upload(file);
    expect(report).toMatchObject({ created: 2, rejected: [{ line: 4, column: 'imageUrl', code: 'not_image_url' }] });
    const images = async () =>
      Object.fromEntries(
        (await db.all<any>(sql`select sku, image_url from products where store_id = ${storeId}`)).map((row) => [
          row.sku,
          row.image_url,
        ]),
      );
    expect(await images()).toEqual({ A: 'https://x.example/a.jpg', B: '' });
    // A column that is left out keeps what is there; an empty cell clears it.
    expect(await upload('sku,name\nA,Black tea\n')).toMatchObject({ updated: 1 });
    expect(await images()).toMatchObject({ A: 'https://x.example/a.jpg' });
    const preview = await upload('sku,imageUrl\nA,\nB,\n', '?preview=true');
    expect(preview.changes).toMatchObject([{ fields: { imageUrl: ['https://x.example/a.jpg', ''] } }]);
    expect(await upload('sku,imageUrl\nA,\nB,\n')).toMatchObject({ updated: 1, unchanged: 1 });
    expect(await images()).toEqual({ A: '', B: '' });
  });
});

test('products are sorted by name, price and time of change, page by page, also filtered', async () => {
  const { storeId, visitor, path } = await signedInOwner(service);
  const count = 150;
  const seeds = Array.from({ length: count }, (_, index) => ({
    // Names with spaces and repeated prices; every second one inactive.
    name: `P ${String((index * 7) % count).padStart(3, '0')} x`,
    price: (index * 11) % 20,
    is_active: index % 2 === 0,
    created_at: index,
    updated_at: 10_000 - index,
    seq: count - index,
  }));
  const rows = await insertProducts(db, storeId, seeds);
  const walk = async (query: string) => {
    const found: any[] = [];
    for (let cursor = ''; ; ) {
      const reply = await visitor.get(`${path}/products?${query}${cursor && `&cursor=${cursor}`}`);
      expect(reply.status).toBe(200);
      found.push(...reply.body.data);
      cursor = reply.body.page.nextCursor ?? '';
      if (!cursor) return found;
    }
  };
  const order: Record<string, (a: any, b: any) => number> = {
    name: (a, b) => (a.name < b.name ? -1 : 1),
    price: (a, b) => a.price - b.price || (a.id < b.id ? -1 : 1),
    updatedAt: (a, b) => a.updated_at - b.updated_at,
  };
  for (const [field, compare] of Object.entries(order)) {
    const sorted = [...rows].sort(compare).map(({ id }) => id);
    const ids = async (query: string) => (await walk(query)).map(({ id }) => id);
    expect(await ids(`sort=${field}:asc`)).toEqual(sorted);
    expect(await ids(`sort=${field}:desc`)).toEqual([...sorted].reverse());
    const active = new Set(rows.filter((row) => row.is_active).map(({ id }) => id));
    expect(await ids(`sort=${field}:asc&active=true`)).toEqual(sorted.filter((id) => active.has(id)));
  }
  const found = await visitor.get(`${path}/products?q=P 00&sort=name:desc`);
  expect(names(found)).toEqual(Array.from({ length: 10 }, (_, index) => `P ${String(9 - index).padStart(3, '0')} x`));
  const first = await visitor.get(`${path}/products?sort=name:asc`);
  const mixed = await visitor.get(`${path}/products?sort=price:asc&cursor=${first.body.page.nextCursor}`);
  expect([mixed.status, mixed.body.code]).toEqual([400, 'invalid_cursor']);
  expect((await visitor.get(`${path}/products?sort=sku:asc`)).status).toBe(400);
});

test('several products are switched at once, only those that change', async () => {
  const { storeId, visitor, path } = await signedInOwner(service);
  const key = await service.key(storeId);
  const [a, b, c] = (
    await insertProducts(db, storeId, [{ name: 'A' }, { name: 'B', is_active: false }, { name: 'C' }])
  ).map(({ id }) => id) as [string, string, string];
  const send = (ids: string[], isActive: boolean) => visitor.patch(`${path}/products`, { ids, isActive });
  expect((await send([a, b, a, c.toUpperCase()], false)).body).toEqual({ changed: 2 });
  const since = new Date(clock.now).toISOString();
  const list = `/api/v1/products?order=updatedAt:asc&filter[updatedAt][from]=${since}`;
  const { data } = (await service.get(list, key)).body;
  expect(data.map(({ name, isActive }: any) => [name, isActive])).toEqual([
    ['A', false],
    ['C', false],
  ]);
  expect((await send([a], false)).body).toEqual({ changed: 0 });
  expect((await visitor.get(`${path}/history?kind=catalog`)).body.entries).toHaveLength(2);

  const stranger = await signedInOwner(service);
  const foreign = await stranger.visitor.patch(`${stranger.path}/products`, { ids: [a], isActive: true });
  expect(foreign.body.errors).toMatchObject([{ pointer: '/ids/0', code: 'not_found' }]);
  expect((await send([], true)).status).toBe(422);
  expect((await send(Array(101).fill(a), true)).status).toBe(422);
  expect((await send(['x'], true)).status).toBe(422);
});

test('prices are changed by percent and rounded, and products get a category, together', async () => {
  const { storeId, visitor, path } = await signedInOwner(service);
  const [tea] = (await visitor.post(`${path}/categories`, { name: 'Tea' })).body;
  const rows = await insertProducts(db, storeId, [
    { name: 'A', price: 10_050 },
    { name: 'B', price: 99_999 },
    { name: 'C', price: 0 },
  ]);
  const ids = rows.map(({ id }) => id);
  const send = (change: object) => visitor.patch(`${path}/products`, { ids, ...change });
  const shown = async (field: string) =>
    (await visitor.get(`${path}/products?sort=name:asc`)).body.data.map((product: any) => product[field]);
  expect((await send({ price: { percent: -10, roundTo: 100 } })).body).toEqual({ changed: 2 });
  expect(await shown('price')).toEqual([9000, 90_000, 0]);
  expect((await send({ price: { percent: 12.34, roundTo: 1 } })).body).toEqual({ changed: 2 });
  expect(await shown('price')).toEqual([10_111, 101_106, 0]);
  expect((await send({ categoryId: tea.id, isActive: false })).body).toEqual({ changed: 3 });
  expect((await send({ categoryId: tea.id })).body).toEqual({ changed: 0 });
  expect([await shown('categoryId'), await shown('isActive')]).toEqual([ids.map(() => tea.id), ids.map(() => false)]);
  const { entries } = (await visitor.get(`${path}/history?kind=catalog`)).body;
  expect(entries[0].details).toEqual({ category: ['', 'Tea'], isActive: [true, false] });
  expect((await send({ categoryId: '' })).body).toEqual({ changed: 3 });

  const wrong = [{}, { categoryId: ids[0] }, { price: { percent: 5 } }, { price: { percent: -101, roundTo: 1 } }];
  for (const change of wrong) expect((await send(change)).status, JSON.stringify(change)).toBe(422);
  await visitor.patch(`${path}/products/${ids[0]}`, { price: 2 ** 53 - 1 });
  const tooHigh = await send({ price: { percent: 1, roundTo: 1 } });
  expect(tooHigh.body.errors).toMatchObject([{ pointer: '/price/percent', code: 'overflow' }]);
  expect(await shown('price')).toEqual([2 ** 53 - 1, 101_106, 0]);
});

test('a changed price is rounded half up, exactly', () => {
  expect(priceAfter(150, { percent: 0, roundTo: 100 })).toBe(200);
  expect(priceAfter(149, { percent: 0, roundTo: 100 })).toBe(100);
  expect(priceAfter(2 ** 53 - 1, { percent: 0, roundTo: 1 })).toBe(2 ** 53 - 1);
  expect(priceAfter(33_333, { percent: -33.33, roundTo: 1 })).toBe(22_223);
  expect(priceAfter(1000, { percent: -100, roundTo: 1000 })).toBe(0);
});

test('categories are shown with the number of their products', async () => {
  const { storeId, visitor, path } = await signedInOwner(service);
  const [tea] = (await visitor.post(`${path}/categories`, { name: 'Tea' })).body;
  await visitor.post(`${path}/categories`, { name: 'Empty' });
  expect((await visitor.get(`${path}/categories/counts`)).body).toEqual({ counts: {} });
  await insertProducts(db, storeId, [{ category_id: tea.id }, { category_id: tea.id, is_active: false }, {}]);
  expect((await visitor.get(`${path}/categories/counts`)).body).toEqual({ counts: { [tea.id]: 2 } });
});

test('a SKU is found in capitals and in small letters', async () => {
  const { storeId, visitor, path } = await signedInOwner(service);
  await insertProducts(db, storeId, [{ sku: 'JP-7' }, { sku: 'jp-8' }, { sku: 'XX' }]);
  for (const q of ['JP-', 'jp-', 'Jp-'])
    expect((await visitor.get(`${path}/products?q=${q}`)).body.data).toHaveLength(2);
});

test('a product that has changed since it was read is not overwritten', async () => {
  const { visitor, path } = await signedInOwner(service);
  const created = (await visitor.post(`${path}/products`, { name: 'Tea', price: 100 })).body;
  const change = (body: object, updatedAt: string) =>
    visitor.patch(`${path}/products/${created.id}`, body, { 'if-match': `"${updatedAt}"` });
  clock.now += 1000;
  const changed = await change({ price: 200 }, created.updatedAt);
  expect([changed.status, changed.body.price]).toEqual([200, 200]);
  clock.now += 1000;
  const late = await change({ price: 300 }, created.updatedAt);
  expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
  expect((await change({ price: 300 }, changed.body.updatedAt)).body.price).toBe(300);
});
