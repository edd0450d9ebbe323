import { afterAll, describe, expect, test } from 'vitest';
import { startReceiver } from '../../../test/receiver.ts';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { system } from '../../actor.ts';
import { sql } from '../../db/sql.ts';
import { DAY, HOUR, MINUTE } from '../../time/duration.ts';
import { listDeliveries } from '../log/delivery-log.ts';
import { pruneFigures, pruneLogOf } from '../log/prune.ts';
import { addEndpoint, changeEndpoint } from './edit-endpoints.ts';
import { endpointNotices, findEndpoint, listEndpoints } from './find-endpoints.ts';
import { healthOfStore } from './hours.ts';
import { pingEndpoint } from './ping-endpoint.ts';
import { resendDelivery, resendFailed } from './resend.ts';
import { rotateSecret } from './rotate-secret.ts';
import { disableEndpoint, enableEndpoint } from './switch-endpoint.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true', WEBHOOK_RETRY_DELAYS: '1m,5m' } });
const hooks = webhooksOf(service);
const { clock, db, services } = service;
const dispatcher = hooks.dispatcher();
afterAll(() => dispatcher.close());

const unknownId = '019bd2a4-0000-7000-8000-000000000000';
const at = () => new Date(clock.now).toISOString();

describe('creating an endpoint', () => {
  test('shows the secret once and stores it encrypted', async () => {
    const { id: storeId } = await service.store();
    const url = 'https://example.com/hook';
    const events = ['order.created', ' order.status_changed ', 'order.created'];
    const { id, secret } = await addEndpoint(services, storeId, { url, events });
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(await listEndpoints(services, storeId)).toEqual([
      {
        id,
        storeId,
        url,
        events: ['order.created', 'order.status_changed'],
        isActive: true,
        disabledReason: null,
        disabledAt: null,
        consecutiveFailures: 0,
        failingSince: null,
        previousSecretUntil: null,
        createdAt: clock.now,
      },
    ]);
    const stored = JSON.stringify(await db.all(sql`select * from webhook_endpoints where id = ${id}`));
    expect(stored).not.toContain(secret.slice(6));
  });

  test.each([
    [[], /at least one event/],
    [['order.deleted'], /Unknown event order.deleted; valid events: order.created/],
    [['ping'], /Unknown event ping; valid events/],
  ])('events %j are rejected', async (events, reason) => {
    const { id: storeId } = await service.store();
    await expect(addEndpoint(services, storeId, { url: 'https://example.com/', events })).rejects.toThrow(reason);
  });

  test('a store on the Basic plan cannot have one', async () => {
    const { id: storeId } = await service.store({ plan: 'basic' });
    const adding = addEndpoint(services, storeId, { url: 'https://example.com/', events: ['order.created'] });
    await expect(adding).rejects.toMatchObject({ code: 'plan_required' });
  });

  test('an internal address is rejected by default', async () => {
    const { id: storeId } = await service.store();
    const strict = { ...services, config: { ...services.config, WEBHOOK_ALLOW_INTERNAL: false } };
    const inside = { url: 'https://hooks.example.com/', events: ['order.created'] };
    await expect(addEndpoint(strict, storeId, inside, async () => ['10.0.0.1'])).rejects.toThrow(/is not public/);
    const { id } = await addEndpoint(strict, storeId, inside, async () => ['93.184.215.14']);
    const change = changeEndpoint(strict, id, { url: 'https://127.0.0.1/' });
    await expect(change).rejects.toThrow(/machine itself/);
  });

  test('URL and events can be changed, and owners can access only their own endpoints', async () => {
    const one = await hooks.endpoint('https://example.com/1');
    const { id: otherStore } = await service.store();
    await changeEndpoint(services, one.id, { url: 'https://example.com/2', events: ['order.created'] });
    const found = await findEndpoint(services, one.id, one.storeId);
    expect([found.url, found.events]).toEqual(['https://example.com/2', ['order.created']]);
    await expect(findEndpoint(services, one.id, otherStore)).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each([
    ['findEndpoint', (id: string) => findEndpoint(services, id)],
    ['pingEndpoint', (id: string) => pingEndpoint(services, id)],
    ['enableEndpoint', (id: string) => enableEndpoint(services, id)],
    ['disableEndpoint', (id: string) => disableEndpoint(services, id)],
    ['rotateSecret', (id: string) => rotateSecret(services, id)],
    ['resendDelivery', (id: string) => resendDelivery(services, id, undefined, system)],
    ['resendFailed', (id: string) => resendFailed(services, id, 0, system)],
    ['endpointNotices', (id: string) => endpointNotices(services, id)],
  ])('%s rejects an unknown id', async (_name, act) => {
    for (const id of [unknownId, 'nonsense']) await expect(act(id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('a ping is sent regardless of the subscribed events', async () => {
  const receiver = await startReceiver();
  const { id } = await hooks.endpoint(receiver.url, { events: ['order.created'] });
  const { eventId, deliveryId } = await pingEndpoint(services, id);
  await dispatcher.idle();
  const [got] = receiver.received;
  expect(got?.json).toEqual({ id: eventId, type: 'ping', createdAt: at(), data: {} });
  expect(got?.headers).toMatchObject({ 'x-service-event': 'ping', 'x-service-delivery': deliveryId });
  const [logged] = await hooks.log(id);
  expect(logged).toMatchObject({ id: deliveryId, eventId, type: 'ping', order: null, status: 'delivered' });
});

describe('the log', () => {
  test('is newest first, with status filter and paging', async () => {
    const receiver = await startReceiver();
    const { id, storeId } = await hooks.endpoint(receiver.url);
    const orders: string[] = [];
    for (let count = 0; count < 5; count++) {
      orders.unshift(...(await hooks.record(storeId)));
      clock.now += 1000;
    }
    await dispatcher.idle();
    receiver.respondWith(404);
    orders.unshift(...(await hooks.record(storeId)));
    await dispatcher.idle();
    expect((await hooks.log(id)).map(({ order }) => order?.id)).toEqual(orders);
    const endpoint = { storeId, endpointId: id };
    const page = await listDeliveries(services, endpoint, {}, { limit: 2 });
    expect(page.deliveries).toHaveLength(2);
    const next = await listDeliveries(services, endpoint, {}, { limit: 10, cursor: page.nextCursor as string });
    expect([...page.deliveries, ...next.deliveries].map(({ order }) => order?.id)).toEqual(orders);
    expect(next.nextCursor).toBeNull();
    expect(await hooks.log(id, 'pending')).toEqual([
      {
        id: expect.any(String),
        eventId: expect.any(String),
        type: 'order.status_changed',
        order: { id: orders[0], number: 6 },
        status: 'pending',
        nextAttemptAt: new Date(clock.now + MINUTE).toISOString(),
        createdAt: at(),
        request: expect.anything(),
        attempts: [
          { at: at(), responseStatus: 404, durationMs: expect.any(Number), error: 'http_status', responseBody: '' },
        ],
      },
    ]);
    expect((await hooks.log(id, 'delivered')).length).toBe(5);
  });

  test('health: success share and latency of the last day', async () => {
    const receiver = await startReceiver();
    const { id, storeId } = await hooks.endpoint(receiver.url);
    const health = async () => (await healthOfStore(services, storeId))(id);
    expect(await health()).toEqual({
      attempts: 0,
      successShare: null,
      averageMs: null,
      slowestMs: null,
      hours: expect.any(Array),
    });
    await hooks.record(storeId, 3);
    await dispatcher.idle();
    receiver.respondWith(500);
    await hooks.record(storeId);
    await dispatcher.idle();
    const { slowestMs, averageMs, ...rest } = await health();
    expect(rest).toMatchObject({ attempts: 4, successShare: 0.75 });
    expect(slowestMs).toBeGreaterThanOrEqual(averageMs as number);
    clock.now += 24 * HOUR;
    expect((await health()).attempts).toBe(0);
  });

  test('is kept for WEBHOOK_LOG_DAYS, except pending deliveries and events of orders', async () => {
    const receiver = await startReceiver();
    const { id, storeId } = await hooks.endpoint(receiver.url);
    await hooks.record(storeId, 5);
    await pingEndpoint(services, id);
    await dispatcher.idle();
    await disableEndpoint(services, id);
    await hooks.record(storeId, 2);
    const events = () => db.all<{ type: string }>(sql`select type from events where store_id = ${storeId}`);
    clock.now += 30 * DAY;
    await pruneLogOf(services, storeId);
    await pruneFigures(services);
    expect(await hooks.statuses(id)).toEqual({ delivered: 6, skipped: 2 });
    await enableEndpoint(services, id);
    await hooks.record(storeId);
    clock.now += 1;
    expect(await pruneLogOf(services, storeId, { batchSize: 3 })).toBe(8);
    await pruneFigures(services);
    expect(await hooks.statuses(id)).toEqual({ pending: 1 });
    expect((await events()).map(({ type }) => type)).toEqual(Array(8).fill('order.status_changed'));
    expect(await endpointNotices(services, id)).toMatchObject([{ kind: 'enabled' }]);
    const attempts = await db.all(sql`select * from attempts where store_id = ${storeId}`);
    expect(attempts).toEqual([]);
    await dispatcher.idle();
  });
});
