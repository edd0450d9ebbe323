import { describe, expect, test } from 'vitest';
import { orderFixtures } from '../../../test/orders.ts';
import { searchAgain } from '../../../test/rows.ts';
import { startService } from '../../../test/service.ts';
import { sql } from '../../db/sql.ts';

const service = await startService();
const { db, clock } = service;
const { shop, eventsOf, fieldErrorsOf } = orderFixtures(service);
const MAX = Number.MAX_SAFE_INTEGER;

describe('POST /api/v1/orders', () => {
  test('creates an order with every field', async () => {
    const { key, storeId, tea, deliveryType, paymentType } = await shop();
    const reply = await service.post(
      '/api/v1/orders',
      {
        externalId: 'A-1',
        customer: { name: 'Анна', phone: '+7 (916) 123-45-67', email: 'Anna@Example.com' },
        items: [
          { productId: tea.toUpperCase(), quantity: 2, discount: 1_000 },
          { sku: 'CUP-1', quantity: 1, unitPrice: 35_000 },
          { externalProductId: 'ext-tea', quantity: 3 },
        ],
        delivery: {
          typeId: deliveryType,
          cost: 30_000,
          discount: 10_000,
          city: 'Москва',
          postalCode: '101000',
          trackingNumber: 'R 1',
        },
        metadata: { source: 'tv' },
        paymentTypeId: paymentType,
        promoCode: 'SPRING',
        discount: 5_000,
        notes: 'Позвонить "заранее"\n',
      },
      key,
    );
    expect(reply.status).toBe(201);
    const { id } = reply.body.data;
    expect(reply.headers.get('location')).toBe(`/api/v1/orders/${id}`);
    expect(reply.headers.get('etag')).toMatch(/^"\d+"$/);
    expect(reply.headers.get('idempotent-replayed')).toBeNull();
    const now = new Date(clock.now).toISOString();
    expect(reply.body.data).toEqual({
      id,
      number: 1,
      paidAmount: 0,
      metadata: { source: 'tv' },
      externalId: 'A-1',
      createdAt: now,
      updatedAt: now,
      status: { id: expect.any(String), code: 'new', name: 'New' },
      paymentStatus: { id: expect.any(String), code: 'unpaid', name: 'Unpaid', isPaid: false },
      totalAmount: 29_000 + 35_000 + 45_000 - 5_000 + 20_000,
      discountTotal: 6_000,
      promoCode: 'SPRING',
      currency: 'RUB',
      customer: { id: expect.any(String), name: 'Анна', phone: '+7 (916) 123-45-67', email: 'Anna@Example.com' },
      delivery: {
        typeId: deliveryType,
        trackingNumber: 'R 1',
        trackingUrl: '',
        type: 'Courier',
        cost: 30_000,
        discount: 10_000,
        address: '',
        city: 'Москва',
        region: '',
        street: '',
        house: '',
        flat: '',
        postalCode: '101000',
      },
      paymentType: { id: paymentType, code: 'card', name: 'Card' },
      source: 'api',
      notes: 'Позвонить "заранее"\n',
      items: [
        expect.objectContaining({
          productId: tea,
          sku: 'TEA-1',
          quantity: 2,
          unitPrice: 15_000,
          discount: 1_000,
          lineTotal: 29_000,
        }),
        expect.objectContaining({ name: 'Чашка', quantity: 1, unitPrice: 35_000, discount: 0, lineTotal: 35_000 }),
        expect.objectContaining({ productId: tea, externalProductId: 'ext-tea', quantity: 3, lineTotal: 45_000 }),
      ],
    });
    expect((await service.get(`/api/v1/orders/${id}`, key)).body).toEqual(reply.body);
    expect(await eventsOf(storeId)).toEqual([{ type: 'order.created', external_id: 'A-1', actor_kind: 'key' }]);
  });

  test('creates an order from the required fields, with every text field present', async () => {
    const { key } = await shop();
    const { status, body } = await service.post('/api/v1/orders', { items: [{ sku: 'TEA-1', quantity: 1 }] }, key);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      externalId: '',
      promoCode: '',
      notes: '',
      customer: { id: null, name: '', phone: '', email: '' },
      delivery: { typeId: null, type: '', cost: 0, discount: 0, address: '', postalCode: '' },
      paymentType: null,
      totalAmount: 15_000,
    });
  });

  test('numbers count up from 1 in each store', async () => {
    const [one, two] = [await shop(), await shop()];
    const make = async (key: string) =>
      (await service.post('/api/v1/orders', { items: [{ sku: 'TEA-1', quantity: 1 }] }, key)).body.data.number;
    expect([await make(one.key), await make(one.key), await make(two.key), await make(one.key)]).toEqual([1, 2, 1, 3]);
  });

  test('keeps the name, sku and price it was sold at', async () => {
    const { key, storeId, tea } = await shop();
    const { body } = await service.post('/api/v1/orders', { items: [{ productId: tea, quantity: 1 }] }, key);
    await db.run(
      sql`update products set name = 'Other', name_key = 'other', sku = 'X', price = 1 where store_id = ${storeId} and id = ${tea}`,
    );
    await searchAgain(db, storeId);
    const [item] = (await service.get(`/api/v1/orders/${body.data.id}`, key)).body.data.items;
    expect(item).toMatchObject({ name: 'Tea', sku: 'TEA-1', unitPrice: 15_000 });
  });

  test('a repeated external id returns 200 with the current order and ignores the rest', async () => {
    const { key, storeId, tea } = await shop();
    const first = await service.post(
      '/api/v1/orders',
      { externalId: 'R', items: [{ productId: tea, quantity: 1 }] },
      key,
    );
    await service.patch(`/api/v1/orders/${first.body.data.id}`, { notes: 'changed' }, key);
    await db.run(sql`update products set is_active = false where store_id = ${storeId} and id = ${tea}`);
    const again = await service.post(
      '/api/v1/orders',
      { externalId: 'R', items: [{ productId: tea, quantity: 7 }], paymentTypeId: tea },
      key,
    );
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('location')).toBeNull();
    expect(again.body.data).toMatchObject({ id: first.body.data.id, notes: 'changed', totalAmount: 15_000 });
    const types = (await eventsOf(storeId)).map(({ type }) => type).sort();
    expect(types).toEqual(['order.created', 'order.edited']);
  });

  test('a repeated request is still validated', async () => {
    const { key } = await shop();
    await service.post('/api/v1/orders', { externalId: 'R', items: [{ sku: 'TEA-1', quantity: 1 }] }, key);
    const again = await service.post('/api/v1/orders', { externalId: 'R', items: [], extra: 1 }, key);
    expect([again.status, ...fieldErrorsOf(again)]).toEqual([422, '/extra unknown', '/items too_small']);
  });

  test('the same external id in two stores creates two orders', async () => {
    const [one, two] = [await shop(), await shop()];
    const body = { externalId: 'same', items: [{ sku: 'TEA-1', quantity: 1 }] };
    const replies = [
      await service.post('/api/v1/orders', body, one.key),
      await service.post('/api/v1/orders', body, two.key),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([201, 201]);
  });

  test('100 concurrent identical requests create one order and one event', async () => {
    const { key, storeId } = await shop();
    const body = { externalId: 'race', customer: { phone: '100' }, items: [{ sku: 'TEA-1', quantity: 1 }] };
    const replies = await Promise.all(Array.from({ length: 100 }, () => service.post('/api/v1/orders', body, key)));
    const count = (status: number) => replies.filter((reply) => reply.status === status).length;
    expect([count(201), count(200)]).toEqual([1, 99]);
    expect(new Set(replies.map((reply) => reply.body.data.id)).size).toBe(1);
    expect(await eventsOf(storeId)).toHaveLength(1);
    expect(await db.all(sql`select id from orders where store_id = ${storeId}`)).toHaveLength(1);
  });

  describe('rejects and reports all errors at once', () => {
    const line = { sku: 'TEA-1', quantity: 1 };
    test.each<[string, unknown, string[]]>([
      ['no items', {}, ['/items required']],
      ['not an object', [], [' wrong_type']],
      ['null', null, [' wrong_type']],
      ['empty items', { items: [] }, ['/items too_small']],
      [
        'invalid values, before unknown records',
        {
          items: [
            { sku: 'NOPE', quantity: 0 },
            { sku: 'NOPE2', quantity: 1 },
            { sku: 'A\0', quantity: 1 },
            { sku: 'NOPE', externalProductId: 'NOPE', quantity: 1 },
          ],
          delivery: { typeId: 'x' },
          paymentTypeId: '00000000-0000-7000-8000-000000000000',
        },
        [
          '/delivery/typeId invalid_format',
          '/items/0/quantity too_small',
          '/items/2/sku invalid_characters',
          '/items/3 conflict',
        ],
      ],
      [
        'unknown records and wrong amounts together',
        {
          items: [
            { sku: 'NOPE', quantity: 1 },
            { ...line, discount: 15_001 },
          ],
          delivery: { cost: 1, discount: 2 },
          paymentTypeId: '00000000-0000-7000-8000-000000000000',
        },
        [
          '/delivery/discount negative',
          '/items/0/sku not_found',
          '/items/1/discount negative',
          '/paymentTypeId not_found',
        ],
      ],
      ['501 items', { items: Array(501).fill(line) }, ['/items too_large']],
      ['null instead of a value', { items: [line], notes: null }, ['/notes wrong_type']],
      ['unknown fields', { items: [{ ...line, color: 1 }], 'a/b': 1 }, ['/a~1b unknown', '/items/0/color unknown']],
      ['__proto__', JSON.parse('{"items":[{"sku":"TEA-1","quantity":1}],"__proto__":{"a":1}}'), ['/__proto__ unknown']],
      ['an empty external id', { items: [line], externalId: '' }, ['/externalId too_short']],
      ['a long external id', { items: [line], externalId: 'x'.repeat(256) }, ['/externalId too_long']],
      [
        'long texts',
        { items: [line], notes: 'x'.repeat(5001), promoCode: 'x'.repeat(101) },
        ['/notes too_long', '/promoCode too_long'],
      ],
      [
        'long customer fields',
        { items: [line], customer: { name: 'x'.repeat(201), phone: '1'.repeat(51), email: `${'x'.repeat(250)}@x.ru` } },
        ['/customer/email too_long', '/customer/name too_long', '/customer/phone too_long'],
      ],
      ['a long address', { items: [line], delivery: { city: 'x'.repeat(501) } }, ['/delivery/city too_long']],
      ['no product', { items: [{ quantity: 1 }] }, ['/items/0 required']],
      ['two keys for a product', { items: [{ ...line, externalProductId: 'x' }] }, ['/items/0 conflict']],
      [
        'invalid quantities',
        {
          items: [
            { ...line, quantity: 0 },
            { ...line, quantity: 1.5 },
            { ...line, quantity: '2' },
            { ...line, quantity: 1_000_001 },
          ],
        },
        [
          '/items/0/quantity too_small',
          '/items/1/quantity wrong_type',
          '/items/2/quantity wrong_type',
          '/items/3/quantity too_large',
        ],
      ],
      [
        'invalid amounts',
        { items: [{ ...line, unitPrice: -1, discount: 0.5 }], discount: MAX + 1 },
        ['/discount too_large', '/items/0/discount wrong_type', '/items/0/unitPrice too_small'],
      ],
      [
        'invalid ids',
        { items: [{ productId: 'x', quantity: 1 }], paymentTypeId: 'y', delivery: { typeId: 'z' } },
        ['/delivery/typeId invalid_format', '/items/0/productId invalid_format', '/paymentTypeId invalid_format'],
      ],
      [
        'characters that cannot be stored',
        { items: [line], notes: 'a\u0000b', customer: { name: '\ud800' } },
        ['/customer/name invalid_characters', '/notes invalid_characters'],
      ],
      [
        'unknown records',
        {
          items: [
            { sku: 'NONE', quantity: 1 },
            { productId: '00000000-0000-7000-8000-000000000000', quantity: 1 },
            line,
          ],
          paymentTypeId: '00000000-0000-7000-8000-000000000000',
          delivery: { typeId: '00000000-0000-7000-8000-000000000000' },
        },
        [
          '/delivery/typeId not_found',
          '/items/0/sku not_found',
          '/items/1/productId not_found',
          '/paymentTypeId not_found',
        ],
      ],
      ['a discount above the line total', { items: [{ ...line, discount: 15_001 }] }, ['/items/0/discount negative']],
      [
        'a discount above the line total, and one above the rest of the order',
        { items: [{ ...line, discount: 15_001 }, line], discount: 15_001 },
        ['/discount negative', '/items/0/discount negative'],
      ],
      ['a line that is null', { items: [null] }, ['/items/0 wrong_type']],
      [
        'an unknown field, before wrong amounts',
        { items: [{ ...line, discount: 15_001 }], delivery: { cost: 1, discount: 2 }, colour: 'red' },
        ['/colour unknown'],
      ],
      ['a discount above the order total', { items: [line], discount: 15_001 }, ['/discount negative']],
      [
        'a delivery discount above its cost',
        { items: [line], delivery: { cost: 1, discount: 2 } },
        ['/delivery/discount negative'],
      ],
      [
        'a line that overflows',
        { items: [{ ...line, quantity: 2, unitPrice: MAX }] },
        ['/items overflow', '/items/0/unitPrice overflow'],
      ],
      [
        'a line that overflows before its discount',
        { items: [{ ...line, quantity: 2, unitPrice: MAX, discount: MAX }] },
        ['/items/0/unitPrice overflow'],
      ],
      [
        'a sum that overflows',
        {
          items: [
            { ...line, unitPrice: MAX },
            { ...line, unitPrice: 1 },
          ],
        },
        ['/items overflow'],
      ],
      [
        'a delivery that overflows',
        { items: [{ ...line, unitPrice: MAX }], delivery: { cost: 1, discount: 1 } },
        ['/items overflow'],
      ],
    ])('%s', async (_name, body, fieldErrors) => {
      const { key, storeId } = await shop();
      const reply = await service.post('/api/v1/orders', body, key);
      expect([reply.status, reply.body.code, ...fieldErrorsOf(reply)]).toEqual([422, 'invalid_body', ...fieldErrors]);
      expect(await db.all(sql`select id from orders where store_id = ${storeId}`)).toEqual([]);
      expect(await db.all(sql`select id from customers where store_id = ${storeId}`)).toEqual([]);
    });

    test('a repetition of which only the shape is wrong is told only that', async () => {
      const { key } = await shop();
      const order = { externalId: 'A-1', items: [line] };
      expect((await service.post('/api/v1/orders', order, key)).status).toBe(201);
      const again = { ...order, items: [{ sku: 'NONE', quantity: 0 }] };
      expect(fieldErrorsOf(await service.post('/api/v1/orders', again, key))).toEqual(['/items/0/quantity too_small']);
    });

    test('an inactive product, a type the store has disabled, records of another store', async () => {
      const [mine, other] = [await shop(), await shop()];
      await db.run(sql`update products set is_active = false where store_id = ${mine.storeId} and sku = 'TEA-1'`);
      await db.run(sql`update store_delivery_types set is_active = false where store_id = ${mine.storeId}`);
      await db.run(sql`update store_payment_types set is_active = false where store_id = ${mine.storeId}`);
      const reply = await service.post(
        '/api/v1/orders',
        {
          items: [
            { sku: 'TEA-1', quantity: 1 },
            { productId: other.tea, quantity: 1 },
          ],
          delivery: { typeId: mine.deliveryType },
          paymentTypeId: mine.paymentType,
        },
        mine.key,
      );
      expect(fieldErrorsOf(reply)).toEqual([
        '/delivery/typeId not_found',
        '/items/0/sku inactive',
        '/items/1/productId not_found',
        '/paymentTypeId not_found',
      ]);
    });
  });

  test('the largest amounts are stored exactly', async () => {
    const { key } = await shop();
    const { status, body } = await service.post(
      '/api/v1/orders',
      { items: [{ sku: 'TEA-1', quantity: 1, unitPrice: MAX }] },
      key,
    );
    expect([status, body.data.totalAmount, body.data.items[0].lineTotal]).toEqual([201, MAX, MAX]);
  });

  test('a discount may exceed the goods and reduce the delivery cost', async () => {
    const { key } = await shop();
    const order = { items: [{ sku: 'TEA-1', quantity: 1 }], discount: 16_000, delivery: { cost: 1_000 } };
    expect((await service.post('/api/v1/orders', order, key)).body.data.totalAmount).toBe(0);
  });

  test.each([
    ['text that is not JSON', '{"items":', 'application/json', 400, 'malformed_json'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'application/json', 400, 'malformed_json'],
    ['an empty body', '', 'application/json', 400, 'malformed_json'],
    ['a form', 'a=b', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    ['over 1 MiB', `{"notes":"${'x'.repeat(1024 * 1024)}"}`, 'application/json', 413, 'body_too_large'],
  ])('%s is rejected', async (_name, rawBody, type, status, code) => {
    const { key } = await shop();
    const reply = await service.send('POST', '/api/v1/orders', { key, rawBody, headers: { 'content-type': type } });
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });

  test('needs orders:write', async () => {
    const { storeId } = await shop();
    const key = await service.key(storeId, ['orders:read']);
    const reply = await service.post('/api/v1/orders', { items: [] }, key);
    expect([reply.status, reply.body.code]).toEqual([403, 'insufficient_rights']);
    expect(reply.body.detail).toContain('orders:write');
  });
});
