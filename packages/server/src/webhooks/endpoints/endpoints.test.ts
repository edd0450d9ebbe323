import { verify } from '@store-sales/contract';
import { afterAll, describe, expect, test } from 'vitest';
import { doneOrBlocked } from '../../../test/lock-wait.ts';
import { startReceiver } from '../../../test/receiver.ts';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { system } from '../../actor.ts';
import { sql } from '../../db/sql.ts';
import { DAY, HOUR, MINUTE } from '../../duration.ts';
import { listDeliveries } from '../log/delivery-log.ts';
import { prune } from '../log/prune.ts';
import { recordEvents } from '../outbox/outbox.ts';
import { addEndpoint, changeEndpoint } from './edit-endpoints.ts';
import { switchOn } from './endpoints.queries.ts';
import { endpointNotices, findEndpoint, listEndpoints } from './find-endpoints.ts';
import { healthOfStore } from './hours.ts';
import { pingEndpoint } from './ping-endpoint.ts';
import { resendDelivery, resendFailed } from './resend.ts';
import { rotateSecret } from './rotate-secret.ts';
import { disableEndpoint, enableEndpoint } from './switch-endpoint.ts';
import { lockEndpoint } from './switch-off.queries.ts';
import { stopForPlan } from './switch-off.ts';

// The timeout is long, so that held responses do not time out on a busy machine.
const service = await startService({
  env: { WEBHOOK_ALLOW_INTERNAL: 'true', WEBHOOK_RETRY_DELAYS: '1m,5m', WEBHOOK_TIMEOUT: '10m' },
});
const hooks = webhooksOf(service);
const { clock, db, services } = service;
const dispatcher = hooks.dispatcher();
afterAll(() => dispatcher.close());

const unknownId = '019bd2a4-0000-7000-8000-000000000000';
const at = () => new Date(clock.now).toISOString();

/** An endpoint whose receiver fails, with `count` permanently failed deliveries. */
async function withFailed(count: number) {
  const receiver = await startReceiver();
  receiver.respondWith(500);
  const endpoint = await hooks.endpoint(receiver.url);
  await hooks.record(endpoint.storeId, count);
  for (const delay of [0, MINUTE, 5 * MINUTE]) {
    clock.now += delay;
    await dispatcher.idle();
  }
  expect(await hooks.statuses(endpoint.id)).toEqual({ failed: count });
  receiver.received.length = 0;
  return { receiver, ...endpoint };
}

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

test('rotation: requests are signed with both secrets for 24 hours, then with the new one only', async () => {
  const receiver = await startReceiver();
  const { id, storeId, secret: old } = await hooks.endpoint(receiver.url);
  const { secret } = await rotateSecret(services, id);
  expect(secret).not.toBe(old);
  const verdicts = async () => {
    await hooks.record(storeId);
    await dispatcher.idle();
    const got = receiver.received.at(-1);
    const check = async (key: string) =>
      (await verify(got?.body as string, got?.headers['x-service-signature'], key, { now: clock.now })).ok;
    return [await check(old), await check(secret)];
  };
  expect(await verdicts()).toEqual([true, true]);
  clock.now += DAY - 1;
  expect(await verdicts()).toEqual([true, true]);
  clock.now += 1;
  expect(await verdicts()).toEqual([false, true]);
});

test('rotation: every replaced secret is used for 24 hours, even after further rotations', async () => {
  const receiver = await startReceiver();
  const { id, storeId, secret: first } = await hooks.endpoint(receiver.url);
  const secrets = [first];
  const valid = async () => {
    await hooks.record(storeId);
    await dispatcher.idle();
    const got = receiver.received.at(-1);
    const signature = got?.headers['x-service-signature'];
    const checks = secrets.map((key) => verify(got?.body as string, signature, key, { now: clock.now }));
    return (await Promise.all(checks)).map(({ ok }) => ok);
  };
  for (let count = 0; count < 4; count++) {
    secrets.push((await rotateSecret(services, id)).secret);
    clock.now += HOUR;
  }
  expect(await valid()).toEqual([true, true, true, true, true]);
  // A fifth rotation would drop a secret early.
  await expect(rotateSecret(services, id)).rejects.toMatchObject({
    code: 'limit_reached',
    detail: expect.stringContaining(new Date(clock.now + 20 * HOUR).toISOString()),
    params: { limit: 'replaced_secrets', max: 4, until: new Date(clock.now + 20 * HOUR).toISOString() },
  });
  clock.now += 20 * HOUR - 1;
  expect(await valid()).toEqual([true, true, true, true, true]);
  clock.now += 1;
  expect(await valid()).toEqual([false, true, true, true, true]);
  secrets.push((await rotateSecret(services, id)).secret);
  expect(await valid()).toEqual([false, true, true, true, true, true]);
  const stored = JSON.stringify(await db.all(sql`select * from webhook_endpoints where id = ${id}`));
  for (const secret of secrets) expect(stored).not.toContain(secret.slice(6));
  clock.now += DAY;
  expect(await valid()).toEqual([false, false, false, false, false, true]);
});

