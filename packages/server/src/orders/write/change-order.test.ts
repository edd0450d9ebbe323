import { describe, expect, test } from 'vitest';
import { orderFixtures } from '../../../test/orders.ts';
import { startService } from '../../../test/service.ts';
import { sql } from '../../db/sql.ts';
import { HOUR } from '../../time/duration.ts';

const service = await startService();
const { db, clock } = service;
const { shop, eventsOf, fieldErrorsOf } = orderFixtures(service);

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
      'unknown statuses and a note that is no text',
      { status: 'gone', paymentStatusId: '00000000-0000-7000-8000-000000000000', notes: 5 },
      ['/notes wrong_type'],
    ],
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
    expect((await patch({ notes: 'a' }, { 'if-match': 'W/"0"' })).status).toBe(412);
    expect((await service.get(path, key)).body).toEqual(created.body);
    expect((await patch({ notes: 'a' }, { 'if-match': `"7", ${etag}` })).status).toBe(200);
    expect((await patch({ notes: 'b' }, { 'if-match': etag })).status).toBe(412);
    expect((await patch({ notes: 'b' }, { 'if-match': '*' })).status).toBe(200);
  });

  // A proxy that compresses a response makes its tag weak: nginx turns "5" into W/"5".
  test('If-Match with a tag that a compressing proxy made weak', async () => {
    const { patch, created } = await orderToChange();
    const etag = created.headers.get('etag') as string;
    const changed = await patch({ notes: 'a' }, { 'if-match': `W/${etag}` });
    expect(changed.status).toBe(200);
    expect((await patch({ notes: 'b' }, { 'if-match': `W/${etag}` })).status).toBe(412);
    const latest = changed.headers.get('etag') as string;
    expect((await patch({ notes: 'b' }, { 'if-match': `W/"7" , W/${latest}` })).status).toBe(200);
  });

  test.each(['5', 'W/', 'W/*', '"5', '"5" "6"', '"5", 6', 'w/"5"', '"a b"', '*, "5"', ','])(
    'If-Match %s is no entity tag',
    async (header) => {
      const { patch } = await orderToChange();
      const { status, body } = await patch({ notes: 'a' }, { 'if-match': header });
      expect([status, body.code]).toEqual([400, 'invalid_parameter']);
      expect(body.errors).toEqual([
        { parameter: 'If-Match', code: 'invalid_format', message: expect.stringContaining('ETag') },
      ]);
    },
  );

  test('an invalid If-Match is reported together with the parameters, before the body', async () => {
    const { path, key } = await orderToChange();
    const send = (query: string) => service.patch(path + query, { extra: 1 }, key, { 'if-match': '5' });
    expect((await send('?colour=red')).body.errors.map(({ parameter }: any) => parameter)).toEqual([
      'If-Match',
      'colour',
    ]);
    expect((await send('')).status).toBe(400);
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
