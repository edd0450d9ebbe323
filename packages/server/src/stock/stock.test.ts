import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engine, migratedDatabase } from '../../test/database.ts';
import { orderFixtures } from '../../test/orders.ts';
import { startService } from '../../test/service.ts';
import { fillIn, openShopWith, shopVisitor } from '../../test/shop-visitor.ts';
import { changeWarehouse } from '../references/warehouses.ts';

const database = await migratedDatabase();
afterAll(() => database.drop());
const env = { TRUST_PROXY: '1' };
const service = await startService({ database, env });
const nodes = [service, ...(engine === 'postgres' ? [await startService({ database, env })] : [])];
const { clock } = service;
const { shop, fieldErrorsOf } = orderFixtures(service);

/** A store with two warehouses, and what is in them. */
async function openStock() {
  const opened = await shop();
  const { key } = opened;
  const warehouse = async (name: string) => {
    clock.now += 1;
    return (await service.post('/api/v1/references/warehouses', { name }, key)).body.data.id as string;
  };
  const [first, second] = [await warehouse('First'), await warehouse('Second')];
  const product = async (id = opened.tea) => (await service.get(`/api/v1/products/${id}?with=stock`, key)).body.data;
  return {
    ...opened,
    first,
    second,
    product,
    post: (...lines: object[]) => service.post('/api/v1/stock', { lines }, key),
    /** What is in the first and the second warehouse. */
    async quantities(id = opened.tea) {
      const { stockByWarehouse } = await product(id);
      return [first, second].map(
        (warehouseId) => stockByWarehouse.find((each: any) => each.warehouseId === warehouseId)?.quantity,
      );
    },
    async order(...items: object[]) {
      clock.now += 1000;
      const { status, body, text } = await service.post('/api/v1/orders', { items }, key);
      expect(status, text).toBe(201);
      return body.data;
    },
    patch: (id: string, change: object) => service.patch(`/api/v1/orders/${id}`, change, key),
  };
}

describe('POST /api/v1/stock', () => {
  test('sets and changes quantities, in the first active warehouse unless another is named', async () => {
    const { post, product, tea, cup, first, second } = await openStock();
    expect(await product()).toMatchObject({ stock: null, stockByWarehouse: [] });
    const set = await post({ sku: 'TEA-1', quantity: 5 }, { productId: cup, warehouseId: second, change: -2 });
    expect([set.status, set.body]).toEqual([
      200,
      {
        data: [
          { productId: tea, warehouseId: first, quantity: 5 },
          { productId: cup, warehouseId: second, quantity: -2 },
        ],
      },
    ]);
    expect((await post({ externalProductId: 'ext-tea', change: 3 })).body.data[0].quantity).toBe(8);
    await post({ productId: tea, warehouseId: second, quantity: 1 });
    expect(await product()).toMatchObject({ stock: 9 });
    expect((await product(cup)).stock).toBe(-2);
  });

  test('a changed stock moves updatedAt, an unchanged one does not', async () => {
    const { post, product } = await openStock();
    clock.now += 1000;
    await post({ sku: 'TEA-1', quantity: 5 });
    const { updatedAt } = await product();
    expect(updatedAt).toBe(new Date(clock.now).toISOString());
    clock.now += 1000;
    await post({ sku: 'TEA-1', quantity: 5 }, { sku: 'CUP-1', change: 0 });
    expect((await product()).updatedAt).toBe(updatedAt);
    await post({ sku: 'TEA-1', change: 1 });
    expect((await product()).updatedAt).not.toBe(updatedAt);
  });

  test('all lines or none, with every fault at its line', async () => {
    const { post, product, tea, first } = await openStock();
    const unknown = '00000000-0000-7000-8000-000000000000';
    const reply = await post(
      { sku: 'TEA-1', quantity: 5 },
      { sku: 'NONE', quantity: 5 },
      { productId: tea, warehouseId: first, change: 1 },
      { sku: 'CUP-1', warehouseId: unknown, quantity: 1 },
    );
    expect(fieldErrorsOf(reply)).toEqual([
      '/lines/1/sku not_found',
      '/lines/2 repeated',
      '/lines/3/warehouseId not_found',
    ]);
    expect((await product()).stock).toBeNull();
    expect(
      fieldErrorsOf(
        await post(
          { sku: 'TEA-1' },
          { sku: 'TEA-1', quantity: 1, change: 1 },
          { quantity: 1 },
          { sku: 'TEA-1', productId: tea, quantity: 1 },
          { sku: 'TEA-1', quantity: 1.5 },
        ),
      ),
    ).toEqual([
      '/lines/0 required',
      '/lines/1 conflict',
      '/lines/2 required',
      '/lines/3 conflict',
      '/lines/4/quantity wrong_type',
    ]);
  });

  test('without an active warehouse, one must be named', async () => {
    const { key } = await shop();
    const reply = await service.post('/api/v1/stock', { lines: [{ sku: 'TEA-1', quantity: 1 }] }, key);
    expect(fieldErrorsOf(reply)).toEqual(['/lines/0/warehouseId required']);
  });

  test('with an Idempotency-Key it is done once', async () => {
    const { key, product } = await openStock();
    const send = () =>
      service.post('/api/v1/stock', { lines: [{ sku: 'TEA-1', change: 4 }] }, key, { 'Idempotency-Key': 'count-1' });
    const [once, again] = [await send(), await send()];
    expect([again.status, again.body]).toEqual([200, once.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await product()).stock).toBe(4);
  });

  test('is in the list of products, with=stock with each warehouse', async () => {
    const { post, key, first } = await openStock();
    await post({ sku: 'TEA-1', quantity: 3 });
    const listed = async (query: string) =>
      (await service.get(`/api/v1/products${query}`, key)).body.data.map(({ sku, stock, stockByWarehouse }: any) => [
        sku,
        stock,
        stockByWarehouse,
      ]);
    expect(await listed('')).toEqual(
      expect.arrayContaining([
        ['TEA-1', 3, undefined],
        ['CUP-1', null, undefined],
      ]),
    );
    expect(await listed('?with=stock')).toEqual(
      expect.arrayContaining([
        ['TEA-1', 3, [{ warehouseId: first, quantity: 3 }]],
        ['CUP-1', null, []],
      ]),
    );
  });
});