test('rotation: works with another SECRET_KEY that cannot decrypt the replaced secrets', async () => {
  const receiver = await startReceiver();
  const { id, storeId } = await hooks.endpoint(receiver.url);
  const config = { ...services.config, SECRET_KEY: ['another secret of the tests'] as const };
  const other = { ...services, config };
  for (let count = 0; count < 2; count++) await rotateSecret(services, id);
  for (let count = 0; count < 2; count++) await rotateSecret(other, id);
  expect((await findEndpoint(services, id, storeId)).previousSecretUntil).toBe(clock.now + DAY);
});

describe('disabling and enabling', () => {
  test('by the owner: pending deliveries are stopped, new ones skipped, and both can be sent later', async () => {
    const receiver = await startReceiver();
    receiver.respondWith(500);
    const { id, storeId } = await hooks.endpoint(receiver.url);
    await hooks.record(storeId, 2);
    await dispatcher.idle();
    const off = await disableEndpoint(services, id);
    expect(off).toMatchObject({
      isActive: false,
      disabledReason: 'owner',
      disabledAt: clock.now,
    });
    await hooks.record(storeId, 3);
    clock.now += DAY;
    await dispatcher.idle();
    expect(receiver.received.length).toBe(2);
    expect(await hooks.statuses(id)).toEqual({ stopped: 2, skipped: 3 });

    receiver.respondWith(200);
    const on = await enableEndpoint(services, id, { sendMissed: true });
    expect(on).toMatchObject({ isActive: true, disabledReason: null, disabledAt: null, consecutiveFailures: 0 });
    await dispatcher.idle();
    expect(await hooks.statuses(id)).toEqual({ delivered: 5 });
    expect((await endpointNotices(services, id)).map(({ kind }) => kind)).toEqual(['enabled', 'disabled']);
  });

  test('a disabled endpoint gets a ping once; other deliveries are unchanged', async () => {
    const receiver = await startReceiver();
    receiver.respondWith(500);
    const { id, storeId } = await hooks.endpoint(receiver.url);
    await hooks.record(storeId);
    await dispatcher.idle();
    const off = await disableEndpoint(services, id);
    const types = () => receiver.received.splice(0).map(({ headers }) => headers['x-service-event']);
    types();
    await hooks.record(storeId);
    await pingEndpoint(services, id);
    await dispatcher.idle();
    clock.now += DAY;
    await dispatcher.idle();
    expect(types()).toEqual(['ping']);
    expect(await hooks.statuses(id)).toEqual({ stopped: 1, skipped: 1, failed: 1 });
    receiver.respondWith(200);
    await pingEndpoint(services, id);
    await dispatcher.idle();
    expect(types()).toEqual(['ping']);
    expect(await hooks.statuses(id)).toEqual({ stopped: 1, skipped: 1, failed: 1, delivered: 1 });
    expect(await findEndpoint(services, id)).toEqual(off);
    expect(await endpointNotices(services, id)).toHaveLength(1);
    // The failed ping does not count as missed.
    await enableEndpoint(services, id, { sendMissed: true });
    await dispatcher.idle();
    expect(types()).toEqual(['order.status_changed', 'order.status_changed']);
  });

  test('without sendMissed, missed deliveries keep their status', async () => {
    const receiver = await startReceiver();
    const { id, storeId } = await hooks.endpoint(receiver.url);
    await disableEndpoint(services, id);
    await hooks.record(storeId, 2);
    await enableEndpoint(services, id);
    await hooks.record(storeId);
    await dispatcher.idle();
    expect(await hooks.statuses(id)).toEqual({ skipped: 2, delivered: 1 });
  });

  test('by the service: after 50 consecutive failures over more than a day, with warnings before', async () => {
    const receiver = await startReceiver();
    receiver.respondWith(500);
    const { id, storeId } = await hooks.endpoint(receiver.url);
    const start = clock.now;
    const failOnce = async () => {
      await hooks.record(storeId);
      await dispatcher.idle();
      clock.now += 1000;
    };
    // Far more than 50 within the day: it stays on.
    for (let count = 0; count < 30; count++) await failOnce();
    clock.now = start + DAY;
    await dispatcher.idle();
    expect((await findEndpoint(services, id)).isActive).toBe(true);
    const before = (await findEndpoint(services, id)).consecutiveFailures;
    expect(before).toBeGreaterThan(50);
    clock.now += 1;
    const offAt = clock.now;
    await failOnce();
    const off = await findEndpoint(services, id);
    expect(off).toMatchObject({
      isActive: false,
      disabledReason: 'failures',
      disabledAt: offAt,
      consecutiveFailures: before + 1,
      failingSince: start,
    });
    const notices = await endpointNotices(services, id);
    expect(notices.map(({ kind, failures }) => `${kind} ${failures}`)).toEqual([
      `disabled ${before + 1}`,
      'warning 40',
      'warning 25',
      'warning 10',
    ]);
    const { pending, stopped } = await hooks.statuses(id);
    expect(pending).toBeUndefined();
    expect(stopped).toBeGreaterThan(0);
    await hooks.record(storeId);
    expect((await hooks.log(id, 'skipped')).length).toBe(1);
  });

  test('a success resets the failure count', async () => {
    const receiver = await startReceiver();
    receiver.respondWith(500);
    const { id, storeId } = await hooks.endpoint(receiver.url);
    await hooks.record(storeId, 3);
    await dispatcher.idle();
    expect(await findEndpoint(services, id)).toMatchObject({ consecutiveFailures: 3, failingSince: clock.now });
    receiver.respondWith(200);
    await hooks.record(storeId);
    await dispatcher.idle();
    expect(await findEndpoint(services, id)).toMatchObject({ consecutiveFailures: 0, failingSince: null });
  });

  test('an attempt in flight when the endpoint is disabled can finish', async () => {
    const responses: (() => void)[] = [];
    const receiver = await startReceiver({
      respond: (_request, response) =>
        void responses.push(() => response.writeHead(responses.length ? 200 : 500).end()),
    });
    const { id, storeId } = await hooks.endpoint(receiver.url);
    await hooks.record(storeId, 2);
    await dispatcher.cycle();
    await receiver.count(2);
    await disableEndpoint(services, id);
    for (const respond of responses.splice(0, 1)) respond();
    for (const respond of responses.splice(0)) respond();
    await dispatcher.idle();
    expect(await hooks.statuses(id)).toEqual({ delivered: 1, stopped: 1 });
  });

  test('leaving the Optimal plan disables all endpoints in the same transaction', async () => {
    const one = await hooks.endpoint('https://example.com/1');
    await hooks.endpoint('https://example.com/2', { storeId: one.storeId });
    await hooks.record(one.storeId);
    await db.transaction(async (tx) => {
      await tx.run(sql`update stores set plan = 'basic' where id = ${one.storeId}`);
      await stopForPlan(tx, one.storeId, clock.now);
    });
    for (const endpoint of await listEndpoints(services, one.storeId)) {
      expect(endpoint).toMatchObject({
        isActive: false,
        disabledReason: 'plan',
      });
      expect(await hooks.statuses(endpoint.id)).toEqual({ stopped: 1 });
    }
    await expect(enableEndpoint(services, one.id)).rejects.toMatchObject({ code: 'plan_required' });
    await expect(pingEndpoint(services, one.id)).rejects.toMatchObject({ code: 'plan_required' });
  });

  test('events recorded concurrently with disabling or enabling get the right status', async () => {
    const receiver = await startReceiver();
    const { id, storeId } = await hooks.endpoint(receiver.url);
    const event = { type: 'order.created', externalId: '', at: clock.now, actor: system } as const;
    // Recorded, not yet committed, when the endpoint is disabled.
    let disabling: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      await recordEvents(tx, storeId, [{ ...event, orderId: unknownId }], clock.now);
      disabling = disableEndpoint(services, id);
      await doneOrBlocked(db, disabling);
    });
    await disabling;
    expect(await hooks.statuses(id)).toEqual({ stopped: 1 });
    // Recorded while the endpoint is being enabled, which is not yet committed.
    let recording: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      await lockEndpoint(tx, storeId, id);
      await switchOn(tx, storeId, id);
      recording = hooks.record(storeId);
      await doneOrBlocked(db, recording);
    });
    await recording;
    expect(await hooks.statuses(id)).toEqual({ stopped: 1, pending: 1 });
    await dispatcher.idle();
  });
});

