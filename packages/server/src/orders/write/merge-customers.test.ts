import { sortOrders } from '@store-sales/contract';
import { describe, expect, test } from 'vitest';
import { addProduct } from '../../../test/catalog.ts';
import { planOf } from '../../../test/plan.ts';
import { insertCustomers, insertOrders } from '../../../test/rows.ts';
import { startService } from '../../../test/service.ts';
import { signedInOwner } from '../../../test/signed-in-owner.ts';
import { table } from '../../../test/tables.ts';
import { system } from '../../actor.ts';
import { customerTable, importCustomers } from '../../customers/import-customers.ts';
import type { Database, Transaction, TransactionOptions } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { oldestOrders } from './merge-customers.queries.ts';
import { mergeCustomers } from './merge-customers.ts';
import { resumeChanges } from './resume-changes.ts';

const service = await startService();
const { db, clock } = service;

async function shop() {
  const owner = await signedInOwner(service);
  const key = await service.key(owner.storeId);
  await addProduct(service, owner.storeId, { sku: 'TEA', price: 500 });
  const order = async (customer: object, notes = '') =>
    (await service.post('/api/v1/orders', { customer, notes, items: [{ sku: 'TEA', quantity: 1 }] }, key)).body.data;
  const merge = (keptId: string, otherId: string) =>
    owner.visitor.post(`${owner.path}/customers/${keptId}/merge`, { otherId });
  const salesOf = async (id: string) => (await owner.visitor.get(`${owner.path}/customers/${id}/sales`)).body;
  return { ...owner, key, order, merge, salesOf };
}

test('orders move, missing fields are filled in, and the other customer is listed no more', async () => {
  const { storeId, visitor, path, key, order, merge, salesOf } = await shop();
  const kept = (await visitor.post(`${path}/customers`, { name: 'Anna', phone: '+7 916 000-00-01' })).body;
  const untouched = await order({ phone: kept.phone });
  const trap = `"customer":{"id":"${kept.id}"`;
  const first = await order({ name: 'Anna K', email: 'a@example.com', phone: '+7 999 000-00-02' }, trap);
  const second = await order({ email: 'a@example.com' });
  const otherId = first.customer.id;
  expect(second.customer.id).toBe(otherId);
  await visitor.patch(`${path}/customers/${otherId}`, { externalId: 'crm-7' });
  await service.patch(`/api/v1/orders/${second.id}`, { status: 'cancelled' }, key);

  const before = clock.now;
  clock.now += 60_000;
  const merged = await merge(kept.id, otherId);
  expect(merged.status).toBe(200);
  const { phone, name } = kept;
  expect(merged.body).toMatchObject({ id: kept.id, name, phone, email: 'a@example.com', externalId: 'crm-7' });
  expect(Date.parse(merged.body.updatedAt)).toBe(clock.now);
  expect(merged.body.mergedIntoId).toBeNull();
  expect((await service.get('/api/v1/customers', key)).body.data).toEqual([merged.body]);
  expect((await visitor.get(`${path}/customers`)).body.data).toEqual([merged.body]);

  // Synchronization finds the moved orders, oldest first, and only them.
  const since = new Date(before + 1).toISOString();
  const list = `/api/v1/orders?order=updatedAt:asc&filter[updatedAt][from]=${since}`;
  const { data } = (await service.get(list, key)).body;
  expect(data.map(({ id }: any) => id)).toEqual([first.id, second.id]);
  for (const moved of data) expect(moved.customer.id).toBe(kept.id);
  expect(data[0]).toMatchObject({ notes: trap, customer: { name: 'Anna K', phone: '+7 999 000-00-02' } });
  expect((await service.get(`/api/v1/orders/${untouched.id}`, key)).body.data).toEqual(untouched);
  expect(await salesOf(kept.id)).toEqual({ orders: 3, sales: 2, revenue: 1000, isPartial: false });
  const [entry] = (await visitor.get(`${path}/history?kind=customers`)).body.entries;
  expect(entry).toMatchObject({ action: 'merged', subject: { id: kept.id, name }, details: { merged: 'Anna K' } });
  const left = await db.all(sql`select 1 from orders where store_id = ${storeId} and customer_id = ${otherId}`);
  expect(left).toEqual([]);
});

