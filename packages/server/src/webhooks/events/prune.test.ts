import { expect, test } from 'vitest';
import { maintain } from '../../../test/maintain.ts';
import { orderFixtures } from '../../../test/orders.ts';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { sql } from '../../db/sql.ts';
import { DAY } from '../../time/duration.ts';
import { pruneEventsOf } from './prune.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true', EVENT_DAYS: '40' } });
const { clock, db, services } = service;
const hooks = webhooksOf(service);
const { shop } = orderFixtures(service);

const eventsOf = async (storeId: string) =>
  (await db.all<{ type: string }>(sql`select type from events where store_id = ${storeId} order by id`)).map(
    ({ type }) => type,
  );

test('events are deleted after EVENT_DAYS, edits included, in the stores that have some', async () => {
  const [a, b] = [await shop(), await shop()];
  const create = async ({ key }: { key: string }) =>
    (await service.post('/api/v1/orders', { items: [{ sku: 'TEA-1', quantity: 1 }] }, key)).body.data.id;
  const first = await create(a);
  await service.patch(`/api/v1/orders/${first}`, { notes: 'by noon' }, a.key);
  await create(a);
  clock.now += 1000;
  const second = await create(a);
  await create(b);
  clock.now += 40 * DAY - 1000;
  await maintain(services);
  expect(await eventsOf(a.storeId)).toEqual(['order.created', 'order.edited', 'order.created', 'order.created']);
  clock.now += 1;
  await maintain(services);
  expect(await eventsOf(a.storeId)).toEqual(['order.created']);
  expect(await eventsOf(b.storeId)).toEqual(['order.created']);
  const { body } = await service.get('/api/v1/events', a.key);
  expect(body.data.map(({ data }: any) => data.orderId)).toEqual([second]);
  expect((await service.get(`/api/v1/orders/${first}`, a.key)).status).toBe(200);
});

test('an event is kept while it has a delivery, and does not keep younger ones', async () => {
  const { storeId, id } = await hooks.endpoint('https://127.0.0.1:9/');
  await hooks.record(storeId, 3);
  clock.now += 1;
  await db.run(sql`update webhook_endpoints set events = 'order.created' where store_id = ${storeId} and id = ${id}`);
  await hooks.record(storeId, 5);
  clock.now += 41 * DAY;
  expect(await pruneEventsOf(services, storeId, { batchSize: 2 })).toBe(5);
  expect(await hooks.statuses(id)).toEqual({ pending: 3 });
  expect(await eventsOf(storeId)).toHaveLength(3);
});

test('what is left when the time is over is deleted the next time', async () => {
  const { id: storeId } = await service.store();
  await hooks.record(storeId, 7);
  clock.now += 41 * DAY;
  const isOver = () => true;
  expect(await pruneEventsOf(services, storeId, { batchSize: 3, isOver })).toBe(3);
  expect(await pruneEventsOf(services, storeId, { batchSize: 3 })).toBe(4);
});

test('events are kept as long as the delivery log', async () => {
  const { id: storeId } = await service.store();
  await hooks.record(storeId);
  clock.now += 41 * DAY;
  const config = { ...service.config, WEBHOOK_LOG_DAYS: 50 };
  expect(await pruneEventsOf({ ...services, config }, storeId)).toBe(0);
  expect(await pruneEventsOf(services, storeId)).toBe(1);
});
