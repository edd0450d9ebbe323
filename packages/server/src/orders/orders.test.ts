import { describe, expect, test } from 'vitest';
import { orderFixtures } from '../../test/orders.ts';
import { startService } from '../../test/service.ts';
import { sql } from '../db/sql.ts';

const service = await startService();
const { db } = service;
const { shop } = orderFixtures(service);

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