describe('a merged customer', () => {
  async function mergedPair() {
    const mine = await shop();
    const { visitor, path } = mine;
    const create = async (body: object) => (await visitor.post(`${path}/customers`, body)).body;
    const kept = await create({ name: 'Kept', phone: '+7 916 000-00-01', externalId: 'crm-1' });
    const other = await create({
      name: 'Other',
      phone: '+7 999 000-00-02',
      email: 'other@example.com',
      externalId: 'crm-2',
    });
    clock.now += 60_000;
    await mine.merge(kept.id, other.id);
    return { ...mine, create, kept, other };
  }

  test('is read with the customer that it was merged into', async () => {
    const { key, visitor, path, kept, other, salesOf } = await mergedPair();
    const { status, body } = await service.get(`/api/v1/customers/${other.id}`, key);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...other,
      externalId: '',
      updatedAt: new Date(clock.now).toISOString(),
      mergedIntoId: kept.id,
    });
    expect((await visitor.get(`${path}/customers/${other.id}`)).body).toEqual(body.data);
    expect((await salesOf(other.id)).orders).toBe(0);
    expect((await visitor.get(`${path}/customers/${other.id}/orders`)).body.data).toEqual([]);
  });

  test('is listed only with=merged, in each sort order', async () => {
    const { key, kept, other } = await mergedPair();
    const ids = async (query: string) =>
      (await service.get(`/api/v1/customers?${query}`, key)).body.data.map(({ id }: any) => id);
    for (const order of sortOrders) {
      expect(await ids(`order=${order}`)).toEqual([kept.id]);
      const all = order.endsWith('asc') ? [kept.id, other.id] : [other.id, kept.id];
      // Both have the time of the merge; the kept customer got an e-mail after the other was marked.
      const byUpdate = [...all].reverse();
      expect(await ids(`order=${order}&with=merged`)).toEqual(order.startsWith('updatedAt') ? byUpdate : all);
    }
    const { status, body } = await service.get('/api/v1/customers?with=all', key);
    expect([status, body.code, body.errors[0].parameter]).toEqual([400, 'invalid_parameter', 'with']);
    const { data } = (await service.get('/api/v1/customers?with=merged', key)).body;
    for (const customer of data)
      expect((await service.get(`/api/v1/customers/${customer.id}`, key)).body.data).toEqual(customer);
  });

  test('is found by synchronization with=merged', async () => {
    const { key, kept, create, merge } = await mergedPair();
    const since = async (cursor?: string) => {
      const query = `order=updatedAt:asc&with=merged${cursor ? `&cursor=${cursor}` : ''}`;
      const { data, page } = (await service.get(`/api/v1/customers?${query}`, key)).body;
      return { found: data.map(({ id, mergedIntoId }: any) => [id, mergedIntoId]), cursor: page.syncCursor };
    };
    const { cursor } = await since();
    const third = await create({ name: 'Third' });
    const created = await since(cursor);
    expect(created.found).toEqual([[third.id, null]]);
    expect((await since(created.cursor)).found).toEqual([]);
    await merge(kept.id, third.id);
    expect((await since(created.cursor)).found).toEqual([[third.id, kept.id]]);
  });

  test('is found by nothing else, and its phone, e-mail and external id are free', async () => {
    const { key, kept, other, order, create, visitor, path, merge, storeId } = await mergedPair();
    const list = async (query: string) =>
      (await service.get(`/api/v1/customers?${query}`, key)).body.data.map(({ id }: any) => id);
    for (const filter of ['filter[phone]=79990000002', 'filter[externalId]=crm-2'])
      expect(await list(`${filter}&with=merged`)).toEqual([]);
    expect(await list('filter[email]=other@example.com&with=merged')).toEqual([kept.id]);
    for (const q of ['other', '9990000002', 'crm-2']) {
      const found = (await visitor.get(`${path}/customers?q=${q}`)).body.data;
      expect(found.map(({ id }: any) => id)).toEqual(q === 'other' ? [kept.id] : []);
    }
    // By the e-mail the kept customer, by the phone a new one.
    expect((await order({ email: 'other@example.com' })).customer.id).toBe(kept.id);
    const created = (await order({ phone: '8 999 000 00 02' })).customer.id;
    expect([kept.id, other.id]).not.toContain(created);
    const imported = await importCustomers(db, storeId, table(customerTable, 'externalId,name', 'crm-2,New'), {
      now: () => clock.now,
    });
    expect(imported).toMatchObject({ created: 1, updated: 0 });

    // It can be neither changed nor merged again; a phone that only it had can be given to another.
    expect((await visitor.patch(`${path}/customers/${other.id}`, { name: 'X' })).status).toBe(404);
    expect((await merge(kept.id, other.id)).status).toBe(404);
    expect((await merge(other.id, kept.id)).status).toBe(404);
    expect((await create({ phone: '+7 999 000-00-02' })).code).toBe('invalid_body');
    const renamed = await visitor.patch(`${path}/customers/${kept.id}`, { phone: '+7 999 000-00-03' });
    expect(renamed.status).toBe(200);
  });

  test('leads through a chain to the last one', async () => {
    const { key, kept, other, create, merge, order } = await mergedPair();
    const { id } = await order({ email: 'other@example.com' });
    const last = await create({ name: 'Last', phone: '+7 916 000-00-09' });
    expect((await merge(last.id, kept.id)).status).toBe(200);
    const intoOf = async (id: string) => (await service.get(`/api/v1/customers/${id}`, key)).body.data.mergedIntoId;
    expect(await intoOf(other.id)).toBe(kept.id);
    expect(await intoOf(kept.id)).toBe(last.id);
    expect(await intoOf(last.id)).toBeNull();
    expect((await service.get(`/api/v1/orders/${id}`, key)).body.data.customer.id).toBe(last.id);
    expect((await service.get('/api/v1/customers', key)).body.data).toHaveLength(1);
    expect((await service.get('/api/v1/customers?with=merged', key)).body.data).toHaveLength(3);
  });
});

