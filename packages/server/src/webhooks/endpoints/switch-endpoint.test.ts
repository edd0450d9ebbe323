import { afterAll, describe, expect, test } from 'vitest';
import { doneOrBlocked } from '../../../test/lock-wait.ts';
import { startReceiver } from '../../../test/receiver.ts';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { sql } from '../../db/sql.ts';
import { DAY } from '../../time/duration.ts';
import { switchOn } from './endpoints.queries.ts';
import { endpointNotices, findEndpoint, listEndpoints } from './find-endpoints.ts';
import { pingEndpoint } from './ping-endpoint.ts';
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
    // Recorded, not yet committed, when the endpoint is disabled.
    let disabling: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      await hooks.recordIn(tx, storeId);
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
