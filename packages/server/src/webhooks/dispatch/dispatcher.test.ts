import { verify } from '@store-sales/contract';
import { afterAll, describe, expect, test } from 'vitest';
import { startNameServer } from '../../../test/name-server.ts';
import { type Receiver, startReceiver } from '../../../test/receiver.ts';
import { insertOrders } from '../../../test/rows.ts';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { sql } from '../../db/sql.ts';
import { HOUR, MINUTE } from '../../time/duration.ts';
import { findEndpoint } from '../endpoints/find-endpoints.ts';
import { disableEndpoint } from '../endpoints/switch-endpoint.ts';
import { createDispatcher } from './dispatcher.ts';
import { startDispatcher } from './start-dispatcher.ts';

const service = await startService({
  env: { WEBHOOK_ALLOW_INTERNAL: 'true' },
});
const hooks = webhooksOf(service);
const { clock, db } = service;
const dispatcher = hooks.dispatcher();
afterAll(() => dispatcher.close());

/** Independent of the machine's speed: attempts take no time and do not time out. */
const untimed = { timeoutMs: 10 * MINUTE, clock: () => 0 };
const idsOf = (receiver: Receiver) => receiver.received.map(({ headers }) => headers['x-service-delivery']);

describe('from event to delivery', () => {
  test('an event is sent to all subscribed endpoints of its store, and to no other', async () => {
    const receiver = await startReceiver();
    const { storeId, id, secret } = await hooks.endpoint(`${receiver.url}/all`);
    const created = await hooks.endpoint(`${receiver.url}/created`, { storeId, events: ['order.created'] });
    await hooks.endpoint(`${receiver.url}/stranger`);
    const [changed] = await hooks.record(storeId, 1, 'order.status_changed', 'Заказ 7');
    const [eventId] = await hooks.record(storeId, 1, 'order.created');
    await dispatcher.idle();

    const sent = receiver.received.map(({ path, json }) => `${path.slice(6)} ${json.type} ${json.data.orderId}`);
    expect(sent.sort()).toEqual([
      `all order.created ${eventId}`,
      `all order.status_changed ${changed}`,
      `created order.created ${eventId}`,
    ]);
    const got = receiver.received.find(({ json }) => json.type === 'order.status_changed');
    expect(got?.json).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'order.status_changed',
      createdAt: new Date(clock.now).toISOString(),
      data: { orderId: changed, externalId: 'Заказ 7' },
    });
    expect(got?.headers['x-service-event']).toBe('order.status_changed');
    const check = await verify(got?.body as string, got?.headers['x-service-signature'], secret, { now: clock.now });
    expect(check.ok).toBe(true);
    // The endpoints get the same event id and different delivery ids.
    const creations = receiver.received.filter(({ json }) => json.type === 'order.created');
    expect(new Set(creations.map(({ json }) => json.id)).size).toBe(1);
    expect(new Set(creations.map(({ headers }) => headers['x-service-delivery'])).size).toBe(2);
    expect(await hooks.statuses(id)).toEqual({ delivered: 2 });
    expect(await hooks.statuses(created.id)).toEqual({ delivered: 1 });
  });

  test('a change that is rolled back sends nothing', async () => {
    const receiver = await startReceiver();
    const { storeId, id } = await hooks.endpoint(receiver.url);
    const work = db.transaction(async (tx) => {
      await hooks.recordIn(tx, storeId);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    await dispatcher.idle();
    expect([receiver.received, await hooks.log(id)]).toEqual([[], []]);
  });

  test('each order moved by disabling a status gets a delivery', async () => {
    const receiver = await startReceiver();
    const { storeId, id } = await hooks.endpoint(receiver.url, { events: ['order.status_changed'] });
    const key = await service.key(storeId);
    const own = await service.post('/api/v1/references/order-statuses', { group: 'packing', name: 'Own' }, key);
    const payment = (await service.get('/api/v1/references/payment-statuses', key)).body.data[0].id as string;
    const seeds = Array.from({ length: 5 }, () => ({ status_id: own.body.data.id, payment_status_id: payment }));
    const orders = await insertOrders(db, storeId, seeds);
    await service.patch(`/api/v1/references/order-statuses/${own.body.data.id}`, { isActive: false }, key);
    await dispatcher.idle();
    expect(await hooks.statuses(id)).toEqual({ delivered: 5 });
    const orderIds = receiver.received.map(({ json }) => json.data.orderId).sort();
    expect(orderIds).toEqual(orders.map((order) => order.id).sort());
  });

  test('an event with a future time, after the clock was set back, is delivered immediately', async () => {
    const receiver = await startReceiver();
    const { storeId, id } = await hooks.endpoint(receiver.url);
    await db.run(sql`update store_clocks set ts = ${clock.now + HOUR} where store_id = ${storeId}`);
    await hooks.record(storeId);
    await dispatcher.idle();
    expect(await hooks.statuses(id)).toEqual({ delivered: 1 });
  });

  test('delivery ids are unique UUIDs of version 7', async () => {
    const receiver = await startReceiver();
    const { storeId, id } = await hooks.endpoint(receiver.url);
    await hooks.record(storeId, 200);
    const ids = (await hooks.log(id)).map((delivery) => delivery.id);
    expect(new Set(ids).size).toBe(200);
    const time = clock.now.toString(16).padStart(12, '0');
    for (const each of ids)
      expect(each).toMatch(
        new RegExp(`^${time.slice(0, 8)}-${time.slice(8)}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`),
      );
    await dispatcher.idle();
  });
});

