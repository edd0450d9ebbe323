import { describe, expect, test } from 'vitest';
import { insertProducts } from '../../test/rows.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { sql } from '../db/sql.ts';

const service = await startService();

const names = (page: any) => page.body.data.map(({ name }: any) => name);
const pointers = ({ body }: any) => body.errors.map(({ pointer, code }: any) => `${pointer} ${code}`).sort();
const seqOf = async (storeId: string) =>
  (await service.db.one<any>(sql`select seq from store_clocks where store_id = ${storeId}`)).seq;
const history = async ({ visitor, path }: any) =>
  (await visitor.get(`${path}/history?kind=catalog`)).body.entries.map(({ actor, action, subject, details }: any) => [
    `${actor.kind} ${action} ${subject.kind} ${subject.name}`,
    details,
  ]);

async function shop() {
  const owner = await signedInOwner(service);
  const { visitor, path } = owner;
  const category = async (name: string, more: object = {}) =>
    (await visitor.post(`${path}/categories`, { name, ...more })).body.find((each: any) => each.name === name);
  const product = async (name: string, more: object = {}) =>
    (await visitor.post(`${path}/products`, { name, price: 100, ...more })).body;
  return { ...owner, category, product, products: `${path}/products`, categories: `${path}/categories` };
}

describe('products', () => {
  test('are created, changed and deactivated; a no-op change takes no change number', async () => {
    const store = await shop();
    const { storeId, visitor, products, category } = store;
    const tea = await category('Tea', { externalId: 'tea' });
    const created = await visitor.post(products, {
      name: ' Sencha ',
      price: 89_000,
      sku: ' S-1 ',
      externalId: '1c-1',
      description: ' as it is ',
      categoryId: tea.id.toUpperCase(),
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      name: 'Sencha',
      price: 89_000,
      currency: 'RUB',
      sku: 'S-1',
      externalId: '1c-1',
      description: ' as it is ',
      categoryId: tea.id,
      categoryExternalId: 'tea',
      isActive: true,
    });
    const one = `${products}/${created.body.id}`;
    expect((await visitor.get(one)).body).toEqual(created.body);
    const key = await service.key(storeId);
    expect((await service.get(`/api/v1/products/S-1`, key)).body.data).toEqual(created.body);

    service.clock.now += 1000;
    const seq = await seqOf(storeId);
    const { name, price, sku, externalId, description, categoryId, isActive } = created.body;
    const same = { name: `${name} `, price, sku, externalId, description, categoryId, isActive };
    expect((await visitor.patch(one, same)).body).toEqual(created.body);
    expect(await seqOf(storeId)).toBe(seq);

    const changed = await visitor.patch(one, { price: 90_000, sku: '', categoryId: '', isActive: false });
    const later = new Date(service.clock.now).toISOString();
    expect(changed.body).toEqual({
      ...created.body,
      ...{ price: 90_000, sku: '', categoryId: null, categoryExternalId: '', isActive: false, updatedAt: later },
    });
    expect(await seqOf(storeId)).toBe(seq + 1);
    const synchronized = await service.get(
      `/api/v1/products?order=updatedAt:asc&filter[updatedAt][from]=${later}`,
      key,
    );
    expect(synchronized.body.data).toEqual([changed.body]);
    expect((await visitor.patch(one, { isActive: true })).body.isActive).toBe(true);
    expect(await history(store)).toEqual([
      ['owner changed product Sencha', { isActive: [false, true] }],
      [
        'owner changed product Sencha',
        { price: [89_000, 90_000], sku: ['S-1', null], category: ['Tea', ''], isActive: [true, false] },
      ],
      ['owner created product Sencha', { price: 89_000, sku: 'S-1' }],
      ['owner created category Tea', {}],
    ]);
  });

  test('all errors at once, each at its field', async () => {
    const { visitor, products, product } = await shop();
    const first = await product('First', { sku: 'A', externalId: 'x' });
    const wrong = { name: ' ', price: 1, sku: 'A', externalId: 'x', categoryId: first.id };
    const rejected = await visitor.post(products, wrong);
    expect(rejected.status).toBe(422);
    const fieldErrors = ['/categoryId not_found', '/externalId taken', '/name too_short', '/sku taken'];
    expect(pointers(rejected)).toEqual(fieldErrors);
    const second = await product('Second');
    expect(pointers(await visitor.patch(`${products}/${second.id}`, wrong))).toEqual(fieldErrors);
    expect(pointers(await visitor.patch(`${products}/${second.id}`, { categoryId: 'nowhere' }))).toEqual(
      fieldErrors.slice(0, 1),
    );
    for (const body of [{ name: 'x' }, { name: 'x', price: -1 }, { name: 'x', price: 1.5 }, { price: 1 }])
      expect((await visitor.post(products, body)).status).toBe(422);
    expect((await visitor.patch(`${products}/${second.id}`, {})).status).toBe(422);
    expect((await visitor.get(`${products}/${second.id}`)).body).toEqual(second);
    // Keeping its own keys is not a conflict.
    expect((await visitor.patch(`${products}/${first.id}`, { sku: 'A', name: 'Renamed' })).body.name).toBe('Renamed');
  });

  test('10 concurrent requests with one SKU: one succeeds', async () => {
    const { visitor, products } = await shop();
    const sent = await Promise.all(
      Array.from({ length: 10 }, () => visitor.post(products, { name: 'x', price: 1, sku: 'same' })),
    );
    expect(sent.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)]);
  });

  test('of a category include those of its subcategories', async () => {
    const { storeId, visitor, products, categories, category } = await shop();
    const tea = await category('Tea');
    const [drinks, green] = [await category('Drinks'), await category('Green', { parentId: tea.id })];
    await visitor.patch(`${categories}/${tea.id}`, { parentId: drinks.id });
    await insertProducts(service.db, storeId, [
      { name: 'Assam', category_id: tea.id, created_at: 1 },
      { name: 'Pu-erh', category_id: tea.id, is_active: false, created_at: 2 },
      { name: 'Cup', created_at: 3 },
      { name: 'Sencha', category_id: green.id, created_at: 4 },
    ]);
    const find = async (query: object) =>
      names(await visitor.get(`${products}?${new URLSearchParams(query as Record<string, string>)}`));
    expect(await find({ category: green.id })).toEqual(['Sencha']);
    expect(await find({ category: tea.id })).toEqual(['Sencha', 'Pu-erh', 'Assam']);
    expect(await find({ category: drinks.id, active: 'true' })).toEqual(['Sencha', 'Assam']);
    expect(await find({ category: drinks.id, q: 'sen' })).toEqual(['Sencha']);
  });

  test('are found by words of the name, SKU or external id; filtered; paged, newest first', async () => {
    const { storeId, visitor, products, category } = await shop();
    const tea = await category('Tea');
    await insertProducts(service.db, storeId, [
      { name: 'Зелёный чай 100%', sku: 'G-100', external_id: 'e-1', category_id: tea.id, created_at: 1 },
      { name: 'Black_tea', sku: 'B-1', external_id: 'e-2', category_id: tea.id, is_active: false, created_at: 2 },
      { name: 'Cup', created_at: 3 },
    ]);
    const find = async (query: object) =>
      names(await visitor.get(`${products}?${new URLSearchParams(query as Record<string, string>)}`));
    expect(await find({})).toEqual(['Cup', 'Black_tea', 'Зелёный чай 100%']);
    expect(await find({ q: 'ЧАЙ' })).toEqual(['Зелёный чай 100%']);
    expect(await find({ q: '100%' })).toEqual(['Зелёный чай 100%']);
    expect(await find({ q: '%' })).toEqual([]);
    expect(await find({ q: 'tea' })).toEqual(['Black_tea']);
    expect(await find({ q: 'b_t' })).toEqual(['Black_tea']);
    expect(await find({ q: 'l_c' })).toEqual([]);
    expect(await find({ q: 'G-1' })).toEqual(['Зелёный чай 100%']);
    expect(await find({ q: 'e-' })).toEqual(['Black_tea', 'Зелёный чай 100%']);
    expect(await find({ q: 'e-', active: 'false' })).toEqual(['Black_tea']);
    expect(await find({ category: tea.id })).toEqual(['Black_tea', 'Зелёный чай 100%']);
    expect(await find({ category: tea.id, active: 'true' })).toEqual(['Зелёный чай 100%']);
    expect((await visitor.get(`${products}?category=x`)).status).toBe(400);

    const many = Array.from({ length: 120 }, (_, index) => ({ name: `Bulk ${index}`, created_at: 10 + index }));
    await insertProducts(service.db, storeId, many);
    for (const query of ['', 'q=bulk&']) {
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const page = await visitor.get(`${products}?${query}${cursor && `cursor=${cursor}`}`);
        seen.push(...names(page));
        cursor = page.body.page.nextCursor;
        if (!cursor) break;
      }
      expect(seen).toHaveLength(query ? 120 : 123);
      expect(seen.slice(0, 120)).toEqual(many.map(({ name }) => name).reverse());
    }
  });
});

