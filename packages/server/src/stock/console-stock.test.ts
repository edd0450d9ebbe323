import { stockStates } from '@store-sales/contract/console';
import { expect, test } from 'vitest';
import { plansOf } from '../../test/plan.ts';
import { insertProducts } from '../../test/rows.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { findProducts } from '../catalog/find-products.ts';
import type { Queryable } from '../db/database.ts';

const service = await startService();
const { db, clock } = service;

/** A store with two warehouses and the products `names`. */
async function openStock(...names: string[]) {
  const owner = await signedInOwner(service);
  const { storeId, path, visitor } = owner;
  const warehouse = async (name: string) => {
    clock.now += 1;
    return (await visitor.post(`${path}/warehouses`, { name })).body.id as string;
  };
  const [main, reserve] = [await warehouse('Main'), await warehouse('Reserve')];
  const products = await insertProducts(
    db,
    storeId,
    names.map((name) => ({ name, sku: name })),
  );
  const idOf = (name: string) => products.find((product) => product.name === name)?.id as string;
  const adjust = (name: string, change: object, warehouseId = main) => {
    clock.now += 1000;
    return visitor.post(`${path}/products/${idOf(name)}/stock`, { warehouseId, ...change });
  };
  const listed = async (query: string): Promise<string[]> =>
    (await visitor.get(`${path}/products?${query}`)).body.data.map(({ name }: { name: string }) => name);
  return { ...owner, key: await service.key(storeId), main, reserve, idOf, adjust, listed };
}

test('products are sorted and filtered by their stock, read from its index', async () => {
  const { storeId, visitor, path, adjust, listed } = await openStock(
    'full',
    'five',
    'six',
    'none',
    'owed',
    'untracked',
  );
  for (const [name, quantity] of Object.entries({ full: 40, five: 5, six: 6, none: 0, owed: -2 }))
    expect((await adjust(name, { quantity })).status).toBe(200);
  expect(await listed('sort=stock:asc')).toEqual(['owed', 'none', 'five', 'six', 'full']);
  expect(await listed('sort=stock:desc')).toEqual(['full', 'six', 'five', 'none', 'owed']);
  expect(await listed('stock=low')).toEqual(['five']);
  expect(await listed('stock=soldOut')).toEqual(['owed', 'none']);
  expect(await listed('stock=belowZero')).toEqual(['owed']);
  // Sorted otherwise, and among the matches of a search.
  expect(await listed('stock=soldOut&sort=name:asc')).toEqual(['none', 'owed']);
  expect(await listed('stock=soldOut&q=owed')).toEqual(['owed']);
  expect((await visitor.get(`${path}/products?stock=much`)).status).toBe(400);

  expect((await visitor.patch(path, { lowStock: 6 })).body.lowStock).toBe(6);
  expect(await listed('stock=low')).toEqual(['five', 'six']);
  expect((await visitor.patch(path, { lowStock: -1 })).status).toBe(422);

  await insertProducts(
    db,
    storeId,
    Array.from({ length: 300 }, () => ({})),
  );
  for (const stock of stockStates) {
    const shop = { storeId, currency: 'RUB' };
    const list = (recording: Queryable) => findProducts(recording, service.services, shop, { stock });
    const plan = await plansOf(db, list, { without: ['seqscan', 'sort', 'bitmapscan'] });
    expect(plan).toMatch(/products_stock/);
    expect(plan).not.toMatch(/\bSort\b|TEMP B-TREE|SCAN t\b/);
  }
});

test('a page of products by stock goes on where it ended', async () => {
  const names = Array.from({ length: 120 }, (_, index) => `P${index}`);
  const { visitor, path, main, key } = await openStock(...names);
  const lines = names.map((sku, index) => ({ sku, warehouseId: main, quantity: index % 7 }));
  await service.post('/api/v1/stock', { lines }, key);
  const found: { name: string; stock: number }[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await visitor.get(`${path}/products?sort=stock:asc${cursor && `&cursor=${cursor}`}`);
    found.push(...body.data);
    cursor = body.page.nextCursor;
    if (!cursor) break;
  }
  expect(new Set(found.map(({ name }) => name)).size).toBe(120);
  expect(found.map(({ stock }) => stock)).toEqual(names.map((_, index) => index % 7).sort());
});