describe('retries', () => {
  test('follow the schedule to the millisecond: seven attempts with one delivery id', async () => {
    const receiver = await startReceiver();
    receiver.respondWith(500, 'down for repairs');
    const { storeId, id } = await hooks.endpoint(receiver.url);
    const start = clock.now;
    await hooks.record(storeId);
    await dispatcher.idle();
    const times = [start];
    for (const delay of [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR]) {
      clock.now += delay - 1;
      await dispatcher.idle();
      expect(receiver.received.length).toBe(times.length);
      const [waiting] = await hooks.log(id);
      expect([waiting?.status, waiting?.nextAttemptAt]).toEqual(['pending', new Date(clock.now + 1).toISOString()]);
      clock.now += 1;
      await dispatcher.idle();
      times.push(clock.now);
      expect(receiver.received.length).toBe(times.length);
    }
    clock.now += 100 * HOUR;
    await dispatcher.idle();
    expect(receiver.received.length).toBe(7);

    const [delivery, ...others] = await hooks.log(id);
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null, type: 'order.status_changed' });
    expect(delivery?.attempts).toEqual(
      times.map((at) => ({
        at: new Date(at).toISOString(),
        responseStatus: 500,
        durationMs: expect.any(Number),
        error: 'http_status',
        responseBody: 'down for repairs',
      })),
    );
    expect(new Set(idsOf(receiver))).toEqual(new Set([delivery?.id]));
    expect(new Set(receiver.received.map(({ json }) => json.id))).toEqual(new Set([delivery?.eventId]));
    // Each attempt has its own timestamp and signature.
    const stamps = receiver.received.map(({ headers }) =>
      Number(headers['x-service-signature']?.match(/t=(\d+)/)?.[1]),
    );
    expect(stamps).toEqual(times.map((at) => Math.floor(at / 1000)));
  });

  test('end with the first success', async () => {
    const receiver = await startReceiver();
    receiver.respondWith(503);
    const { storeId, id } = await hooks.endpoint(receiver.url);
    await hooks.record(storeId);
    await dispatcher.idle();
    receiver.respondWith(204);
    clock.now += MINUTE;
    await dispatcher.idle();
    clock.now += 24 * HOUR;
    await dispatcher.idle();
    expect(receiver.received.length).toBe(2);
    expect((await hooks.log(id))[0]).toMatchObject({ status: 'delivered', nextAttemptAt: null });
  });
});

