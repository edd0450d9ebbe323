import { describe, expect, test } from 'vitest';
import { addProduct } from '../../../test/catalog.ts';
import { insertOrders } from '../../../test/rows.ts';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { system } from '../../actor.ts';
import { tick } from '../../db/clock/store-clock.ts';
import type { Database, Transaction, TransactionOptions } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { uuid } from '../../db/uuid.ts';
import { HOUR } from '../../time/duration.ts';
import { timelineOf } from '../read/timeline.ts';
import { resumeChanges } from '../write/resume-changes.ts';
import { changeOrderStatus } from './order-statuses.ts';

const service = await startService();
const { db, clock } = service;
const base = '/api/v1/references';

interface Stored {
  id: string;
  status_id: string;
  payment_status_id: string;
  created_at: number;
  updated_at: number;
  seq: number;
}

const ordersOf = (storeId: string) =>
  db.all<Stored>(
    sql`select id, status_id, payment_status_id, created_at, updated_at, seq
        from orders where store_id = ${storeId} order by seq`,
  );
const eventsOf = (storeId: string) =>
  db.all<any>(
    sql`select id, type, order_id, external_id, details, actor_kind, actor_id, created_at
        from events where store_id = ${storeId}`,
  );
const clockOf = (storeId: string) =>
  db.one<{ seq: number; ts: number }>(sql`select seq, ts from store_clocks where store_id = ${storeId}`);

/** A store with a custom order status and a custom payment status. */
async function shopWithStatuses(details: { ownerId?: string } = {}) {
  const shop = await service.shop(details);
  const codes = async (list: string) => {
    const { data } = (await service.get(`${base}/${list}`, shop.key)).body;
    return Object.fromEntries(data.map((status: any) => [status.code, status.id])) as Record<string, string>;
  };
  const create = async (list: string, body: object) =>
    (await service.post(`${base}/${list}`, body, shop.key)).body.data.id as string;
  return {
    ...shop,
    system: { ...(await codes('order-statuses')), ...(await codes('payment-statuses')) } as Record<string, string>,
    own: await create('order-statuses', { group: 'packing', name: 'Ждёт "склада"' }),
    ownPayment: await create('payment-statuses', { name: 'Бонусы', isPaid: true }),
    disable: (list: 'order-statuses' | 'payment-statuses', id: string) =>
      service.patch(`${base}/${list}/${id}`, { isActive: false }, shop.key),
  };
}