test('a quantity is set or changed by a person, and every movement says who and what', async () => {
  const { visitor, path, owner, key, main, reserve, idOf, adjust } = await openStock('tea');
  const product = `${path}/products/${idOf('tea')}`;
  const quantities = (reply: any) => reply.body.map(({ name, quantity }: any) => [name, quantity]);
  expect(quantities(await visitor.get(`${product}/stock`))).toEqual([
    ['Main', null],
    ['Reserve', null],
  ]);
  expect(quantities(await adjust('tea', { quantity: 5 }))).toEqual([
    ['Main', 5],
    ['Reserve', null],
  ]);
  expect(quantities(await adjust('tea', { change: -1 }, reserve))).toEqual([
    ['Main', 5],
    ['Reserve', -1],
  ]);
  clock.now += 1000;
  await service.post('/api/v1/stock', { lines: [{ sku: 'tea', warehouseId: main, change: 2 }] }, key);
  clock.now += 1000;
  const { body: order } = await service.post('/api/v1/orders', { items: [{ sku: 'tea', quantity: 3 }] }, key);
  const { movements } = (await visitor.get(`${product}/movements`)).body;
  expect(movements).toEqual([
    {
      at: new Date(clock.now).toISOString(),
      warehouse: 'Main',
      before: 7,
      after: 4,
      kind: 'order',
      order: { id: order.data.id, number: order.data.number },
      actor: { kind: 'key', name: 'Test key' },
    },
    expect.objectContaining({ before: 5, after: 7, kind: 'api', order: null }),
    expect.objectContaining({
      warehouse: 'Reserve',
      before: 0,
      after: -1,
      kind: 'person',
      actor: { kind: 'owner', name: owner.name },
    }),
    expect.objectContaining({ before: 0, after: 5, kind: 'person' }),
  ]);

  const stranger = await signedInOwner(service);
  for (const [method, part] of [
    ['GET', 'stock'],
    ['POST', 'stock'],
    ['GET', 'movements'],
  ] as const) {
    const body = method === 'POST' ? { warehouseId: main, quantity: 1 } : undefined;
    const foreign = await stranger.visitor.send(method, `${stranger.path}/products/${idOf('tea')}/${part}`, body);
    expect([foreign.status, part]).toEqual([404, part]);
  }
});

test('an adjustment that is wrong changes nothing, one that is repeated changes once', async () => {
  const { visitor, path, main, idOf, adjust } = await openStock('tea');
  const other = await openStock('other');
  expect((await adjust('tea', { quantity: 1 }, other.main)).body.errors).toMatchObject([
    { pointer: '/warehouseId', code: 'not_found' },
  ]);
  for (const wrong of [{}, { quantity: 1, change: 1 }, { quantity: 1.5 }])
    expect((await adjust('tea', wrong)).status).toBe(422);
  const send = () =>
    visitor.send(
      'POST',
      `${path}/products/${idOf('tea')}/stock`,
      { warehouseId: main, change: 4 },
      {
        'idempotency-key': 'count',
      },
    );
  const [once, again] = [await send(), await send()];
  expect([again.body, once.body[0].quantity]).toEqual([once.body, 4]);
  expect((await visitor.get(`${path}/products/${idOf('tea')}/movements`)).body.movements).toHaveLength(1);
});

test('movements are shown page by page', async () => {
  const { visitor, path, idOf, adjust } = await openStock('tea', 'cup');
  for (let index = 1; index <= 45; index++) await adjust('tea', { change: 1 });
  const after: number[] = [];
  let pages = 0;
  for (let cursor: string | null = ''; cursor !== null; pages++) {
    const query: string = cursor && `?cursor=${cursor}`;
    const { body } = await visitor.get(`${path}/products/${idOf('tea')}/movements${query}`);
    after.push(...body.movements.map((movement: { after: number }) => movement.after));
    cursor = body.nextCursor;
    if (cursor) {
      const foreign = await visitor.get(`${path}/products/${idOf('cup')}/movements?cursor=${cursor}`);
      expect([foreign.status, foreign.body.code]).toEqual([400, 'invalid_cursor']);
    }
  }
  expect([pages, after]).toEqual([3, Array.from({ length: 45 }, (_, index) => 45 - index)]);
});

test('an order says of which of its products there is not enough, until there is or it is sent', async () => {
  const { visitor, path, idOf, adjust } = await openStock('tea', 'cup');
  await adjust('tea', { quantity: 2 });
  await adjust('cup', { quantity: 9 });
  const items = [
    { sku: 'tea', quantity: 5 },
    { sku: 'tea', quantity: 1 },
    { sku: 'cup', quantity: 1 },
  ];
  const created = (await visitor.post(`${path}/orders`, { items })).body;
  const order = `${path}/orders/${created.order.id}`;
  const shortages = async () => (await visitor.get(order)).body.shortages;
  expect(created.shortages).toEqual([{ productId: idOf('tea'), name: 'tea', warehouse: 'Main', quantity: -4 }]);
  await adjust('tea', { change: 4 });
  expect(await shortages()).toEqual([]);
  await adjust('tea', { change: -1 });
  expect(await shortages()).toMatchObject([{ quantity: -1 }]);
  await visitor.patch(order, { status: 'completed' });
  expect(await shortages()).toEqual([]);
});

test('the product search of a new order shows the stock', async () => {
  const { visitor, path, adjust } = await openStock('tea', 'untracked');
  await adjust('tea', { quantity: 3 });
  const found = (await visitor.get(`${path}/orders/products`)).body;
  expect(found.map(({ name, stock }: any) => [name, stock])).toEqual([
    ['tea', 3],
    ['untracked', null],
  ]);
});