describe('resending', () => {
  test('a delivery keeps its id and gets the full retry schedule again', async () => {
    const { receiver, id } = await withFailed(2);
    const [first] = await hooks.log(id);
    await resendDelivery(services, first?.id as string, undefined, system);
    for (const delay of [0, MINUTE, 5 * MINUTE, DAY]) {
      clock.now += delay;
      await dispatcher.idle();
    }
    expect(receiver.received.map(({ headers }) => headers['x-service-delivery'])).toEqual([
      first?.id,
      first?.id,
      first?.id,
    ]);
    const [again, other] = await hooks.log(id);
    expect([again?.attempts.length, other?.attempts.length]).toEqual([6, 3]);
    expect(again?.status).toBe('failed');
  });

  test('a delivered one is delivered again', async () => {
    const receiver = await startReceiver();
    const { id, storeId } = await hooks.endpoint(receiver.url);
    await hooks.record(storeId);
    await dispatcher.idle();
    await resendDelivery(services, (await hooks.log(id))[0]?.id as string, undefined, system);
    await dispatcher.idle();
    expect(receiver.received.length).toBe(2);
    expect(receiver.received[0]?.body).toBe(receiver.received[1]?.body);
  });

  test('a delivery with an attempt in flight waits until that has finished', async () => {
    const responses: (() => void)[] = [];
    const receiver = await startReceiver({
      respond: (_request, response) => void responses.push(() => response.writeHead(500).end()),
    });
    const { id, storeId } = await hooks.endpoint(receiver.url);
    await hooks.record(storeId);
    const other = hooks.dispatcher();
    await other.cycle();
    await receiver.count(1);
    await resendDelivery(services, (await hooks.log(id))[0]?.id as string, undefined, system);
    await dispatcher.idle();
    expect(receiver.received.length).toBe(1);
    receiver.respondWith(200);
    for (const respond of responses) respond();
    await other.close();
    expect((await hooks.log(id))[0]).toMatchObject({ status: 'pending', attempts: [{ responseStatus: 500 }] });
  });

  test('resends everything that failed since a time, and nothing that failed before', async () => {
    const { receiver, id, storeId } = await withFailed(2);
    const since = clock.now + 1;
    receiver.respondWith(500);
    clock.now += HOUR;
    await hooks.record(storeId, 3);
    for (const delay of [0, MINUTE, 5 * MINUTE]) {
      clock.now += delay;
      await dispatcher.idle();
    }
    receiver.received.length = 0;
    receiver.respondWith(200);
    expect(await resendFailed(services, id, since, system)).toEqual({ count: 3 });
    await dispatcher.idle();
    expect(await hooks.statuses(id)).toEqual({ delivered: 3, failed: 2 });
  });

  test('only the owner can resend', async () => {
    const { id } = await withFailed(1);
    const { id: otherStoreId } = await service.store();
    const resending = resendDelivery(services, (await hooks.log(id))[0]?.id as string, otherStoreId, system);
    await expect(resending).rejects.toMatchObject({ code: 'not_found' });
  });
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
        order: { id: orders[0], number: null },
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
    await prune(services);
    expect(await hooks.statuses(id)).toEqual({ delivered: 6, skipped: 2 });
    await enableEndpoint(services, id);
    await hooks.record(storeId);
    clock.now += 1;
    expect(await prune(services, 3)).toBeGreaterThanOrEqual(8);
    expect(await hooks.statuses(id)).toEqual({ pending: 1 });
    expect((await events()).map(({ type }) => type)).toEqual(Array(8).fill('order.status_changed'));
    expect(await endpointNotices(services, id)).toMatchObject([{ kind: 'enabled' }]);
    const attempts = await db.all(sql`select * from attempts where store_id = ${storeId}`);
    expect(attempts).toEqual([]);
    await dispatcher.idle();
  });
});