describe('disabling an order status', () => {
  test('moves its orders to the main status of the group, each with a new updatedAt and an event', async () => {
    const shop = await shopWithStatuses();
    const { system, own } = shop;
    const mine = { status_id: own, payment_status_id: system.paid as string };
    const others = { status_id: system.new as string, payment_status_id: system.paid as string };
    const before = await insertOrders(db, shop.storeId, [mine, others, { ...mine, external_id: 'x-1' }, mine], 500);
    const reply = await shop.disable('order-statuses', own);
    expect([reply.status, reply.body.data.isActive]).toEqual([200, false]);

    const [b0, b1, b2, b3] = before.map((order) => order.id);
    const after = await ordersOf(shop.storeId);
    const stamped = {
      status_id: system.packing,
      payment_status_id: system.paid,
      created_at: 500,
      updated_at: clock.now,
    };
    expect(after).toEqual([
      { id: b1, ...others, created_at: 500, updated_at: 500, seq: 2 },
      { id: b0, ...stamped, seq: 5 },
      { id: b2, ...stamped, seq: 6 },
      { id: b3, ...stamped, seq: 7 },
    ]);
    expect(await clockOf(shop.storeId)).toEqual({ seq: 7, ts: clock.now });

    const events = await eventsOf(shop.storeId);
    const keyId = (await service.get('/api/v1/credentials', shop.key)).body.data.id;
    const expectedEvent = (id: string | undefined, external_id: string) => ({
      ...{ id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/) },
      ...{ type: 'order.status_changed', order_id: id, external_id, created_at: clock.now },
      ...{ details: JSON.stringify({ from: own, to: system.packing }), actor_kind: 'key', actor_id: keyId },
    });
    expect(events).toHaveLength(3);
    expect(events).toEqual(
      expect.arrayContaining([expectedEvent(b0, ''), expectedEvent(b2, 'x-1'), expectedEvent(b3, '')]),
    );
    expect(new Set(events.map((event) => event.id)).size).toBe(3);
    const time = Number.parseInt(events[0].id.replace('-', '').slice(0, 12), 16);
    expect(time).toBe(clock.now);
  });

  test('changes nothing in another store of the owner', async () => {
    const shop = await shopWithStatuses();
    const other = await shopWithStatuses({ ownerId: shop.ownerId });
    const seed = (of: typeof shop) => ({ status_id: of.own, payment_status_id: of.system.paid as string });
    await insertOrders(db, shop.storeId, [seed(shop)]);
    await insertOrders(db, other.storeId, [seed(other)]);
    const before = await ordersOf(other.storeId);
    await shop.disable('order-statuses', shop.own);
    expect(await ordersOf(other.storeId)).toEqual(before);
    expect(await eventsOf(other.storeId)).toEqual([]);
    expect((await clockOf(other.storeId))?.seq).toBe(1);
  });

  test('without orders takes no change number, renaming takes one; neither moves anything', async () => {
    const shop = await shopWithStatuses();
    await insertOrders(db, shop.storeId, [
      { status_id: shop.system.packing as string, payment_status_id: shop.system.paid as string },
    ]);
    const before = await ordersOf(shop.storeId);
    const path = `${base}/order-statuses/${shop.own}`;
    const send = async (change: object) => expect((await service.patch(path, change, shop.key)).status).toBe(200);
    for (const isActive of [false, false, true]) await send({ isActive });
    expect((await clockOf(shop.storeId))?.seq).toBe(1);
    // Orders show the new name, so responses cached under the previous number are outdated.
    await send({ name: 'Other' });
    expect((await clockOf(shop.storeId))?.seq).toBe(2);
    expect(await ordersOf(shop.storeId)).toEqual(before);
    expect(await eventsOf(shop.storeId)).toEqual([]);
  });

  test('moves nothing if the change is rejected', async () => {
    const shop = await shopWithStatuses();
    await insertOrders(db, shop.storeId, [{ status_id: shop.own, payment_status_id: shop.system.paid as string }]);
    const before = await ordersOf(shop.storeId);
    const change = { name: 'packing', isActive: false };
    const reply = await service.patch(`${base}/order-statuses/${shop.own}`, change, shop.key);
    expect(reply.body.code).toBe('name_taken');
    expect(await ordersOf(shop.storeId)).toEqual(before);
    expect(await eventsOf(shop.storeId)).toEqual([]);
  });

  test('updatedAt does not go back with the system clock', async () => {
    const shop = await shopWithStatuses();
    const later = clock.now + HOUR;
    await insertOrders(db, shop.storeId, [
      { status_id: shop.own, payment_status_id: shop.system.paid as string, updated_at: later },
    ]);
    await shop.disable('order-statuses', shop.own);
    expect((await ordersOf(shop.storeId))[0]).toMatchObject({ updated_at: later, seq: 2 });
  });
});

test('an order that enters the status while it is being disabled moves too', async () => {
  const shop = await shopWithStatuses();
  const [order] = await insertOrders(db, shop.storeId, [
    { status_id: shop.system.new as string, payment_status_id: shop.system.paid as string },
  ]);
  let disabling: ReturnType<typeof shop.disable> | undefined;
  await db.transaction(async (tx) => {
    const { forShare } = tx.dialect;
    await tx.one(sql`select id from order_statuses where store_id = ${shop.storeId} and id = ${shop.own} ${forShare}`);
    disabling ??= shop.disable('order-statuses', shop.own);
    // Enough time for the status to be disabled if it did not wait.
    for (let round = 0; round < 200; round++) await tx.one(sql`select count(*) as count from orders`);
    await tick(tx, shop.storeId, clock.now);
    await tx.run(
      sql`update orders set status_id = ${shop.own}, updated_at = ${clock.now}, seq = 2
          where store_id = ${shop.storeId} and id = ${order?.id}`,
    );
  });
  expect((await disabling)?.status).toBe(200);
  expect(await ordersOf(shop.storeId)).toMatchObject([{ status_id: shop.system.packing, seq: 3 }]);
});

test('many orders that enter and leave the status while it is being disabled: no request fails, none stays in it', async () => {
  const shop = await shopWithStatuses();
  const { system, own, storeId, key } = shop;
  const start = { status_id: own, payment_status_id: system.paid as string };
  const orders = await insertOrders(db, storeId, Array(30).fill(start));
  for (let round = 0; round < 5; round++) {
    const changes = orders.map(({ id }, index) =>
      service.patch(`/api/v1/orders/${id}`, { statusId: index % 3 ? own : system.new }, key),
    );
    const [disabled, ...replies] = await Promise.all([shop.disable('order-statuses', own), ...changes]);
    expect(disabled.status).toBe(200);
    expect(replies.filter(({ status }) => status !== 200 && status !== 422)).toEqual([]);
    expect((await ordersOf(storeId)).filter(({ status_id }) => status_id === own)).toEqual([]);
    await service.patch(`${base}/order-statuses/${own}`, { isActive: true }, key);
    await Promise.all(orders.map(({ id }) => service.patch(`/api/v1/orders/${id}`, { statusId: own }, key)));
  }
});

