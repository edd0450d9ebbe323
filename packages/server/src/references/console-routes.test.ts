import { describe, expect, test } from 'vitest';
import { insertOrders } from '../../test/rows.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { sql } from '../db/sql.ts';
import { COUNT_LIMIT } from '../orders/statuses/move-orders.ts';

const service = await startService();

const named = (list: any[], name: string) => list.find((each) => each.name === name);
const names = (list: any[]) => list.map(({ name }) => name);

describe('order statuses', () => {
  test('are created in a group, renamed, disabled and enabled', async () => {
    const { visitor, path } = await signedInOwner(service);
    const created = await visitor.post(`${path}/order-statuses`, { group: 'packing', name: ' Упаковка ' });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      code: null,
      name: 'Упаковка',
      group: 'packing',
      isActive: true,
      sortOrder: 1,
    });
    const taken = await visitor.post(`${path}/order-statuses`, { group: 'packing', name: 'УПАКОВКА' });
    expect([taken.status, taken.body.code]).toEqual([409, 'name_taken']);

    const one = `${path}/order-statuses/${created.body.id}`;
    expect((await visitor.patch(one, { name: 'Wrapping' })).body.name).toBe('Wrapping');
    expect((await visitor.patch(one, { isActive: false })).body.isActive).toBe(false);
    const list = (await visitor.get(`${path}/order-statuses`)).body;
    expect(names(list)).toEqual(['New', 'Packing', 'Wrapping', 'Delivering', 'Completed', 'Cancelled', 'Returned']);
    expect(named(list, 'Wrapping').isActive).toBe(false);
    expect((await visitor.patch(one, { isActive: true })).body.isActive).toBe(true);

    const system = await visitor.patch(`${path}/order-statuses/${named(list, 'New').id}`, { name: 'Fresh' });
    expect([system.status, system.body.code]).toEqual([409, 'system_record']);
  });

  test('are sorted within their group; the list must contain all of them', async () => {
    const { visitor, path } = await signedInOwner(service);
    for (const name of ['A', 'B']) await visitor.post(`${path}/order-statuses`, { group: 'new', name });
    const list = (await visitor.get(`${path}/order-statuses`)).body;
    const [system, a, b] = ['New', 'A', 'B'].map((name) => named(list, name).id);
    const arranged = await visitor.put(`${path}/order-statuses`, { group: 'new', ids: [b, system, a.toUpperCase()] });
    expect(arranged.status).toBe(200);
    expect(names(arranged.body).slice(0, 4)).toEqual(['B', 'New', 'A', 'Packing']);
    expect((await visitor.get(`${path}/order-statuses`)).body).toEqual(arranged.body);

    const packing = named(list, 'Packing').id;
    for (const ids of [
      [b, a],
      [b, a, a],
      [b, a, packing],
      [b, a, system, packing],
    ]) {
      const rejected = await visitor.put(`${path}/order-statuses`, { group: 'new', ids });
      expect([rejected.status, rejected.body.errors[0].pointer]).toEqual([422, '/ids']);
    }
    expect((await visitor.get(`${path}/order-statuses`)).body).toEqual(arranged.body);
    await visitor.post(`${path}/order-statuses`, { group: 'new', name: 'Last' });
    expect(names((await visitor.get(`${path}/order-statuses`)).body).slice(0, 4)).toEqual(['B', 'New', 'A', 'Last']);
  });

  test('before one is disabled, the number of orders and their new status are shown; then they move', async () => {
    const { owner, storeId, visitor, path } = await signedInOwner(service);
    const { body: own } = await visitor.post(`${path}/order-statuses`, { group: 'packing', name: 'Own' });
    const statuses = (await visitor.get(`${path}/order-statuses`)).body;
    const payments = (await visitor.get(`${path}/payment-statuses`)).body;
    const main = named(statuses, 'Packing');
    const seed = { status_id: own.id, payment_status_id: payments[0].id };
    await insertOrders(service.db, storeId, [seed, seed, { ...seed, status_id: main.id }]);
    const one = `${path}/order-statuses/${own.id}`;
    expect((await visitor.get(`${one}/orders`)).body).toEqual({
      count: 2,
      isMore: false,
      to: { id: main.id, code: 'packing', name: 'Packing' },
    });
    expect((await visitor.patch(one, { isActive: false })).status).toBe(200);
    expect((await visitor.get(`${one}/orders`)).body.count).toBe(0);
    expect((await visitor.get(`${path}/order-statuses/${main.id}/orders`)).body.count).toBe(3);
    const events = await service.db.all(
      sql`select distinct actor_kind, actor_id from events where store_id = ${storeId} and type = 'order.status_changed'`,
    );
    expect(events).toEqual([{ actor_kind: 'owner', actor_id: owner.id }]);
  });

  test('the count stops at its limit', async () => {
    const { storeId, visitor, path } = await signedInOwner(service);
    const [status] = (await visitor.get(`${path}/order-statuses`)).body;
    const [payment] = (await visitor.get(`${path}/payment-statuses`)).body;
    const seed = { status_id: status.id, payment_status_id: payment.id };
    await insertOrders(
      service.db,
      storeId,
      Array.from({ length: COUNT_LIMIT + 1 }, () => seed),
    );
    const { body } = await visitor.get(`${path}/order-statuses/${status.id}/orders`);
    expect([body.count, body.isMore]).toEqual([COUNT_LIMIT, true]);
    const unpaid = await visitor.get(`${path}/payment-statuses/${payment.id}/orders`);
    expect(unpaid.body).toEqual({
      count: COUNT_LIMIT,
      isMore: true,
      to: { id: payment.id, code: 'unpaid', name: 'Unpaid' },
    });
  });
});