describe('leases', () => {
  test('claims of a killed dispatcher are retried after the lease expires, within 30 s', async () => {
    const receiver = await startReceiver({ respond: () => {} });
    const { storeId } = await hooks.endpoint(receiver.url);
    await hooks.record(storeId, 3);
    // Claims and never records an outcome, like a killed process.
    const killed = hooks.dispatcher();
    const { started } = await killed.cycle();
    expect(started).toBe(3);
    await receiver.count(3);
    receiver.respondWith(200);

    clock.now += 19_999;
    await dispatcher.idle();
    expect(receiver.received.length).toBe(3);
    clock.now += 1;
    await dispatcher.idle();
    expect(receiver.received.length).toBe(6);
    expect(new Set(idsOf(receiver)).size).toBe(3);
  });

  test('an attempt that outlived its lease changes no status, but is logged', async () => {
    let release = () => {};
    const receiver = await startReceiver({
      respond(_request, response) {
        release = () => void response.writeHead(500).end();
      },
    });
    const { storeId, id } = await hooks.endpoint(receiver.url);
    await hooks.record(storeId);
    const slow = hooks.dispatcher({ send: untimed });
    await slow.cycle();
    await receiver.count(1);
    receiver.respondWith(200);
    clock.now += untimed.timeoutMs + 10_000;
    await dispatcher.idle();
    expect(await hooks.statuses(id)).toEqual({ delivered: 1 });
    release();
    await slow.idle();
    await slow.close();
    const [delivery] = await hooks.log(id);
    expect(delivery?.status).toBe('delivered');
    expect(delivery?.attempts.map(({ responseStatus }) => responseStatus).sort()).toEqual([200, 500]);
  });

  test('several dispatchers share the work, and attempts of one delivery never overlap', async () => {
    const open = new Map<string, number>();
    let overlaps = 0;
    const receiver = await startReceiver({
      respond({ headers }, response) {
        const id = headers['x-service-delivery'] as string;
        if (open.get(id)) overlaps++;
        open.set(id, (open.get(id) ?? 0) + 1);
        setImmediate(() => {
          open.set(id, (open.get(id) as number) - 1);
          response.writeHead(id.endsWith('0') ? 500 : 200).end();
        });
      },
    });
    const endpoints = await Promise.all(Array.from({ length: 5 }, () => hooks.endpoint(receiver.url)));
    for (const { storeId } of endpoints) await hooks.record(storeId, 60);
    const many = [hooks.dispatcher(), hooks.dispatcher(), hooks.dispatcher()];
    await Promise.all(many.map((each) => each.idle()));
    // A dispatcher skips rows locked by another one; the next cycle finds them.
    await Promise.all(many.map((each) => each.idle()));
    await Promise.all(many.map((each) => each.close()));
    expect(overlaps).toBe(0);
    expect(receiver.received.length).toBe(300);
    expect(new Set(idsOf(receiver)).size).toBe(300);
    const failed = idsOf(receiver).filter((id) => id?.endsWith('0')).length;
    const logs = (await Promise.all(endpoints.map(({ id }) => hooks.log(id)))).flat();
    expect(logs.every(({ attempts }) => attempts.length === 1)).toBe(true);
    expect(logs.filter(({ status }) => status === 'delivered').length).toBe(300 - failed);
  });
});

