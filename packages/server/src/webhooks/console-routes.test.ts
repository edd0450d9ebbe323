import { describe, expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { startReceiver } from '../../test/receiver.ts';
import { insertProducts } from '../../test/rows.ts';
import { startService } from '../../test/service.ts';
import { webhooksOf } from '../../test/webhooks.ts';
import { setPlan } from '../accounts/stores.ts';
import { HOUR, MINUTE } from '../time/duration.ts';
import { listDeliveries } from './log/delivery-log.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
const hooks = webhooksOf(service);
const receiver = await startReceiver();
const events = ['order.created', 'order.status_changed', 'order.payment_status_changed'];

async function signedInOwner() {
  const owner = await service.owner();
  const store = await service.store({ ownerId: owner.id });
  const visitor = browser(service);
  await visitor.signIn(owner.email);
  const list = `/stores/${store.id}/webhooks`;
  const created = await visitor.post(list, { url: receiver.url, events });
  const { id, secret } = created.body;
  return { storeId: store.id, visitor, list, id, secret, created, path: `${list}/${id}` };
}

/** Runs one dispatcher cycle to its end. */
async function dispatch() {
  const dispatcher = hooks.dispatcher();
  await dispatcher.cycle();
  await dispatcher.close();
}

describe('endpoints', () => {
  test('are added with a secret shown once, listed, read and changed', async () => {
    const { visitor, list, created, id, secret, path } = await signedInOwner();
    expect(created.status).toBe(201);
    expect(secret).toMatch(/^whsec_/);
    const [listed] = (await visitor.get(list)).body;
    expect(listed).toMatchObject({
      id,
      url: receiver.url,
      events,
      isActive: true,
      disabledReason: null,
      failures: 0,
      previousSecretUntil: null,
      health: { attempts: 0, successShare: null },
    });
    expect(listed.health.hours).toHaveLength(24);
    expect((await visitor.get(path)).body).toEqual({ ...listed, notices: [], missed: { count: 0, isMore: false } });
    expect((await visitor.get(path)).text).not.toContain(secret);
    const changed = await visitor.patch(path, { url: `${receiver.url}2`, events: ['order.created'] });
    expect(changed.body).toMatchObject({ url: `${receiver.url}2`, events: ['order.created'] });
  });

  test.each([
    [{ url: 'nonsense', events }],
    [{ url: 'ftp://example.com', events }],
    [{ url: 'https://example.com', events: [] }],
    [{ url: 'https://example.com', events: ['ping'] }],
    [{ events }],
  ])('%j is rejected', async (body) => {
    const { visitor, list } = await signedInOwner();
    expect((await visitor.post(list, body)).status).toBe(422);
  });

  test('a test is sent, and its response can be read', async () => {
    const { visitor, path } = await signedInOwner();
    receiver.respondWith(418, 'teapot');
    const { status, body } = await visitor.post(`${path}/ping`);
    expect(status).toBe(201);
    const delivery = `${path}/deliveries/${body.deliveryId}`;
    expect((await visitor.get(delivery)).body).toMatchObject({ type: 'ping', status: 'pending', attempts: [] });
    await dispatch();
    expect((await visitor.get(delivery)).body).toMatchObject({
      order: null,
      status: 'pending',
      nextAttemptAt: new Date(service.clock.now + MINUTE).toISOString(),
      attempts: [{ responseStatus: 418, error: 'http_status', responseBody: 'teapot' }],
    });
    const { health } = (await visitor.get(path)).body;
    expect(health).toMatchObject({ attempts: 1, successShare: 0 });
    expect(health.hours.at(-1)).toMatchObject({ attempts: 1, successes: 0 });
    service.clock.now += 24 * HOUR;
    expect((await visitor.get(path)).body.health).toMatchObject({ attempts: 0, successShare: null });
  });

  test('a rotation shows until when the old secret is used', async () => {
    const { visitor, path, secret } = await signedInOwner();
    const { body } = await visitor.post(`${path}/rotate`);
    expect(body.secret).toMatch(/^whsec_/);
    expect(body.secret).not.toBe(secret);
    const until = new Date(service.clock.now + 24 * HOUR).toISOString();
    expect((await visitor.get(path)).body.previousSecretUntil).toBe(until);
    service.clock.now += 24 * HOUR;
    expect((await visitor.get(path)).body.previousSecretUntil).toBeNull();
  });

  test('disabling counts missed deliveries; enabling sends them or leaves them', async () => {
    const { visitor, path, storeId, id } = await signedInOwner();
    await hooks.record(storeId, 2);
    const off = await visitor.post(`${path}/disable`);
    expect(off.body).toMatchObject({ isActive: false, disabledReason: 'owner', missed: { count: 2, isMore: false } });
    expect(off.body.notices).toMatchObject([{ kind: 'disabled' }]);
    await hooks.record(storeId, 3);
    expect((await visitor.get(path)).body.missed.count).toBe(5);
    // A test can still be sent, and does not count as missed.
    expect((await visitor.post(`${path}/ping`)).status).toBe(201);
    service.clock.now += 1;
    expect((await visitor.post(`${path}/enable`, { sendMissed: false })).body).toMatchObject({
      isActive: true,
      missed: { count: 5 },
      notices: [{ kind: 'enabled' }, { kind: 'disabled' }],
    });
    expect((await visitor.post(`${path}/enable`, { sendMissed: true })).body.missed.count).toBe(0);
    expect(await hooks.statuses(id)).toEqual({ pending: 5 + 1 });
  });
});

describe('the log', async () => {
  const shop = await signedInOwner();
  const { visitor, storeId, id, path } = shop;
  const key = await service.key(storeId);
  const [product] = await insertProducts(service.db, storeId, [{ name: 'Tea' }]);
  const order = async (externalId: string) =>
    (await service.post('/api/v1/orders', { externalId, items: [{ productId: product?.id, quantity: 1 }] }, key)).body
      .data;
  receiver.respondWith(200);
  const orders: any[] = [];
  for (const name of ['A', 'B', 'C']) {
    orders.push(await order(name));
    service.clock.now += 1000;
  }
  await service.patch(`/api/v1/orders/${orders[0].id}`, { status: 'packing' }, key);
  await dispatch();
  const ask = async (query: string) => (await visitor.get(`${path}/deliveries${query}`)).body;

  test('shows every delivery, newest first, with the order and its attempts', async () => {
    const { deliveries, nextCursor } = await ask('');
    expect(nextCursor).toBeNull();
    expect(deliveries.map((each: any) => [each.type, each.order.number])).toEqual([
      ['order.status_changed', 1],
      ['order.created', 3],
      ['order.created', 2],
      ['order.created', 1],
    ]);
    expect(deliveries[0]).toMatchObject({
      status: 'delivered',
      nextAttemptAt: null,
      attempts: [{ responseStatus: 200, error: null, durationMs: expect.any(Number) }],
    });
  });

  test.each([
    ['type=order.status_changed', 1],
    ['type=order.created', 3],
    ['type=ping', 0],
    ['status=delivered', 4],
    ['status=failed', 0],
    ['order=1', 2],
    ['order=%231', 2],
    ['order=B', 1],
    ['order=none', 0],
    ['order=1&type=order.created', 1],
    ['order=1&type=order.created&status=failed', 0],
  ])('%s finds %i', async (query, count) => {
    expect((await ask(`?${query}`)).deliveries).toHaveLength(count);
    expect((await visitor.get(`${path}/resend?${query}`)).body).toEqual({ count, delivered: count, isMore: false });
  });

  test('by the id of an order', async () => {
    expect((await ask(`?order=${orders[1].id.toUpperCase()}`)).deliveries).toHaveLength(1);
  });

  test.each(['status=x', 'type=x', 'order=', 'cursor=x', 'limit=5'])('%s is rejected', async (query) => {
    expect((await visitor.get(`${path}/deliveries?${query}`)).status).toBe(400);
  });

  test('is paged, and a search for a rare event continues where it stopped', async () => {
    const endpointRef = { storeId, endpointId: id };
    for (const [filter, options] of [
      [{}, { limit: 1 }],
      [{ order: '1' }, { limit: 1 }],
      [{ type: 'order.created' }, { limit: 2, maxExamined: 1 }],
      [
        { type: 'order.created', status: 'delivered' },
        { limit: 50, maxExamined: 2 },
      ],
    ] as const) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listDeliveries(service.services, endpointRef, filter, { ...options, cursor });
        seen.push(...page.deliveries.map((each) => each.id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      const whole = await listDeliveries(service.services, endpointRef, filter);
      expect(seen).toEqual(whole.deliveries.map((each) => each.id));
      expect(seen.length).toBeGreaterThan(1);
    }
  });

  test('one delivery is resent, and all that match, on any page', async () => {
    const { deliveries } = await ask('');
    const again = await visitor.post(`${path}/deliveries/${deliveries[0].id}/resend`);
    expect(again.body).toMatchObject({ id: deliveries[0].id, status: 'pending' });
    expect(await hooks.statuses(id)).toEqual({ pending: 1, delivered: 3 });
    // Pending deliveries are not counted.
    expect((await visitor.get(`${path}/resend`)).body.count).toBe(3);
    expect((await visitor.post(`${path}/resend`, { order: 'B' })).body).toEqual({ count: 1 });
    expect((await visitor.post(`${path}/resend`, { type: 'order.created' })).body).toEqual({ count: 2 });
    expect(await hooks.statuses(id)).toEqual({ pending: 4 });
    receiver.respondWith(200);
    await dispatch();
    expect(await hooks.statuses(id)).toEqual({ delivered: 4 });
    expect((await ask('?order=B')).deliveries[0].attempts).toHaveLength(2);
  });

  test('more than one batch is resent in one request', async () => {
    const { visitor, storeId, id, path } = await signedInOwner();
    await visitor.post(`${path}/disable`);
    await hooks.record(storeId, 1100);
    await hooks.record(storeId, 1100, 'order.created');
    await visitor.post(`${path}/enable`, { sendMissed: false });
    const filter = { status: 'skipped', type: 'order.created' };
    expect((await visitor.get(`${path}/resend?status=skipped&type=order.created`)).body.count).toBe(1100);
    expect((await visitor.post(`${path}/resend`, filter)).body).toEqual({ count: 1100 });
    expect(await hooks.statuses(id)).toEqual({ pending: 1100, skipped: 1100 });
  });
});

test('without the Optimal plan everything is rejected with a reason', async () => {
  const { visitor, list, path, storeId } = await signedInOwner();
  await setPlan(service.db, storeId, 'basic', service.clock.now);
  for (const reply of [
    await visitor.get(list),
    await visitor.post(list, { url: receiver.url, events }),
    await visitor.get(path),
    await visitor.post(`${path}/ping`),
    await visitor.get(`${path}/deliveries`),
  ]) {
    expect([reply.status, reply.body.code]).toEqual([403, 'plan_required']);
    expect(reply.body.detail).toMatch(/the Optimal plan.*the basic plan/);
  }
});
