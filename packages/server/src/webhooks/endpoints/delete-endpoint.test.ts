import { afterAll, expect, test } from 'vitest';
import { maintain } from '../../../test/maintain.ts';
import { startReceiver } from '../../../test/receiver.ts';
import { startService } from '../../../test/service.ts';
import { signedInOwner } from '../../../test/signed-in-owner.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { sql } from '../../db/sql.ts';
import { deleteEndpoint } from './delete-endpoint.ts';
import { pingEndpoint } from './ping-endpoint.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
const hooks = webhooksOf(service);
const { db, services } = service;
const dispatcher = hooks.dispatcher();
afterAll(() => dispatcher.close());

/** The rows that are left of a store, by table. */
async function rowsOf(storeId: string) {
  const count = async (table: ReturnType<typeof sql>) =>
    (await db.one<{ count: number }>(sql`select count(*) as count from ${table} where store_id = ${storeId}`))?.count;
  return {
    endpoints: await count(sql`webhook_endpoints`),
    deliveries: await count(sql`deliveries`),
    attempts: await count(sql`attempts`),
    hours: await count(sql`endpoint_hours`),
    notices: await count(sql`endpoint_notices`),
  };
}
const none = { endpoints: 0, deliveries: 0, attempts: 0, hours: 0, notices: 0 };

test('an endpoint is deleted with its log; others stay, and history says so', async () => {
  const receiver = await startReceiver();
  const { visitor, path, storeId } = await signedInOwner(service);
  const { id } = await hooks.endpoint(receiver.url, { storeId });
  await hooks.record(storeId, 3);
  await pingEndpoint(services, id);
  await dispatcher.idle();
  await hooks.record(storeId, 1200);
  const stranger = await signedInOwner(service);
  const foreign = await stranger.visitor.delete(`${stranger.path}/webhooks/${id}`);
  expect([foreign.status, (await stranger.visitor.delete(`${path}/webhooks/${id}`)).status]).toEqual([404, 404]);

  // History is sorted by time.
  service.clock.now += 1000;
  const { status } = await visitor.delete(`${path}/webhooks/${id}`);
  expect(status).toBe(204);
  expect(await rowsOf(storeId)).toEqual(none);
  expect((await visitor.get(`${path}/webhooks/${id}`)).status).toBe(404);
  expect((await visitor.delete(`${path}/webhooks/${id}`)).status).toBe(404);
  expect((await visitor.get(`${path}/webhooks`)).body).toEqual([]);
  // New events make no deliveries, and nothing waiting is sent.
  await hooks.record(storeId, 1);
  await dispatcher.idle();
  expect(receiver.received).toHaveLength(4);
  expect(await rowsOf(storeId)).toEqual(none);
  const [entry] = (await visitor.get(`${path}/history?kind=endpoint`)).body.entries;
  expect(entry).toMatchObject({ action: 'deleted', subject: { kind: 'endpoint', id, name: receiver.url } });
});

test('attempts in flight end without leaving a row, and other endpoints of the batch are recorded', async () => {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  const receiver = await startReceiver({ respond: (_request, response) => void held.then(() => response.end('ok')) });
  const { storeId, id } = await hooks.endpoint(`${receiver.url}/a`);
  const other = await hooks.endpoint(`${receiver.url}/b`, { storeId });
  await hooks.record(storeId, 1);
  const sending = dispatcher.idle();
  await receiver.count(2);
  await deleteEndpoint(services, id);
  expect(await rowsOf(storeId)).toMatchObject({ endpoints: 1, deliveries: 1 });
  release();
  await sending;
  expect(await rowsOf(storeId)).toEqual({ endpoints: 1, deliveries: 1, attempts: 1, hours: 1, notices: 0 });
  expect(await hooks.statuses(other.id)).toEqual({ delivered: 1 });
});

test('a deletion that was interrupted hides the endpoint and is finished by the maintenance', async () => {
  const { storeId, id } = await hooks.endpoint('http://127.0.0.1:9/');
  await hooks.record(storeId, 600);
  let transactions = 0;
  const dying = Object.assign(Object.create(db), {
    transaction: (...call: Parameters<typeof db.transaction>) =>
      transactions++ === 2 ? Promise.reject(new Error('killed')) : db.transaction(...call),
  });
  await expect(deleteEndpoint({ ...services, db: dying }, id)).rejects.toThrow('killed');
  expect(await rowsOf(storeId)).toMatchObject({ endpoints: 1, deliveries: 100 });
  await expect(pingEndpoint(services, id)).rejects.toMatchObject({ code: 'not_found' });
  await hooks.record(storeId, 1);
  await dispatcher.idle();
  expect(await rowsOf(storeId)).toMatchObject({ deliveries: 100, attempts: 0 });
  await maintain(services);
  expect(await rowsOf(storeId)).toEqual(none);
});

test('deleting and recording orders at once leaves nothing behind', async () => {
  const { storeId, id } = await hooks.endpoint('http://127.0.0.1:9/');
  const events = Array.from({ length: 10 }, () => hooks.record(storeId, 20));
  await Promise.all([deleteEndpoint(services, id), ...events]);
  await maintain(services);
  expect(await rowsOf(storeId)).toEqual(none);
});

test('the log shows what was sent, without the signature', async () => {
  const receiver = await startReceiver();
  const { visitor, path, storeId } = await signedInOwner(service);
  const { id, secret } = await hooks.endpoint(receiver.url, { storeId });
  await hooks.record(storeId, 1, 'order.created', 'Заказ "7"');
  await dispatcher.idle();
  const reply = await visitor.get(`${path}/webhooks/${id}/deliveries`);
  const [delivery] = reply.body.deliveries;
  const [got] = receiver.received;
  expect(delivery.request.body).toBe(got?.body);
  for (const [name, value] of Object.entries(delivery.request.headers))
    expect(got?.headers[name.toLowerCase()]).toBe(value);
  const names = ['Content-Type', 'X-Service-Event', 'X-Service-Delivery', 'webhook-id'];
  expect(Object.keys(delivery.request.headers)).toEqual(names);
  expect(reply.text).not.toContain(secret);
});