describe('names', () => {
  test('a silent name server does not count as a failure of the endpoint, an unknown name does', async () => {
    const { address } = await startNameServer({ 'dead.test': 'silent' });
    const [dead, gone] = [await hooks.endpoint('http://dead.test/'), await hooks.endpoint('http://gone.test/')];
    for (const [{ storeId }, timeoutMs] of [
      [dead, 600],
      [gone, 10 * MINUTE],
    ] as const) {
      await hooks.record(storeId, 2);
      const one = hooks.dispatcher({ send: { nameServers: [address], timeoutMs } });
      await one.idle();
      await one.close();
    }
    expect((await hooks.log(dead.id))[0]).toMatchObject({
      status: 'pending',
      nextAttemptAt: new Date(clock.now + MINUTE).toISOString(),
      attempts: [{ error: 'dns_failed', responseStatus: null }],
    });
    expect((await hooks.log(gone.id))[0]?.attempts[0]?.error).toBe('name_not_found');
    const failures = async ({ id }: { id: string }) => {
      const { consecutiveFailures, failingSince } = await findEndpoint(service.services, id);
      return [consecutiveFailures, failingSince];
    };
    expect([await failures(dead), await failures(gone)]).toEqual([
      [0, null],
      [2, clock.now],
    ]);
    for (const { id } of [dead, gone]) await disableEndpoint(service.services, id);
  });
});

describe('a running dispatcher', () => {
  test('starts immediately after the commit, and waits for attempts in flight when stopped', async () => {
    let release = () => {};
    const receiver = await startReceiver({
      respond(_request, response) {
        release = () => void response.end();
      },
    });
    const { storeId, id } = await hooks.endpoint(receiver.url);
    const running = startDispatcher(service.services, { send: untimed });
    await hooks.record(storeId);
    await receiver.count(1);
    const stopped = running.stop();
    await hooks.record(storeId);
    release();
    await stopped;
    expect(await hooks.statuses(id)).toEqual({ delivered: 1, pending: 1 });
    expect(receiver.received.length).toBe(1);
    receiver.respondWith(200);
    await dispatcher.idle();
  });

  test('releases unsent claims when it stops', async () => {
    const responses: (() => void)[] = [];
    const receiver = await startReceiver();
    const { storeId, id } = await hooks.endpoint(receiver.url);
    const one = hooks.dispatcher({ send: untimed });
    // Fast responses first, so that more is claimed than may be in flight.
    await hooks.record(storeId, 10);
    await one.idle();
    receiver.respond((_request, response) => void responses.push(() => response.end()));
    await hooks.record(storeId, 40);
    const { started } = await one.cycle();
    const sent = 10 + 14;
    expect(started).toBe(40);
    await receiver.count(sent);
    const closed = one.close();
    receiver.respondWith(200);
    for (const respond of responses) respond();
    await closed;
    expect(receiver.received.length).toBe(sent);
    expect(await hooks.statuses(id)).toEqual({ delivered: sent, pending: 50 - sent });
    // Another dispatcher can claim them immediately.
    await dispatcher.idle();
    expect(await hooks.statuses(id)).toEqual({ delivered: 50 });
  });

  test('logs one line per attempt, without secrets or personal data', async () => {
    const receiver = await startReceiver();
    receiver.respondWith(500, 'private response');
    const { storeId, id, secret } = await hooks.endpoint(`${receiver.url}?token=hidden`);
    await hooks.record(storeId, 1, 'order.created', 'external-hidden');
    const before = service.lines.length;
    await dispatcher.idle();
    const lines = service.lines.slice(before).map((line) => JSON.parse(line));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      msg: 'webhook attempt',
      endpointId: id,
      storeId,
      event: 'order.created',
      status: 500,
      error: 'http_status',
    });
    for (const text of ['hidden', 'private response', secret, '127.0.0.1'])
      expect(JSON.stringify(lines)).not.toContain(text);
  });

  test('a secret that cannot be decrypted fails the attempt and not the process', async () => {
    const receiver = await startReceiver();
    const { storeId, id } = await hooks.endpoint(receiver.url);
    await hooks.record(storeId);
    const config = { ...service.services.config, SECRET_KEY: ['another secret of 32 characters.'] as const };
    const otherKey = createDispatcher({ ...service.services, config });
    await otherKey.idle();
    await otherKey.close();
    expect((await hooks.log(id))[0]?.attempts[0]?.error).toBe('secret_unreadable');
    expect(receiver.received).toEqual([]);
  });
});