describe('a warehouse that is disabled', () => {
  test('no longer counts, and nothing is taken from it; enabled, it counts again', async () => {
    const { post, product, first, second, order, quantities, ownerId, storeId } = await openStock();
    await post({ sku: 'TEA-1', quantity: 5 }, { sku: 'TEA-1', warehouseId: second, quantity: 2 });
    const change = (isActive: boolean) => {
      clock.now += 1000;
      return changeWarehouse(service.db, storeId, first, { isActive }, { kind: 'owner', id: ownerId }, clock.now);
    };
    await change(false);
    expect(await product()).toMatchObject({ stock: 2, updatedAt: new Date(clock.now).toISOString() });
    await order({ sku: 'TEA-1', quantity: 3 });
    expect(await quantities()).toEqual([5, -1]);
    await change(true);
    expect((await product()).stock).toBe(4);
  });
});

describe('the order page', () => {
  test('never sells what is not there: of twelve customers one gets the last', async () => {
    const shop = await openShopWith(service, { sku: 'LAST' });
    await service.post('/api/v1/references/warehouses', { name: 'Main' }, shop.key);
    await service.post('/api/v1/stock', { lines: [{ sku: 'LAST', quantity: 1 }] }, shop.key);
    const [id = ''] = shop.ids;
    const customers = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const node = nodes[index % nodes.length] as typeof service;
        const customer = shopVisitor(node, { 'x-forwarded-for': `198.51.100.${index}` });
        return { customer, form: await fillIn(customer, shop.path, id) };
      }),
    );
    for (const node of nodes) node.clock.now = clock.now + 5000;
    const sent = await Promise.all(customers.map(({ customer, form }) => customer.post(`${shop.path}/checkout`, form)));
    expect(sent.filter(({ location }) => location.includes('/orders/'))).toHaveLength(1);
    expect((await service.get(`/api/v1/products/${id}`, shop.key)).body.data.stock).toBe(0);

    const late = shopVisitor(service);
    expect((await late.get(`${shop.path}/products/${id}`)).text).toContain('Sold out');
    expect((await late.post(`${shop.path}/cart`, { product: id, action: 'add' })).text).toContain('sold out');
  });

  test('says how many are left, and orders no more', async () => {
    const shop = await openShopWith(service, { sku: 'FEW', name: 'Teapot' });
    await service.post('/api/v1/references/warehouses', { name: 'Main' }, shop.key);
    await service.post('/api/v1/stock', { lines: [{ sku: 'FEW', quantity: 5 }] }, shop.key);
    const [id = ''] = shop.ids;
    const customer = shopVisitor(service);
    await customer.post(`${shop.path}/cart`, { product: id, action: 'add' });
    await customer.post(`${shop.path}/cart`, { product: id, quantity: '9' });
    expect((await customer.get(`${shop.path}/cart`)).text).toContain('Teapot: only 5 left');
    const { text } = await customer.get(`${shop.path}/checkout`);
    const form = await fillIn(customer, shop.path, id);
    expect(text).toContain('Teapot × 5');
    await service.post('/api/v1/stock', { lines: [{ sku: 'FEW', quantity: 2 }] }, shop.key);
    clock.now += 5000;
    const refused = await customer.post(`${shop.path}/checkout`, { ...form });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Teapot: only 2 left')]);
  });
});

