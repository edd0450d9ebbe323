import { describe, expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { startService } from '../../test/service.ts';
import { sql } from '../db/sql.ts';
import { HOUR } from '../duration.ts';

const service = await startService();
const { db, clock } = service;
const MAX = Number.MAX_SAFE_INTEGER;

async function shop() {
  const opened = await service.shop();
  const tea = await addProduct(service, opened.storeId, { sku: 'TEA-1', externalId: 'ext-tea', price: 15_000 });
  const cup = await addProduct(service, opened.storeId, { sku: 'CUP-1', name: 'Чашка', price: 40_000 });
  const types = await db.one<{ delivery: string; payment: string }>(
    sql`select (select id from delivery_types where owner_id = ${opened.ownerId} and code = 'courier') as delivery,
               (select id from payment_types where owner_id = ${opened.ownerId} and code = 'card') as payment`,
  );
  return { ...opened, tea, cup, deliveryType: types?.delivery as string, paymentType: types?.payment as string };
}

const eventsOf = (storeId: string, orderId?: string) =>
  db.all<{ type: string; external_id: string; actor_kind: string }>(
    orderId
      ? sql`select type, external_id, actor_kind from events where store_id = ${storeId} and order_id = ${orderId} order by created_at, type`
      : sql`select type, external_id, actor_kind from events where store_id = ${storeId}`,
  );

const fieldErrorsOf = (reply: { body: { errors?: { pointer: string; code: string }[] } }) =>
  (reply.body.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`).sort();

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
        delivery: { typeId: deliveryType, cost: 30_000, discount: 10_000, city: 'Москва', postalCode: '101000' },
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
      sql`update products set name = 'Other', sku = 'X', price = 1 where store_id = ${storeId} and id = ${tea}`,
    );
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
        'unknown records beside invalid values',
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
          '/items/0/sku not_found',
          '/items/1/sku not_found',
          '/items/2/sku invalid_characters',
          '/items/3 conflict',
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
        { items: [line], customer: { name: 'x'.repeat(201), phone: '1'.repeat(51), email: 'x'.repeat(255) } },
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
      [
        'a discount above the line total',
        { items: [{ ...line, discount: 15_001 }] },
        ['/discount negative', '/items/0/discount negative'],
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

describe('the customer of an order', () => {
  const customersOf = (storeId: string) =>
    db.all<{ id: string; name: string; phone: string; email: string; seq: number; updated_at: number }>(
      sql`select id, name, phone, email, seq, updated_at from customers where store_id = ${storeId} order by seq`,
    );
  const order = (customer: unknown) => ({ customer, items: [{ sku: 'TEA-1', quantity: 1 }] });

  test('is matched by phone in any notation, then by e-mail in any case; missing fields are filled in', async () => {
    const { key, storeId } = await shop();
    const make = async (customer: unknown) =>
      (await service.post('/api/v1/orders', order(customer), key)).body.data.customer.id;
    const first = await make({ name: 'Анна', phone: '8 (916) 123-45-67' });
    expect(await make({ phone: '+79161234567', email: 'anna@example.com', name: 'Another' })).toBe(first);
    expect(await make({ email: 'ANNA@example.com' })).toBe(first);
    // By phone before by e-mail.
    const other = await make({ phone: '+7 900 000-00-00' });
    expect(await make({ phone: '89000000000', email: 'anna@example.com' })).toBe(other);
    expect(await customersOf(storeId)).toMatchObject([
      { id: first, name: 'Анна', phone: '8 (916) 123-45-67', email: 'anna@example.com' },
      { id: other, name: '', phone: '+7 900 000-00-00', email: 'anna@example.com' },
    ]);
  });

  test('is a different one if `+8…` is another country code', async () => {
    const { key, storeId } = await shop();
    const make = async (customer: unknown) =>
      (await service.post('/api/v1/orders', order(customer), key)).body.data.customer.id;
    const moscow = await make({ name: 'Анна', phone: '+7 499 123-45-67' });
    const hanoi = await make({ name: 'Duc', phone: '+84 99 123 4567', email: 'duc@example.com' });
    expect(hanoi).not.toBe(moscow);
    expect(await make({ phone: '8 (499) 123-45-67' })).toBe(moscow);
    expect(await customersOf(storeId)).toMatchObject([{ email: '' }, { email: 'duc@example.com' }]);
  });

  test('is not created without phone and e-mail, nor shared between stores', async () => {
    const [one, two] = [await shop(), await shop()];
    const a = await service.post('/api/v1/orders', order({ name: 'Nobody' }), one.key);
    expect(a.body.data.customer).toEqual({ id: null, name: 'Nobody', phone: '', email: '' });
    const b = await service.post('/api/v1/orders', order({ phone: '1' }), one.key);
    const c = await service.post('/api/v1/orders', order({ phone: '1' }), two.key);
    expect(b.body.data.customer.id).not.toBe(c.body.data.customer.id);
  });

  test('a match that adds nothing does not count as a change of the customer', async () => {
    const { key, storeId } = await shop();
    await service.post('/api/v1/orders', order({ phone: '5', name: 'N' }), key);
    const [before] = await customersOf(storeId);
    await service.post('/api/v1/orders', order({ phone: '5', name: 'M' }), key);
    expect(await customersOf(storeId)).toEqual([before]);
  });

  test('50 concurrent orders with one new phone create one customer', async () => {
    const { key, storeId } = await shop();
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        service.post('/api/v1/orders', order({ phone: '+7 999 111 22 33', email: index % 2 ? 'x@y.z' : '' }), key),
      ),
    );
    expect(replies.every((reply) => reply.status === 201)).toBe(true);
    expect(await customersOf(storeId)).toHaveLength(1);
  });
});

describe('GET /api/v1/orders/{id}', () => {
  test.each(['00000000-0000-7000-8000-000000000000', 'none', '%00', 'a%2Fb'])('%s is not found', async (id) => {
    const { key } = await shop();
    const reply = await service.get(`/api/v1/orders/${id}`, key);
    expect([reply.status, reply.body.code]).toEqual([404, 'not_found']);
  });

  test("another store's order is not found, by reading or by changing", async () => {
    const [mine, other] = [await shop(), await shop()];
    const { body } = await service.post('/api/v1/orders', { items: [{ sku: 'TEA-1', quantity: 1 }] }, other.key);
    const path = `/api/v1/orders/${body.data.id}`;
    const replies = [await service.get(path, mine.key), await service.patch(path, { notes: 'x' }, mine.key)];
    expect(replies.map((reply) => reply.body.code)).toEqual(['not_found', 'not_found']);
  });

  test('accepts an uppercase id and rejects parameters', async () => {
    const { key } = await shop();
    const { body } = await service.post('/api/v1/orders', { items: [{ sku: 'TEA-1', quantity: 1 }] }, key);
    expect((await service.get(`/api/v1/orders/${body.data.id.toUpperCase()}`, key)).status).toBe(200);
    const reply = await service.get(`/api/v1/orders/${body.data.id}?with=items`, key);
    expect([reply.status, reply.body.code]).toEqual([400, 'unknown_parameter']);
  });
});

describe('PATCH /api/v1/orders/{id}', () => {
  async function orderToChange(customer?: unknown) {
    const opened = await shop();
    const body = {
      externalId: 'E',
      items: [{ sku: 'TEA-1', quantity: 1 }],
      notes: 'n',
      ...(customer ? { customer } : {}),
    };
    const created = await service.post('/api/v1/orders', body, opened.key);
    clock.now += 1000;
    const path = `/api/v1/orders/${created.body.data.id}`;
    const patch = (change: unknown, headers?: Record<string, string>) =>
      service.patch(path, change, opened.key, headers);
    return { ...opened, path, patch, id: created.body.data.id as string, created };
  }

  test('status and payment status together: one change, two events', async () => {
    const { patch, storeId, id, created } = await orderToChange();
    const reply = await patch({ status: 'packing', paymentStatus: 'paid' });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({
      status: { code: 'packing' },
      paymentStatus: { code: 'paid', isPaid: true },
      updatedAt: new Date(clock.now).toISOString(),
      createdAt: created.body.data.createdAt,
    });
    expect(reply.headers.get('etag')).not.toBe(created.headers.get('etag'));
    expect((await eventsOf(storeId, id)).map((event) => event.type)).toEqual([
      'order.created',
      'order.payment_status_changed',
      'order.status_changed',
    ]);
  });

  test('statuses by id, without a code too; any may follow any other', async () => {
    const { patch, storeId } = await orderToChange();
    const own = '00000000-0000-7000-8000-00000000aaaa';
    await db.run(
      sql`insert into order_statuses (store_id, id, name, name_key, status_group, sort_order)
          values (${storeId}, ${own}, 'Gift wrap', 'gift wrap', 'packing', 1)`,
    );
    expect((await patch({ statusId: own.toUpperCase() })).body.data.status).toEqual({
      id: own,
      code: null,
      name: 'Gift wrap',
    });
    for (const status of ['completed', 'new', 'returned', 'cancelled', 'delivering'])
      expect((await patch({ status })).body.data.status.code).toBe(status);
  });

  test('only what is passed changes; "" clears a text', async () => {
    const { patch, created } = await orderToChange({ name: 'A', phone: '1' });
    const reply = await patch({ notes: '', delivery: { city: 'Тверь' }, customer: { name: 'B' } });
    expect(reply.body.data).toEqual({
      ...created.body.data,
      notes: '',
      updatedAt: new Date(clock.now).toISOString(),
      delivery: { ...created.body.data.delivery, city: 'Тверь' },
      customer: { ...created.body.data.customer, name: 'B' },
    });
  });

  test('a changed phone or e-mail is matched again', async () => {
    const { patch, created, storeId } = await orderToChange({ name: 'A', phone: '1' });
    const first = created.body.data.customer.id;
    const second = (await patch({ customer: { phone: '2' } })).body.data.customer.id;
    expect(second).not.toBe(first);
    expect((await patch({ customer: { phone: '1' } })).body.data.customer.id).toBe(first);
    expect((await patch({ customer: { phone: '' } })).body.data.customer.id).toBeNull();
    expect(await db.all(sql`select id from customers where store_id = ${storeId}`)).toHaveLength(2);
  });

  test('a no-op change keeps updatedAt and ETag and sends no event', async () => {
    const { patch, created, storeId } = await orderToChange({ name: 'A', phone: '1' });
    const reply = await patch({
      status: 'new',
      paymentStatus: 'unpaid',
      notes: 'n',
      customer: { phone: '1' },
      delivery: { city: '' },
    });
    expect(reply.body).toEqual(created.body);
    expect(reply.headers.get('etag')).toBe(created.headers.get('etag'));
    expect(await eventsOf(storeId)).toHaveLength(1);
  });

  test.each<[string, unknown, string[]]>([
    ['an empty object', {}, [' required']],
    [
      'a status code and a status id',
      { status: 'new', statusId: '00000000-0000-7000-8000-000000000000' },
      ['/statusId conflict'],
    ],
    [
      'a payment status code and id',
      { paymentStatus: 'paid', paymentStatusId: '00000000-0000-7000-8000-000000000000' },
      ['/paymentStatusId conflict'],
    ],
    ['an unknown code', { status: 'gone', paymentStatus: 'maybe' }, ['/paymentStatus not_found', '/status not_found']],
    ['an unknown id', { statusId: '00000000-0000-7000-8000-000000000000' }, ['/statusId not_found']],
    [
      'an immutable field',
      { externalId: 'x', totalAmount: 1, delivery: { type: 'x' } },
      ['/delivery/type unknown', '/externalId unknown', '/totalAmount unknown'],
    ],
  ])('%s is rejected', async (_name, change, fieldErrors) => {
    const { patch, path, key, created } = await orderToChange();
    const reply = await patch(change);
    expect([reply.status, ...fieldErrorsOf(reply)]).toEqual([422, ...fieldErrors]);
    expect((await service.get(path, key)).body).toEqual(created.body);
  });

  test('a disabled status is rejected at its pointer; an unknown one lists the valid codes', async () => {
    const { patch, storeId } = await orderToChange();
    await db.run(sql`update payment_statuses set is_active = false where store_id = ${storeId} and code = 'refunded'`);
    expect(fieldErrorsOf(await patch({ paymentStatus: 'refunded', status: 'packing' }))).toEqual([
      '/paymentStatus inactive',
    ]);
    expect((await patch({ status: 'x' })).body.errors[0].message).toContain('new, packing, delivering, completed');
  });

  test('If-Match', async () => {
    const { patch, created, path, key } = await orderToChange();
    const etag = created.headers.get('etag') as string;
    expect((await patch({ notes: 'a' }, { 'if-match': '"0"' })).body.code).toBe('precondition_failed');
    expect((await patch({ notes: 'a' }, { 'if-match': `W/${etag}` })).status).toBe(412);
    expect((await service.get(path, key)).body).toEqual(created.body);
    expect((await patch({ notes: 'a' }, { 'if-match': `"7", ${etag}` })).status).toBe(200);
    expect((await patch({ notes: 'b' }, { 'if-match': etag })).status).toBe(412);
    expect((await patch({ notes: 'b' }, { 'if-match': '*' })).status).toBe(200);
  });

  test('checks run in order: validation, existence, If-Match, rules', async () => {
    const { patch, key } = await orderToChange();
    const unknownPath = '/api/v1/orders/00000000-0000-7000-8000-000000000000';
    expect((await service.patch(unknownPath, { extra: 1 }, key)).status).toBe(422);
    expect((await service.patch(unknownPath, { status: 'gone' }, key, { 'if-match': '"0"' })).status).toBe(404);
    expect((await patch({ status: 'gone' }, { 'if-match': '"0"' })).status).toBe(412);
  });

  test('renaming a status does not change its orders', async () => {
    const { storeId, path, key, created } = await orderToChange();
    await db.run(sql`update order_statuses set name = 'Fresh "one"' where store_id = ${storeId} and code = 'new'`);
    const reply = await service.get(path, key);
    expect(reply.body.data.status.name).toBe('Fresh "one"');
    expect(reply.headers.get('etag')).toBe(created.headers.get('etag'));
    expect(reply.body.data.updatedAt).toBe(created.body.data.updatedAt);
  });

  test('20 concurrent changes of one order: none is lost, and updatedAt does not go back with the clock', async () => {
    const { patch, path, key, storeId } = await orderToChange();
    clock.now -= HOUR;
    const fields = ['address', 'city', 'region', 'street', 'house', 'flat', 'postalCode'];
    await Promise.all(fields.map((field) => patch({ delivery: { [field]: field } })));
    clock.now += HOUR;
    const { data } = (await service.get(path, key)).body;
    expect(fields.map((field) => data.delivery[field])).toEqual(fields);
    const [row] = await db.all<{ created_at: number; updated_at: number; seq: number }>(
      sql`select created_at, updated_at, seq from orders where store_id = ${storeId}`,
    );
    expect(row?.updated_at).toBeGreaterThanOrEqual(row?.created_at as number);
  });
});
