import { describe, expect, test } from 'vitest';
import { browser } from '../../../test/browser.ts';
import { editFixtures } from '../../../test/edited-order.ts';
import { startService } from '../../../test/service.ts';
import { sql } from '../../db/sql.ts';
import { DAY, HOUR } from '../../time/duration.ts';

const service = await startService();
const { db, clock } = service;
const { orderToEdit, rowsOf, asRows } = editFixtures(service);

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
  await visitor.post(`/stores/${storeId}/promo-codes`, { code: 'SECRET', amount: 1_000 });
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
      total: { from: before, to: before + 5_000 - 20_000 - 1_000 },
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

test('the sales figures follow an edit of a finished day', async () => {
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
  // The second reading uses the cache.
  clock.now += HOUR;
  expect(await figures()).toEqual(before);

  await patch({ items: [{ id: teaLine, quantity: 3 }] });
  const sold = [[tea, 3, 44_000]];
  expect(await figures()).toEqual({ revenue: 44_000 - 5_000 + 20_000, sold });
});