describe('orders', () => {
  let at: Awaited<ReturnType<typeof openStock>>;
  beforeAll(async () => {
    at = await openStock();
  });
  const setTo = (first: number, second: number) =>
    at.post(
      { sku: 'TEA-1', warehouseId: at.first, quantity: first },
      { sku: 'TEA-1', warehouseId: at.second, quantity: second },
    );

  test('take from the first warehouse that has all of a line, else from the first', async () => {
    await setTo(2, 5);
    await at.order({ sku: 'TEA-1', quantity: 4 });
    expect(await at.quantities()).toEqual([2, 1]);
    await at.order({ sku: 'TEA-1', quantity: 1 }, { sku: 'TEA-1', quantity: 1 });
    expect(await at.quantities()).toEqual([0, 1]);
    await at.order({ sku: 'TEA-1', quantity: 3 });
    expect(await at.quantities()).toEqual([-3, 1]);
    expect((await at.product()).updatedAt).toBe(new Date(clock.now).toISOString());
  });

  test('have the ETag of their own last change, not of the stock', async () => {
    const { post, tea, key } = await openStock();
    await post({ productId: tea, quantity: 5 });
    const created = await service.post('/api/v1/orders', { items: [{ productId: tea, quantity: 1 }] }, key);
    const path = `/api/v1/orders/${created.body.data.id}`;
    const etagNow = async () => (await service.get(path, key)).headers.get('etag');
    expect(created.headers.get('etag')).toBe(await etagNow());
    const changed = await service.patch(path, { status: 'cancelled' }, key);
    expect(changed.headers.get('etag')).toBe(await etagNow());
  });

  test('put it back where it came from when they are cancelled or returned, and take it again when reopened', async () => {
    await setTo(1, 5);
    const { id } = await at.order({ sku: 'TEA-1', quantity: 4 });
    expect(await at.quantities()).toEqual([1, 1]);
    await at.patch(id, { status: 'cancelled' });
    expect(await at.quantities()).toEqual([1, 5]);
    await at.patch(id, { status: 'returned' });
    await at.patch(id, { items: [{ sku: 'TEA-1', quantity: 2 }] });
    expect(await at.quantities()).toEqual([1, 5]);
    await at.patch(id, { status: 'packing' });
    expect(await at.quantities()).toEqual([1, 3]);
    await at.patch(id, { status: 'completed' });
    expect(await at.quantities()).toEqual([1, 3]);
  });

  test('take or put back the difference when lines are edited', async () => {
    await setTo(10, 0);
    const { id, items } = await at.order({ sku: 'TEA-1', quantity: 4 }, { sku: 'TEA-1', quantity: 1 });
    expect(await at.quantities()).toEqual([5, 0]);
    await at.patch(id, { items: [{ id: items[0].id, quantity: 6 }, { id: items[1].id }] });
    expect(await at.quantities()).toEqual([3, 0]);
    await at.patch(id, { items: [{ id: items[0].id, quantity: 1 }] });
    expect(await at.quantities()).toEqual([9, 0]);
    await at.patch(id, { items: [{ sku: 'TEA-1', quantity: 2 }], status: 'cancelled' });
    expect(await at.quantities()).toEqual([10, 0]);
    await at.patch(id, { status: 'new', items: [{ sku: 'TEA-1', quantity: 3 }] });
    expect(await at.quantities()).toEqual([7, 0]);
  });

  test('that were made before the product was tracked put nothing back', async () => {
    const { order, patch, post, quantities, cup } = await openStock();
    const { id } = await order({ sku: 'CUP-1', quantity: 4 });
    await post({ sku: 'CUP-1', quantity: 10 });
    await patch(id, { status: 'cancelled' });
    expect(await quantities(cup)).toEqual([10, undefined]);
  });

  test('a repetition takes nothing, and an order that is refused neither', async () => {
    await setTo(10, 0);
    const order = { externalId: 'once', items: [{ sku: 'TEA-1', quantity: 1 }] };
    await service.post('/api/v1/orders', order, at.key);
    await service.post('/api/v1/orders', order, at.key);
    await service.post('/api/v1/orders', { items: [...order.items, { sku: 'NONE', quantity: 1 }] }, at.key);
    expect(await at.quantities()).toEqual([9, 0]);
  });

  test('at the same time, in one transaction or several, take one after the other', async () => {
    await setTo(5, 30);
    await Promise.all(Array.from({ length: 20 }, () => at.order({ sku: 'TEA-1', quantity: 1 })));
    expect(await at.quantities()).toEqual([0, 15]);
  });
});