test('a customer is not merged with itself, an unknown one, or one of another store', async () => {
  const [mine, theirs] = [await shop(), await shop()];
  const [{ customer: a }, { customer: b }] = [await mine.order({ phone: '1' }), await theirs.order({ phone: '2' })];
  expect((await mine.merge(a.id, a.id)).body.errors[0]).toMatchObject({ pointer: '/otherId', code: 'not_allowed' });
  expect((await mine.merge(a.id, b.id)).status).toBe(404);
  expect((await mine.merge(b.id, a.id)).status).toBe(404);
  expect((await theirs.visitor.post(`${mine.path}/customers/${a.id}/merge`, { otherId: b.id })).status).toBe(404);
  expect((await theirs.salesOf(b.id)).orders).toBe(1);
});

test('orders that come in during a merge are not lost, and both directions at once leave one customer', async () => {
  const { key, order, merge, visitor, path, salesOf } = await shop();
  const { id: kept } = (await visitor.post(`${path}/customers`, { name: 'Kept' })).body;
  const { customer } = await order({ phone: '+7 916 000-00-01' });
  const orders = Array.from({ length: 20 }, () => order({ phone: '+7 916 000-00-01' }));
  const results = await Promise.all([merge(kept, customer.id), ...orders]);
  expect(results[0]?.status).toBe(200);
  for (const each of results.slice(1)) expect(each).toHaveProperty('id');
  expect((await salesOf(kept)).orders).toBe(21);

  const { customer: other } = await order({ phone: '5' });
  const both = await Promise.all([merge(kept, other.id), merge(other.id, kept)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
  expect((await service.get('/api/v1/customers', key)).body.data).toHaveLength(1);
});

describe('a customer with many orders', () => {
  const count = 1200;

  async function pair() {
    const mine = await shop();
    const statuses = await db.all<{ id: string }>(
      sql`select id from order_statuses where store_id = ${mine.storeId} and code = 'new'
          union all select id from payment_statuses where store_id = ${mine.storeId} and code = 'paid'`,
    );
    const [status, paid] = statuses.map(({ id }) => id) as [string, string];
    await insertOrders(db, mine.storeId, Array(count).fill({ status_id: status, payment_status_id: paid }));
    const [kept, merged] = await insertCustomers(db, mine.storeId, [{ name: 'Kept' }, { name: 'Merged' }]);
    await db.run(sql`update orders set customer_id = ${merged?.id},
        document = replace(document, '"customer":{"id":null', ${`"customer":{"id":"${merged?.id}"`})
      where store_id = ${mine.storeId}`);
    return { ...mine, keptId: kept?.id as string, mergedId: merged?.id as string };
  }

  const customersOf = async (storeId: string) =>
    Object.fromEntries(
      (
        await db.all<{ customer_id: string; count: number }>(
          sql`select customer_id, count(*) as count from orders where store_id = ${storeId} group by customer_id`,
        )
      ).map((row) => [row.customer_id, row.count]),
    );

  test('is merged in several transactions, each order with its own change number', async () => {
    const { storeId, keptId, mergedId, merge } = await pair();
    expect((await merge(keptId, mergedId)).status).toBe(200);
    expect(await customersOf(storeId)).toEqual({ [keptId]: count });
    const stale = await db.all(
      sql`select id from orders where store_id = ${storeId}
          and (document not like ${`%"customer":{"id":"${keptId}"%`} or updated_at <> ${clock.now})`,
    );
    expect(stale).toEqual([]);
    const numbers = await db.one<{ count: number }>(
      sql`select count(distinct seq) as count from orders where store_id = ${storeId}`,
    );
    expect(numbers?.count).toBe(count);
  });

  test('is read by the index of customers, also where the statistics say that all orders are theirs', async () => {
    const { storeId, keptId, mergedId } = await pair();
    if (db.dialect.engine === 'postgres') await db.run(sql`analyze orders`);
    const plan = await planOf(db, oldestOrders({ storeId, keptId, mergedId }, sql`id`, 500), {
      without: ['seqscan', 'bitmapscan', 'sort'],
    });
    expect(plan).toMatch(/orders_customer/);
  });

  test('is resumed at the next start if the process dies', async () => {
    const { storeId, keptId, mergedId } = await pair();
    let batches = 0;
    const dying: Database = Object.assign(Object.create(db), {
      run: () => Promise.reject(new Error('killed')),
      transaction: <Result>(work: (tx: Transaction) => Promise<Result>, options?: TransactionOptions) =>
        batches++ === 1 ? Promise.reject(new Error('killed')) : db.transaction(work, options),
    });
    const merge = { storeId, keptId, mergedId, actor: system, now: clock.now };
    await expect(mergeCustomers(dying, merge)).rejects.toThrow('killed');
    const moved = db.dialect.ordersPerBatch;
    expect(await customersOf(storeId)).toEqual({ [keptId]: moved, [mergedId]: count - moved });
    await resumeChanges(service.services);
    expect(await customersOf(storeId)).toEqual({ [keptId]: count });
    const merged = await db.one(
      sql`select merged_into_id from customers where store_id = ${storeId} and id = ${mergedId}`,
    );
    expect(merged).toEqual({ merged_into_id: keptId });
    expect(await db.all(sql`select id from unfinished_changes`)).toEqual([]);
    // Nothing is left to resume.
    await resumeChanges(service.services);
  });
});