test('payment statuses: created with a colour, edited, sorted, disabled after a count', async () => {
  const { storeId, visitor, path } = await signedInOwner(service);
  const base = `${path}/payment-statuses`;
  const created = await visitor.post(base, { name: 'Deposit', color: '#0EA5E9' });
  expect([created.status, created.body.color, created.body.isPaid]).toEqual([201, '#0EA5E9', false]);
  const one = `${base}/${created.body.id}`;
  const changed = await visitor.patch(one, { name: 'Prepaid', isPaid: true, color: '#112233' });
  expect(changed.body).toMatchObject({ name: 'Prepaid', isPaid: true, color: '#112233' });
  expect((await visitor.post(base, { name: 'x', color: 'blue' })).status).toBe(422);

  const list = (await visitor.get(base)).body;
  const ids = list.map(({ id }: any) => id).reverse();
  expect((await visitor.put(base, { ids })).body.map(({ id }: any) => id)).toEqual(ids);
  expect((await visitor.put(base, { ids: ids.slice(1) })).status).toBe(422);

  const [status] = (await visitor.get(`${path}/order-statuses`)).body;
  await insertOrders(service.db, storeId, [{ status_id: status.id, payment_status_id: created.body.id }]);
  const unpaid = named(list, 'Unpaid');
  expect((await visitor.get(`${one}/orders`)).body).toEqual({
    count: 1,
    isMore: false,
    to: { id: unpaid.id, code: 'unpaid', name: 'Unpaid' },
  });
  expect((await visitor.patch(one, { isActive: false })).body.isActive).toBe(false);
  expect((await visitor.get(`${base}/${unpaid.id}/orders`)).body.count).toBe(1);
  const paid = await visitor.patch(`${base}/${named(list, 'Paid').id}`, { isActive: false });
  expect([paid.status, paid.body.code]).toEqual([409, 'system_record']);
});