describe('disabling a payment status', () => {
  test.each(['own', 'partially_paid', 'refunded'])('makes the orders of %s unpaid', async (which) => {
    const shop = await shopWithStatuses();
    const from = which === 'own' ? shop.ownPayment : (shop.system[which] as string);
    const [moved] = await insertOrders(db, shop.storeId, [
      { status_id: shop.own, payment_status_id: from, external_id: 'e' },
      { status_id: shop.own, payment_status_id: shop.system.paid as string },
    ]);
    expect((await shop.disable('payment-statuses', from)).status).toBe(200);
    const after = await ordersOf(shop.storeId);
    expect(after.map(({ status_id, payment_status_id, seq }) => [status_id, payment_status_id, seq])).toEqual([
      [shop.own, shop.system.paid, 2],
      [shop.own, shop.system.unpaid, 3],
    ]);
    const events = await eventsOf(shop.storeId);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ type: 'order.payment_status_changed', order_id: moved?.id, external_id: 'e' });
    expect(JSON.parse(events[0].details)).toEqual({ from, to: shop.system.unpaid });
  });
});

test('2,500 orders whose status and payment status are disabled concurrently: unique change numbers, one event each', async () => {
  const shop = await shopWithStatuses();
  const count = 2500;
  const seeds = Array.from({ length: count }, (_, n) => ({
    status_id: shop.own,
    payment_status_id: n % 2 ? shop.ownPayment : (shop.system.paid as string),
    updated_at: 1_000_000 + Math.floor(n / 3),
  }));
  await insertOrders(db, shop.storeId, seeds);
  const replies = await Promise.all([
    shop.disable('order-statuses', shop.own),
    shop.disable('payment-statuses', shop.ownPayment),
  ]);
  expect(replies.map((reply) => reply.status)).toEqual([200, 200]);
  const after = await ordersOf(shop.storeId);
  expect(after.every((order) => order.status_id === shop.system.packing)).toBe(true);
  expect(after.every((order) => order.payment_status_id !== shop.ownPayment)).toBe(true);
  expect(new Set(after.map((order) => order.seq)).size).toBe(count);
  expect((await clockOf(shop.storeId))?.seq).toBe(count + count + count / 2);
  const events = await eventsOf(shop.storeId);
  const perType = (type: string) => new Set(events.filter((event) => event.type === type).map((e) => e.order_id)).size;
  expect([perType('order.status_changed'), perType('order.payment_status_changed')]).toEqual([count, count / 2]);
  expect(new Set(events.map((event) => event.id)).size).toBe(count + count / 2);
  expect(events).toHaveLength(count + count / 2);
});

test('the JSON of a moved order has its new updatedAt and status', async () => {
  const shop = await shopWithStatuses();
  await addProduct(service, shop.storeId, { sku: 'P' });
  const { id } = (await service.post('/api/v1/orders', { items: [{ sku: 'P', quantity: 1 }] }, shop.key)).body.data;
  await service.patch(`/api/v1/orders/${id}`, { statusId: shop.own }, shop.key);
  clock.now += 5000;
  await shop.disable('order-statuses', shop.own);
  const { data } = (await service.get(`/api/v1/orders/${id}`, shop.key)).body;
  expect(data).toMatchObject({ updatedAt: new Date(clock.now).toISOString(), status: { code: 'packing' } });
});

test('orders that were put into the status in the same millisecond have one delivery for each event, in order', async () => {
  const shop = await shopWithStatuses();
  const { own, system, storeId, key } = shop;
  const hooks = webhooksOf(service);
  const { id: endpointId } = await hooks.endpoint('https://93.184.216.34/', { storeId });
  const start = { status_id: system.new as string, payment_status_id: system.paid as string };
  const orders = await insertOrders(db, storeId, Array(10).fill(start));
  for (const { id } of orders) await service.patch(`/api/v1/orders/${id}`, { statusId: own }, key);
  expect((await shop.disable('order-statuses', own)).status).toBe(200);
  for (const { id } of orders) await service.patch(`/api/v1/orders/${id}`, { status: 'completed' }, key);

  const events = (await eventsOf(storeId)).map(({ id }) => id);
  expect(events).toHaveLength(30);
  expect((await hooks.log(endpointId)).map(({ eventId }) => eventId).sort()).toEqual(events.sort());
  for (const { id } of orders) {
    const timeline = await timelineOf(service.services, storeId, id);
    expect(timeline.map(({ to }) => to?.code)).toEqual(['completed', 'packing', null]);
  }
});

