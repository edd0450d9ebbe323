import { describe, expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { addProduct } from '../../test/catalog.ts';
import { startService } from '../../test/service.ts';
import { sql } from '../db/sql.ts';
import { DAY, HOUR } from '../duration.ts';
import { salesCache } from './sales.ts';
import { listOrderStatuses } from './statuses/order-statuses.ts';

const service = await startService();
const { db, clock } = service;
const MAX = Number.MAX_SAFE_INTEGER;
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

/** A store with an order of two teas and a cup: 2 × 150 − 10 + 400 − 50 + 300 − 100 = 840. */
async function orderToEdit() {
  const owner = await service.owner();
  const shop = await service.shop({ ownerId: owner.id });
  const { key, storeId } = shop;
  const tea = await addProduct(service, storeId, { sku: 'TEA-1', externalId: 'ext-tea', price: 15_000 });
  const cup = await addProduct(service, storeId, { sku: 'CUP-1', name: 'Cup', price: 40_000 });
  const pot = await addProduct(service, storeId, { sku: 'POT-1', name: 'Pot', price: 90_000 });
  const types = async (kind: 'delivery' | 'payment') =>
    db.all<{ id: string; code: string; name: string }>(
      kind === 'delivery'
        ? sql`select id, code, name from delivery_types where owner_id = ${owner.id} order by code`
        : sql`select id, code, name from payment_types where owner_id = ${owner.id} order by code`,
    );
  const [deliveryTypes, paymentTypes] = [await types('delivery'), await types('payment')];
  const created = await service.post(
    '/api/v1/orders',
    {
      externalId: 'E',
      customer: { name: 'Anna', phone: '1' },
      items: [
        { sku: 'TEA-1', quantity: 2, discount: 1_000 },
        { sku: 'CUP-1', quantity: 1 },
      ],
      delivery: { typeId: deliveryTypes[0]?.id, cost: 30_000, discount: 10_000, city: 'Tver' },
      paymentTypeId: paymentTypes[0]?.id,
      promoCode: 'SPRING',
      discount: 5_000,
    },
    key,
  );
  expect([created.status, created.body.data.totalAmount]).toEqual([201, 84_000]);
  clock.now += 1000;
  const { id, items } = created.body.data;
  const path = `/api/v1/orders/${id}`;
  return {
    ...shop,
    owner,
    tea,
    cup,
    pot,
    deliveryTypes,
    paymentTypes,
    id: id as string,
    path,
    created,
    order: created.body.data,
    /** Ids of its lines. */
    teaLine: items[0].id as string,
    cupLine: items[1].id as string,
    read: async () => (await service.get(path, key)).body.data,
    patch: (change: unknown, headers?: Record<string, string>) => service.patch(path, change, key, headers),
  };
}

const fieldErrorsOf = (reply: { body: { errors?: { pointer: string; code: string }[] } }) =>
  (reply.body.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`).sort();

const rowsOf = (storeId: string) =>
  db.all(
    sql`select id, product_id, quantity, unit_price, discount, line_total from order_lines
        where store_id = ${storeId} order by order_id, position`,
  );

const asRows = (items: any[]) =>
  items.map((item) => ({
    id: item.id,
    product_id: item.productId,
    quantity: item.quantity,
    unit_price: item.unitPrice,
    discount: item.discount,
    line_total: item.lineTotal,
  }));

const eventsOf = async (storeId: string) =>
  (await db.all<{ type: string }>(sql`select type from events where store_id = ${storeId} order by id`)).map(
    ({ type }) => type,
  );

describe('lines', () => {
  test('change, are added, removed and sorted; totals and stored lines follow', async () => {
    const { patch, order, tea, pot, teaLine, storeId, read, created } = await orderToEdit();
    const reply = await patch({
      items: [
        { externalProductId: 'ext-tea', quantity: 1, unitPrice: 14_000 },
        { id: teaLine.toUpperCase(), quantity: 3 },
        { productId: pot, quantity: 2, discount: 500 },
      ],
    });
    expect(reply.status).toBe(200);
    const { data } = reply.body;
    const [added, kept, potLine] = data.items;
    expect(kept).toEqual({ ...order.items[0], quantity: 3, lineTotal: 44_000 });
    expect(added).toEqual({
      id: expect.any(String),
      productId: tea,
      externalProductId: 'ext-tea',
      name: 'Tea',
      sku: 'TEA-1',
      quantity: 1,
      unitPrice: 14_000,
      discount: 0,
      lineTotal: 14_000,
    });
    expect(potLine).toMatchObject({ productId: pot, unitPrice: 90_000, discount: 500, lineTotal: 179_500 });
    expect(data).toEqual({
      ...order,
      updatedAt: new Date(clock.now).toISOString(),
      items: data.items,
      discountTotal: 1_000 + 500 + 5_000,
      totalAmount: 14_000 + 44_000 + 179_500 - 5_000 + 20_000,
    });
    expect(reply.headers.get('etag')).not.toBe(created.headers.get('etag'));
    expect(await read()).toEqual(data);
    expect(await rowsOf(storeId)).toEqual(asRows(data.items));
    const row = await db.one<any>(sql`select total_amount from orders where store_id = ${storeId}`);
    expect(row?.total_amount).toBe(data.totalAmount);
    expect(await eventsOf(storeId)).toEqual(['order.created', 'order.edited']);
  });

  test('an own line keeps name, sku and price, although its product was changed and switched off', async () => {
    const { patch, order, tea, teaLine, cupLine, storeId } = await orderToEdit();
    await db.run(
      sql`update products set name = 'Other', sku = 'X', price = 1, is_active = false
          where store_id = ${storeId} and id = ${tea}`,
    );
    const { data } = (await patch({ items: [{ id: teaLine, quantity: 5, discount: 0 }, { id: cupLine }] })).body;
    expect(data.items).toEqual([{ ...order.items[0], quantity: 5, discount: 0, lineTotal: 75_000 }, order.items[1]]);
    const again = await patch({ items: [{ id: teaLine }, { productId: tea, quantity: 1 }] });
    expect([again.status, ...fieldErrorsOf(again)]).toEqual([422, '/items/1/productId inactive']);
  });

  test('a line of another order, an id sent twice and unknown products are all reported, and nothing changes', async () => {
    const { patch, key, read, order, teaLine, storeId } = await orderToEdit();
    const other = await service.post('/api/v1/orders', { items: [{ sku: 'TEA-1', quantity: 1 }] }, key);
    const reply = await patch({
      status: 'gone',
      notes: 'n',
      items: [
        { id: teaLine },
        { id: other.body.data.items[0].id },
        { id: teaLine, quantity: 2 },
        { id: UNKNOWN },
        { sku: 'NONE', quantity: 1 },
        { productId: UNKNOWN, quantity: 1 },
        { sku: 'CUP-1', quantity: 1, discount: 40_001 },
      ],
      delivery: { typeId: UNKNOWN, cost: 1 },
      paymentTypeId: UNKNOWN,
    });
    expect([reply.status, ...fieldErrorsOf(reply)]).toEqual([
      422,
      '/delivery/discount negative',
      '/delivery/typeId not_found',
      '/items/1/id not_found',
      '/items/2/id repeated',
      '/items/3/id not_found',
      '/items/4/sku not_found',
      '/items/5/productId not_found',
      '/items/6/discount negative',
      '/paymentTypeId not_found',
      '/status not_found',
    ]);
    expect(await read()).toEqual(order);
    expect((await rowsOf(storeId)).slice(0, 2)).toEqual(asRows(order.items));
  });

  test('products, types and lines of another store do not exist', async () => {
    const [mine, theirs] = [await orderToEdit(), await orderToEdit()];
    const reply = await mine.patch({
      items: [{ id: theirs.teaLine }, { productId: theirs.tea, quantity: 1 }],
      delivery: { typeId: theirs.deliveryTypes[0]?.id },
      paymentTypeId: theirs.paymentTypes[0]?.id,
    });
    expect(fieldErrorsOf(reply)).toEqual([
      '/delivery/typeId not_found',
      '/items/0/id not_found',
      '/items/1/productId not_found',
      '/paymentTypeId not_found',
    ]);
    const foreign = await service.patch(mine.path, { discount: 0 }, theirs.key);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found']);
  });

  test('500 lines are accepted', async () => {
    const { patch, storeId } = await orderToEdit();
    const items = Array.from({ length: 500 }, () => ({ sku: 'TEA-1', quantity: 1 }));
    const { status, body } = await patch({ items });
    expect([status, body.data.items.length, body.data.totalAmount]).toEqual([200, 500, 500 * 15_000 - 5_000 + 20_000]);
    expect(await rowsOf(storeId)).toEqual(asRows(body.data.items));
  });
});

describe('amounts, types and promo code', () => {
  test('change alone, and only what is sent', async () => {
    const { patch, order, deliveryTypes, paymentTypes, storeId } = await orderToEdit();
    const expected = { ...order, updatedAt: new Date(clock.now).toISOString() };
    const expectAfter = async (change: unknown, changed: object) => {
      Object.assign(expected, changed);
      const reply = await patch(change);
      expect([reply.status, reply.body.data]).toEqual([200, expected]);
    };
    await expectAfter({ promoCode: 'X' }, { promoCode: 'X' });
    await expectAfter({ promoCode: '' }, { promoCode: '' });
    await expectAfter({ discount: 0 }, { discountTotal: 1_000, totalAmount: 89_000 });
    await expectAfter({ discount: 9_000 }, { discountTotal: 10_000, totalAmount: 80_000 });
    const delivery = { ...order.delivery, cost: 10_000 };
    await expectAfter({ delivery: { cost: 10_000 } }, { delivery, totalAmount: 60_000 });
    delivery.discount = 0;
    await expectAfter({ delivery: { discount: 0 } }, { totalAmount: 70_000 });
    Object.assign(delivery, { typeId: deliveryTypes[1]?.id, type: deliveryTypes[1]?.name });
    await expectAfter({ delivery: { typeId: deliveryTypes[1]?.id.toUpperCase() } }, {});
    Object.assign(delivery, { typeId: null, type: '' });
    await expectAfter({ delivery: { typeId: '' } }, {});
    await expectAfter({ paymentTypeId: paymentTypes[1]?.id }, { paymentType: paymentTypes[1] });
    await expectAfter({ paymentTypeId: '' }, { paymentType: null });
    expect(await rowsOf(storeId)).toEqual(asRows(order.items));
  });

  test('a type stays as it was chosen: sending it again is no change, even if it was disabled or renamed', async () => {
    const { patch, created, storeId, owner, order, deliveryTypes } = await orderToEdit();
    await db.run(sql`update store_delivery_types set is_active = false where store_id = ${storeId}`);
    await db.run(sql`update store_payment_types set is_active = false where store_id = ${storeId}`);
    await db.run(sql`update payment_types set name = 'Renamed' where owner_id = ${owner.id}`);
    const same = { delivery: { typeId: order.delivery.typeId }, paymentTypeId: order.paymentType.id };
    expect((await patch(same)).body).toEqual(created.body);
    expect(fieldErrorsOf(await patch({ delivery: { typeId: deliveryTypes[1]?.id } }))).toEqual([
      '/delivery/typeId not_found',
    ]);
  });

  test('a no-op change keeps updatedAt and ETag and sends no event', async () => {
    const { patch, created, order, teaLine, cupLine, storeId } = await orderToEdit();
    const reply = await patch({
      promoCode: 'SPRING',
      discount: 5_000,
      paymentTypeId: order.paymentType.id,
      delivery: { typeId: order.delivery.typeId, cost: 30_000, discount: 10_000 },
      items: [{ id: teaLine, quantity: 2, unitPrice: 15_000 }, { id: cupLine }],
    });
    expect(reply.body).toEqual(created.body);
    expect(reply.headers.get('etag')).toBe(created.headers.get('etag'));
    expect(await eventsOf(storeId)).toEqual(['order.created']);
  });

  test('the totals follow the rules of a creation', async () => {
    const { patch, read, order, teaLine } = await orderToEdit();
    const attempts: [unknown, string[]][] = [
      [{ discount: 89_001 }, ['/discount negative']],
      [{ delivery: { discount: 30_001 } }, ['/delivery/discount negative']],
      [{ items: [{ id: teaLine, discount: 30_001 }] }, ['/items/0/discount negative']],
      [{ items: [{ id: teaLine, unitPrice: 0, discount: 0 }], delivery: { cost: 10_000 } }, ['/discount negative']],
      [{ items: [{ id: teaLine, unitPrice: MAX }] }, ['/items overflow', '/items/0/unitPrice overflow']],
      [{ delivery: { cost: MAX } }, ['/items overflow']],
      [
        {
          items: [
            { id: teaLine, quantity: 1, unitPrice: MAX },
            { sku: 'CUP-1', quantity: 1 },
          ],
        },
        ['/items overflow'],
      ],
    ];
    for (const [change, expected] of attempts) {
      const reply = await patch(change);
      expect([reply.status, ...fieldErrorsOf(reply)]).toEqual([422, ...expected]);
    }
    expect(await read()).toEqual(order);
    const most = await patch({
      items: [{ id: teaLine, quantity: 1, unitPrice: MAX, discount: 0 }],
      discount: 0,
      delivery: { cost: 0, discount: 0 },
    });
    expect(most.body.data).toMatchObject({ totalAmount: MAX, discountTotal: 0 });
    const free = await patch({ discount: MAX });
    expect(free.body.data).toMatchObject({ totalAmount: 0, discountTotal: MAX });
  });

  test.each<[string, unknown, string[]]>([
    ['no line', { items: [] }, ['/items too_small']],
    ['501 lines', { items: Array(501).fill({ sku: 'TEA-1', quantity: 1 }) }, ['/items too_large']],
    ['a line of nothing', { items: [{}] }, ['/items/0 required']],
    ['an id with a product', { items: [{ id: UNKNOWN, sku: 'TEA-1', quantity: 1 }] }, ['/items/0 conflict']],
    ['two products', { items: [{ sku: 'TEA-1', productId: UNKNOWN, quantity: 1 }] }, ['/items/0 conflict']],
    ['a new line without quantity', { items: [{ sku: 'TEA-1' }] }, ['/items/0/quantity required']],
    [
      'quantities out of range',
      { items: [0, -1, 1.5, 1e9, '2'].map((quantity) => ({ id: UNKNOWN, quantity })) },
      [
        '/items/0/quantity too_small',
        '/items/1/quantity too_small',
        '/items/2/quantity wrong_type',
        '/items/3/quantity too_large',
        '/items/4/quantity wrong_type',
      ],
    ],
    [
      'amounts out of range',
      { discount: -1, delivery: { cost: 2 ** 53, discount: 0.5 }, items: [{ id: UNKNOWN, unitPrice: -1 }] },
      [
        '/delivery/cost too_large',
        '/delivery/discount wrong_type',
        '/discount too_small',
        '/items/0/unitPrice too_small',
      ],
    ],
    [
      'null and what is no id',
      { paymentTypeId: null, delivery: { typeId: 'x' }, items: [{ id: '' }], promoCode: null },
      [
        '/delivery/typeId invalid_format',
        '/items/0/id invalid_format',
        '/paymentTypeId wrong_type',
        '/promoCode wrong_type',
      ],
    ],
    [
      'NUL and lone surrogates',
      {
        promoCode: 'a\0',
        items: [
          { sku: '\ud800', quantity: 1 },
          { externalProductId: '\0', quantity: 1 },
        ],
      },
      [
        '/items/0/sku invalid_characters',
        '/items/1/externalProductId invalid_characters',
        '/promoCode invalid_characters',
      ],
    ],
    ['a long promo code', { promoCode: 'x'.repeat(101) }, ['/promoCode too_long']],
    [
      'fields that follow from others',
      { totalAmount: 1, items: [{ id: UNKNOWN, name: 'x', lineTotal: 1 }] },
      ['/items/0/lineTotal unknown', '/items/0/name unknown', '/totalAmount unknown'],
    ],
  ])('%s: rejected', async (_name, change, fieldErrors) => {
    const { patch, read, order } = await orderToEdit();
    const reply = await patch(change);
    expect([reply.status, ...fieldErrorsOf(reply)]).toEqual([422, ...fieldErrors]);
    expect(await read()).toEqual(order);
  });
});

describe('at the same time', () => {
  test('two edits of different parts both last', async () => {
    const { patch, read, teaLine, storeId } = await orderToEdit();
    const replies = await Promise.all([
      patch({ items: [{ id: teaLine, quantity: 4 }] }),
      patch({ delivery: { cost: 50_000 } }),
      patch({ discount: 2_000 }),
      patch({ promoCode: 'X' }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const data = await read();
    expect(data).toMatchObject({ promoCode: 'X', discountTotal: 3_000, totalAmount: 59_000 - 2_000 + 40_000 });
    expect(await rowsOf(storeId)).toEqual(asRows(data.items));
  });

  test('of two edits with one If-Match, one is refused', async () => {
    const { patch, created, read, teaLine, cupLine, storeId } = await orderToEdit();
    const ifMatch = { 'if-match': created.headers.get('etag') as string };
    const replies = await Promise.all([
      patch({ items: [{ id: teaLine }] }, ifMatch),
      patch({ items: [{ id: cupLine }, { sku: 'POT-1', quantity: 1 }] }, ifMatch),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412]);
    const data = await read();
    expect(data).toEqual(replies.find(({ status }) => status === 200)?.body.data);
    expect(await rowsOf(storeId)).toEqual(asRows(data.items));
  });

  test('edits, moves, matched customers and a disabled status do not block each other', async () => {
    const { patch, read, key, teaLine, storeId } = await orderToEdit();
    const { body } = await service.post(
      '/api/v1/references/order-statuses',
      { group: 'packing', name: 'Gift wrap' },
      key,
    );
    const statusId = body.data.id;
    await patch({ statusId });
    const replies = await Promise.all([
      service.patch(`/api/v1/references/order-statuses/${statusId}`, { isActive: false }, key),
      ...Array.from({ length: 12 }, (_, index) =>
        patch({
          items: [
            { id: teaLine, quantity: index + 1 },
            { sku: 'CUP-1', quantity: 1 },
          ],
          customer: { phone: `+7 900 000 00 0${index % 3}` },
          ...(index % 4 === 0 && { paymentStatus: index % 8 ? 'paid' : 'unpaid' }),
        }),
      ),
    ]);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const data = await read();
    expect(data.status.code).toBe('packing');
    expect(data.totalAmount).toBe(data.items[0].lineTotal + 40_000 - 5_000 + 20_000);
    expect(await rowsOf(storeId)).toEqual(asRows(data.items));
  });
});

test('a key that may not read orders gets only the ids of the edited order', async () => {
  const { storeId, path, id, teaLine } = await orderToEdit();
  const writer = await service.key(storeId, ['orders:write']);
  const { body } = await service.patch(path, { items: [{ id: teaLine, quantity: 9 }] }, writer);
  expect(Object.keys(body.data)).toEqual(['id', 'number', 'externalId', 'createdAt']);
  expect(body.data.id).toBe(id);
});

test('a synchronizing client finds the edited order', async () => {
  const { patch, key, order, teaLine } = await orderToEdit();
  await service.post('/api/v1/orders', { items: [{ sku: 'TEA-1', quantity: 1 }] }, key);
  const first = await service.get('/api/v1/orders?order=updatedAt:asc&limit=1&with=items', key);
  expect(first.body.data).toEqual([order]);
  const { data } = (await patch({ items: [{ id: teaLine, quantity: 9 }] })).body;
  const cursor = first.body.page.nextCursor;
  const rest = await service.get(`/api/v1/orders?order=updatedAt:asc&with=items&cursor=${cursor}`, key);
  expect(rest.body.data.at(-1)).toEqual(data);
});

test('the timeline says what was edited and by whom', async () => {
  const { patch, owner, storeId, id, order, teaLine } = await orderToEdit();
  const visitor = browser(service);
  await visitor.signIn(owner.email);
  const address = `/stores/${storeId}/orders/${id}`;
  await patch({
    items: [
      { id: teaLine, quantity: 1 },
      { sku: 'POT-1', quantity: 1 },
      { sku: 'TEA-1', quantity: 1 },
    ],
  });
  const seen = (await visitor.get(address)).body;
  clock.now += 1000;
  const change = {
    items: [...seen.order.items].reverse().map((item: any) => ({ id: item.id })),
    delivery: { typeId: '', cost: 0, discount: 0, city: 'Moscow' },
    paymentTypeId: '',
    promoCode: 'SECRET',
    discount: 0,
    customer: { name: 'Bob' },
    notes: 'n',
    status: 'packing',
  };
  const reply = await visitor.patch(address, change, { 'if-match': seen.etag });
  expect(reply.status).toBe(200);
  const edits = reply.body.timeline.filter(({ type }: any) => type === 'order.edited');
  const before = seen.order.totalAmount;
  expect(edits).toMatchObject([
    {
      actor: { kind: 'owner', name: 'Owner' },
      edited: [
        'customer',
        'items',
        'delivery',
        'deliveryType',
        'deliveryCost',
        'paymentType',
        'promoCode',
        'discount',
        'notes',
      ],
      lines: { added: 0, removed: 0, changed: 0 },
      total: { from: before, to: before + 5_000 - 20_000 },
    },
    {
      actor: { kind: 'key', name: 'Test key' },
      edited: ['items'],
      lines: { added: 2, removed: 1, changed: 1 },
      total: { from: order.totalAmount, to: before },
    },
  ]);
  const details = await db.all<{ details: string }>(sql`select details from events where store_id = ${storeId}`);
  expect(details.filter((event) => /SECRET|Bob|Moscow/.test(event.details))).toEqual([]);
  const stale = await visitor.patch(address, { discount: 1 }, { 'if-match': seen.etag });
  expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed']);
});

test('the sales figures follow an edit of a finished day, also in the next process', async () => {
  const { patch, owner, storeId, teaLine, tea, cup } = await orderToEdit();
  const visitor = browser(service);
  await visitor.signIn(owner.email);
  const soldOf = (products: { id: string; quantity: number; revenue: number }[]) =>
    products.map(({ id, quantity, revenue }) => [id, quantity, revenue]);
  const figures = async () => {
    const home = (await visitor.get(`/stores/${storeId}/home?days=7`)).body;
    const products = (await visitor.get(`/stores/${storeId}/home/products?days=7`)).body;
    return { revenue: home.current.revenue, sold: soldOf(products) };
  };
  clock.now += 3 * DAY;
  const before = {
    revenue: 84_000,
    sold: [
      [cup, 1, 40_000],
      [tea, 2, 29_000],
    ],
  };
  expect(await figures()).toEqual(before);
  // The second reading uses the cache and saves the finished days.
  clock.now += HOUR;
  expect(await figures()).toEqual(before);
  const saved = () =>
    db.all(sql`select day_at from sales_days where store_id = ${storeId} and kind = 'sold' and sums <> '[]'`);
  await expect.poll(async () => (await saved()).length).toBe(1);

  await patch({ items: [{ id: teaLine, quantity: 3 }] });
  const sold = [[tea, 3, 44_000]];
  const next = salesCache(db, () => {});
  const statuses = await listOrderStatuses(db, storeId);
  const store = { id: storeId, timezone: 'Europe/Moscow' };
  expect(soldOf(await next.bestProducts(store, statuses, 7, 5, clock.now))).toEqual(sold);
  expect(await figures()).toEqual({ revenue: 44_000 - 5_000 + 20_000, sold });
});