describe('delivery types', () => {
  test('are created for all stores of the owner and enabled in this one', async () => {
    const { owner, visitor, path } = await signedInOwner(service);
    const other = await service.store({ ownerId: owner.id });
    const created = await visitor.post(`${path}/delivery-types`, { name: ' Курьер ночью ', kind: 'courier' });
    expect(created.status).toBe(201);
    const type = {
      id: expect.any(String),
      code: 'kurer-nochyu',
      name: 'Курьер ночью',
      kind: 'courier',
      provider: null,
      trackingUrlTemplate: '',
    };
    expect(created.body).toEqual({ ...type, isActive: true, etag: expect.any(String) });
    const again = await visitor.post(`${path}/delivery-types`, { name: 'Курьер ночью', kind: 'courier' });
    expect(again.body.code).toBe('kurer-nochyu-2');
    const sent = await visitor.post(`${path}/delivery-types`, { name: 'X', code: 'pickup', kind: 'pickup' });
    expect([sent.status, sent.body.code]).toEqual([409, 'code_taken']);
    expect((await visitor.post(`${path}/delivery-types`, { name: 'X' })).status).toBe(422);

    const there = (await visitor.get(`/stores/${other.id}/delivery-types`)).body;
    expect(there.find(({ id }: any) => id === created.body.id)).toEqual({ ...created.body, isActive: false });
    const key = await service.key(other.id);
    const enabled = async () =>
      (await service.get('/api/v1/references/delivery-types', key)).body.data.map((t: any) => t.id);
    expect(await enabled()).not.toContain(created.body.id);
    await visitor.patch(`/stores/${other.id}/delivery-types/${created.body.id}`, { isActive: true });
    expect(await enabled()).toContain(created.body.id);
  });

  test('10 concurrent requests with one name get 10 codes; with one code, one succeeds', async () => {
    const { visitor, path } = await signedInOwner(service);
    const post = (body: object) => visitor.post(`${path}/delivery-types`, { kind: 'pickup', ...body });
    const derived = await Promise.all(Array.from({ length: 10 }, () => post({ name: 'Point' })));
    expect(new Set(derived.map(({ body }) => body.code)).size).toBe(10);
    const sent = await Promise.all(Array.from({ length: 10 }, () => post({ name: 'Point', code: 'same' })));
    expect(sent.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });

  test('change; the kind is locked where there is a provider; a disabled one stays in the list', async () => {
    const { visitor, path } = await signedInOwner(service);
    const carrier = named((await visitor.get(`${path}/delivery-types`)).body, 'CDEK');
    const one = `${path}/delivery-types/${carrier.id}`;
    expect((await visitor.patch(one, { kind: 'pickup' })).body.code).toBe('integration_locked');
    const off = await visitor.patch(one, { name: 'СДЭК', code: 'sdek', isActive: false });
    const etag = expect.any(String);
    expect(off.body).toEqual({ ...carrier, name: 'СДЭК', code: 'sdek', isActive: false, etag });
    expect((await visitor.get(`${path}/delivery-types`)).body).toContainEqual(off.body);
  });
});

test('payment types are created for all stores, and enabled or disabled in one', async () => {
  const { owner, visitor, path } = await signedInOwner(service);
  const other = await service.store({ ownerId: owner.id });
  const created = await visitor.post(`${path}/payment-types`, { name: 'Invoice', description: 'To firms' });
  expect([created.status, created.body.code]).toEqual([201, 'invoice']);
  const off = await visitor.patch(`${path}/payment-types/${created.body.id}`, { isActive: false });
  expect(off.body).toEqual({ ...created.body, isActive: false });
  expect((await visitor.get(`${path}/payment-types`)).body).toContainEqual(off.body);
  expect((await visitor.get(`/stores/${other.id}/payment-types`)).body).toContainEqual(created.body);
  const enabled = await service.get('/api/v1/references/payment-types', await service.key(path.slice(8)));
  expect(names(enabled.body.data).sort()).toEqual(['Card', 'Cash']);
  const late = await service.db.run(
    sql`delete from store_payment_types where store_id = ${other.id} and payment_type_id = ${created.body.id}`,
  );
  expect(late).toBe(1);
  const on = await visitor.patch(`/stores/${other.id}/payment-types/${created.body.id}`, { isActive: true });
  expect(on.body.isActive).toBe(true);
  expect((await visitor.get(`/stores/${other.id}/payment-types`)).body).toContainEqual(created.body);
});

test('warehouses are created, edited, disabled and enabled; the code does not change', async () => {
  const { visitor, path } = await signedInOwner(service);
  const created = await visitor.post(`${path}/warehouses`, { name: 'Склад Москва', city: 'Москва' });
  expect(created.body).toMatchObject({ code: 'sklad-moskva', city: 'Москва', address: '', isActive: true });
  const one = `${path}/warehouses/${created.body.id}`;
  const changed = await visitor.patch(one, { name: ' Tula ', address: 'Lenina 1', city: '' });
  expect(changed.body).toEqual({
    ...created.body,
    name: 'Tula',
    address: 'Lenina 1',
    city: '',
    etag: expect.any(String),
  });
  expect((await visitor.patch(one, { isActive: false })).body.isActive).toBe(false);
  for (const wrong of [{}, { name: ' ' }, { code: 'x' }, { city: 'x'.repeat(201) }])
    expect((await visitor.patch(one, wrong)).status).toBe(422);
  expect((await visitor.get(`${path}/warehouses`)).body).toEqual([{ ...changed.body, isActive: false }]);
});