// SQLite has one writer, so very many orders are moved in batches before the change.
describe.runIf(db.dialect.engine === 'sqlite')('a status with more orders than one transaction should move', () => {
  const count = 3000;
  /** The database with a hook at the start of each batch, which is what has a store in its options. */
  const withBatchHook = (before: (tx: Transaction) => Promise<unknown>): Database =>
    Object.assign(Object.create(db), {
      transaction: <Result>(work: (tx: Transaction) => Promise<Result>, options?: TransactionOptions) =>
        db.transaction(async (tx) => {
          if (options?.storeId) await before(tx);
          return work(tx);
        }, options),
    });

  async function fullStatus() {
    const shop = await shopWithStatuses();
    const seed = { status_id: shop.own, payment_status_id: shop.system.paid as string };
    await insertOrders(db, shop.storeId, Array(count).fill(seed));
    const isActive = async () =>
      (await service.get(`${base}/order-statuses`, shop.key)).body.data.find((each: any) => each.id === shop.own)
        .isActive as boolean;
    return { ...shop, isActive };
  }

  test("lets other stores' writes through while they move, and is active until the last has moved", async () => {
    const shop = await fullStatus();
    const other = await shopWithStatuses();
    let isDone = false;
    const disabling = shop.disable('order-statuses', shop.own).finally(() => {
      isDone = true;
    });
    let created = 0;
    while (!isDone) {
      expect((await service.post(`${base}/warehouses`, { name: 'W' }, other.key)).status).toBe(201);
      const left = (await ordersOf(shop.storeId)).filter((order) => order.status_id === shop.own).length;
      if (left && left < count) {
        created++;
        expect(await shop.isActive()).toBe(true);
      }
    }
    expect([(await disabling).status, await shop.isActive()]).toEqual([200, false]);
    expect(created).toBeGreaterThan(0);
    expect(await ordersOf(shop.storeId)).toSatisfy((all: Stored[]) => all.every((o) => o.status_id !== shop.own));
  });

  test('is resumed at the next start if the process dies: each order moves once', async () => {
    const shop = await fullStatus();
    let batches = 0;
    const dying = withBatchHook(async () => {
      if (batches++ === 2) throw new Error('killed');
    });
    const change = { storeId: shop.storeId, id: shop.own, fields: { isActive: false }, actor: system, now: clock.now };
    await expect(changeOrderStatus(dying, change)).rejects.toThrow('killed');
    expect(await shop.isActive()).toBe(true);
    expect((await eventsOf(shop.storeId)).length).toBe(2 * db.dialect.ordersPerBatch);

    await resumeChanges(service.services);
    expect(await shop.isActive()).toBe(false);
    const events = await eventsOf(shop.storeId);
    expect([events.length, new Set(events.map((event) => event.order_id)).size]).toEqual([count, count]);
    expect(await ordersOf(shop.storeId)).toSatisfy((all: Stored[]) => all.every((o) => o.status_id !== shop.own));
    expect(await db.all(sql`select id from unfinished_changes`)).toEqual([]);
  });

  test('is not resumed if the last step was rejected because the name was taken', async () => {
    const shop = await fullStatus();
    const { storeId, own: id } = shop;
    const slow = withBatchHook((tx) =>
      tx.run(
        sql`insert into order_statuses (store_id, id, name, name_key, status_group, sort_order)
            values (${storeId}, ${uuid(clock.now)}, 'Gone', 'gone', 'packing', 9) on conflict do nothing`,
      ),
    );
    const fields = { name: 'Gone', isActive: false };
    const changing = changeOrderStatus(slow, { storeId, id, fields, actor: system, now: clock.now });
    await expect(changing).rejects.toMatchObject({ code: 'name_taken' });
    expect(await shop.isActive()).toBe(true);
    expect(await db.all(sql`select id from unfinished_changes`)).toEqual([]);
  });

  test('a system status is rejected before anything moves', async () => {
    const shop = await shopWithStatuses();
    const seed = { status_id: shop.system.new as string, payment_status_id: shop.system.paid as string };
    await insertOrders(db, shop.storeId, Array(count).fill(seed));
    expect((await shop.disable('order-statuses', shop.system.new as string)).status).toBe(409);
    expect(await eventsOf(shop.storeId)).toEqual([]);
  });
});