test('a filter that matches few products fills its page, however old they are', async () => {
  const { storeId, visitor, products } = await shop();
  const many = Array.from({ length: 5200 }, (_, index) => ({ created_at: 10 + index, is_active: index > 1 }));
  await insertProducts(service.db, storeId, many);
  const page = await visitor.get(`${products}?active=false`);
  expect(names(page)).toEqual(['Product 1', 'Product 0']);
  expect(page.body.page.nextCursor).toBe(null);
});

describe('categories', () => {
  test('are created, renamed and moved, but never below themselves', async () => {
    const store = await shop();
    const { visitor, categories, category } = store;
    const tea = await category('Tea', { externalId: 'tea' });
    const green = await category('Green', { parentId: tea.id });
    const sencha = await category('Sencha', { parentId: green.id });
    expect([tea.parentId, green.parentId, sencha.parentId]).toEqual([null, tea.id, green.id]);

    service.clock.now += 1000;
    const moved = await visitor.patch(`${categories}/${sencha.id}`, { name: ' Sencha 1 ', parentId: '' });
    const one = moved.body.find(({ id }: any) => id === sencha.id);
    expect([one.name, one.parentId, one.createdAt]).toEqual(['Sencha 1', null, sencha.createdAt]);
    expect(one.updatedAt).not.toBe(sencha.updatedAt);
    service.clock.now += 1000;
    const again = await visitor.patch(`${categories}/${sencha.id}`, { name: 'Sencha 1', parentId: '' });
    expect(again.body).toEqual(moved.body);

    for (const parentId of [tea.id, green.id])
      expect(pointers(await visitor.patch(`${categories}/${tea.id}`, { parentId, name: ' ' }))).toEqual([
        '/name too_short',
        '/parentId circular',
      ]);
    const rejected = await visitor.post(categories, { name: ' ', externalId: 'tea', parentId: sencha.id });
    expect(pointers(rejected)).toEqual(['/externalId taken', '/name too_short']);
    expect(pointers(await visitor.patch(`${categories}/${tea.id}`, { parentId: 'x' }))).toEqual([
      '/parentId not_found',
    ]);
    expect((await visitor.patch(`${categories}/${tea.id}`, { externalId: 'x' })).status).toBe(422);
    expect((await visitor.get(categories)).body).toEqual(moved.body);
    expect((await history(store))[0]).toEqual([
      'owner changed category Sencha 1',
      { name: ['Sencha', 'Sencha 1'], parent: ['Green', ''] },
    ]);
  });

  test('of two concurrent moves into each other, one succeeds', async () => {
    const { visitor, categories, category } = await shop();
    const [a, b] = [await category('A'), await category('B')];
    const [one, other] = await Promise.all([
      visitor.patch(`${categories}/${a.id}`, { parentId: b.id }),
      visitor.patch(`${categories}/${b.id}`, { parentId: a.id }),
    ]);
    expect([one?.status, other?.status].sort()).toEqual([200, 422]);
  });

  test('are deleted when empty, and the error says what they contain', async () => {
    const store = await shop();
    const { visitor, categories, products, category, product } = store;
    const tea = await category('Tea');
    const green = await category('Green', { parentId: tea.id });
    const cup = await product('Cup', { categoryId: green.id });
    const remove = (id: string) => visitor.delete(`${categories}/${id}`);
    expect([(await remove(tea.id)).status, (await remove(tea.id)).body.code]).toEqual([409, 'category_has_categories']);
    expect((await remove(green.id)).body.code).toBe('category_has_products');
    await visitor.patch(`${products}/${cup.id}`, { categoryId: '' });
    expect((await remove(green.id)).body).toHaveLength(1);
    expect((await remove(tea.id)).body).toEqual([]);
    expect((await remove(tea.id)).status).toBe(404);
    expect((await history(store))[0]).toEqual(['owner deleted category Tea', {}]);
  });
});
