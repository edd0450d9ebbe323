import { describe, expect, test } from 'vitest';
import { editFixtures } from '../../../test/edited-order.ts';
import { searchAgain } from '../../../test/rows.ts';
import { startService } from '../../../test/service.ts';
import { sql } from '../../db/sql.ts';

const service = await startService();
const { db, clock } = service;
const { orderToEdit, fieldErrorsOf, rowsOf, asRows, eventsOf } = editFixtures(service);
const MAX = Number.MAX_SAFE_INTEGER;
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

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
      sql`update products set name = 'Other', name_key = 'other', sku = 'X', price = 1, is_active = false
          where store_id = ${storeId} and id = ${tea}`,
    );
    await searchAgain(db, storeId);
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

  test('wrong lines, types and amounts are reported together, once the shape is right', async () => {
    const { patch, teaLine } = await orderToEdit();
    const change = {
      items: [{ id: teaLine }, { id: teaLine }, { id: UNKNOWN }, { sku: 'CUP-1', quantity: 1, discount: 40_001 }],
      paymentTypeId: UNKNOWN,
    };
    expect(fieldErrorsOf(await patch({ ...change, colour: 'red' }))).toEqual(['/colour unknown']);
    expect(fieldErrorsOf(await patch(change))).toEqual([
      '/items/1/id repeated',
      '/items/2/id not_found',
      '/items/3/discount negative',
      '/paymentTypeId not_found',
    ]);
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
