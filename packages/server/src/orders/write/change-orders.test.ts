import { beforeEach, expect, test } from 'vitest';
import { insertOrders } from '../../../test/rows.ts';
import { startService } from '../../../test/service.ts';
import { signedInOwner } from '../../../test/signed-in-owner.ts';
import { sql } from '../../db/sql.ts';

const service = await startService();
const { db } = service;

async function shopWith(count: number) {
  const shop = await signedInOwner(service);
  const { statuses, paymentStatuses } = (await shop.visitor.get(`${shop.path}/orders/choices`)).body;
  const idOf = (code: string) => [...statuses, ...paymentStatuses].find((status: any) => status.code === code).id;
  const rows = await insertOrders(
    db,
    shop.storeId,
    Array.from({ length: count }, () => ({ status_id: idOf('new'), payment_status_id: idOf('unpaid') })),
  );
  const orders = rows.map(({ id, seq }) => ({ id, etag: `"${seq}"` }));
  const bulk = (change: object, chosen: readonly object[] = orders) =>
    shop.visitor.post(`${shop.path}/orders/bulk`, { change, orders: chosen });
  const timeline = async (id: string) =>
    (await shop.visitor.get(`${shop.path}/orders/${id}`)).body.timeline.map(({ type }: any) => type);
  const events = async () => (await db.all(sql`select id from events where store_id = ${shop.storeId}`)).length;
  return { ...shop, idOf, orders, bulk, timeline, events };
}
type Shop = Awaited<ReturnType<typeof shopWith>>;

const outcomes = ({ body }: { body: any }) => body.results.map(({ outcome }: any) => outcome);

let shop: Shop;
beforeEach(async () => {
  shop = await shopWith(5);
});

test('each order gets the status, an event and an entry of its timeline; a repetition changes nothing', async () => {
  const { bulk, idOf, orders, timeline, events } = shop;
  const first = await bulk({ statusId: idOf('packing').toUpperCase() });
  expect(first.status).toBe(200);
  expect(first.body.results.map(({ id }: any) => id)).toEqual(orders.map(({ id }) => id));
  expect(outcomes(first)).toEqual(Array(5).fill('changed'));
  for (const { id } of orders) expect(await timeline(id)).toEqual(['order.status_changed']);
  // The response was lost, and the same versions are sent again.
  expect(outcomes(await bulk({ statusId: idOf('packing') }))).toEqual(Array(5).fill('unchanged'));
  expect(await events()).toBe(5);
  const { data } = (await shop.visitor.get(`${shop.path}/orders`)).body;
  const paid = { paymentStatusId: idOf('paid'), statusId: idOf('packing') };
  expect(
    outcomes(
      await bulk(
        paid,
        data.map(({ id, etag }: any) => ({ id, etag })),
      ),
    ),
  ).toEqual(Array(5).fill('changed'));
  expect(await timeline(data[0].id)).toEqual(['order.payment_status_changed', 'order.status_changed']);
});

test('an order that someone else changed is left alone', async () => {
  const { bulk, idOf, orders, visitor, path, events } = shop;
  await visitor.patch(`${path}/orders/${orders[1]?.id}`, { notes: 'Call first' });
  await visitor.patch(`${path}/orders/${orders[2]?.id}`, { status: 'packing' });
  const before = await events();
  const twice = [...orders, orders[0] as object];
  expect(outcomes(await bulk({ statusId: idOf('packing') }, twice))).toEqual([
    ...['changed', 'conflict', 'unchanged', 'changed', 'changed', 'unchanged'],
  ]);
  expect((await events()) - before).toBe(3);
  expect((await visitor.get(`${path}/orders/${orders[1]?.id}`)).body.order.status.code).toBe('new');
});

test('orders and statuses of another store are unknown', async () => {
  const other = await shopWith(3);
  expect(outcomes(await shop.bulk({ statusId: shop.idOf('packing') }, other.orders))).toEqual(
    Array(3).fill('not_found'),
  );
  expect(await other.events()).toBe(0);
  const foreign = await shop.bulk({ statusId: other.idOf('packing') });
  expect([foreign.status, foreign.body.code, foreign.body.errors[0].code]).toEqual([422, 'invalid_body', 'not_found']);
  expect((await other.visitor.post(`${shop.path}/orders/bulk`, { change: {}, orders: [] })).status).toBe(404);
  expect(await shop.events()).toBe(0);
});

test('a disabled status, an empty change and too many orders are rejected', async () => {
  const { bulk, idOf, orders, visitor, path } = shop;
  const own = (await visitor.post(`${path}/order-statuses`, { group: 'packing', name: 'Wrapping' })).body;
  await visitor.patch(`${path}/order-statuses/${own.id}`, { isActive: false });
  const disabled = await bulk({ statusId: own.id });
  expect([disabled.status, disabled.body.errors]).toMatchObject([422, [{ pointer: '/statusId', code: 'inactive' }]]);
  const statusId = idOf('packing');
  for (const [change, chosen] of [
    [{}, orders],
    [{ statusId }, []],
    [{ statusId }, Array(501).fill(orders[0])],
    [{ statusId }, [{ id: orders[0]?.id }]],
    [{ statusId, notes: 'x' }, orders],
  ] as [object, object[]][])
    expect((await bulk(change, chosen)).status).toBe(422);
  expect(await shop.events()).toBe(0);
});

test('another store is served while one changes its most', async () => {
  const [large, other] = [await shopWith(500), await shopWith(1)];
  let isDone = false;
  const changing = large.bulk({ statusId: large.idOf('packing') }).finally(() => {
    isDone = true;
  });
  const status = (code: string) => other.visitor.patch(`${other.path}/orders/${other.orders[0]?.id}`, { status: code });
  const served: number[] = [];
  for (const code of ['packing', 'delivering', 'completed']) served.push((await status(code)).status);
  expect([served, isDone]).toEqual([[200, 200, 200], false]);
  expect(outcomes(await changing)).toEqual(Array(500).fill('changed'));
  expect(await large.events()).toBe(500);
});
