import { afterAll, expect, test } from 'vitest';
import { browser } from '../../../test/browser.ts';
import { maintain } from '../../../test/maintain.ts';
import { startReceiver } from '../../../test/receiver.ts';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { setPlan } from '../../accounts/stores.ts';
import { system } from '../../actor.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { listHistory } from '../../history/history.ts';
import type { Services } from '../../services.ts';
import { BATCH_SIZE, batchOf } from './batches.ts';
import { findEndpoint } from './find-endpoints.ts';
import { pingEndpoint } from './ping-endpoint.ts';
import { resendFailed, resendMatching } from './resend.ts';
import { disableEndpoint, enableEndpoint } from './switch-endpoint.ts';
import { switchOff } from './switch-off.ts';

const service = await startService({
  damages: 'deliveries that failed without attempts',
  env: { WEBHOOK_ALLOW_INTERNAL: 'true', WEBHOOK_DISABLE_FAILURES: '1', WEBHOOK_DISABLE_AFTER: '0s' },
});
const hooks = webhooksOf(service);
const { clock, db, services } = service;
const dispatcher = hooks.dispatcher();
afterAll(() => dispatcher.close());

const nobody = '019bd2a4-0000-7000-8000-000000000000';
/** More than two batches. */
const MANY = 2 * BATCH_SIZE + 100;
const receiver = await startReceiver();
const types = () => receiver.received.splice(0).map(({ headers }) => headers['x-service-event']);

/** An endpoint with `count` pending deliveries. */
async function withWaiting(count = MANY) {
  const endpoint = await hooks.endpoint(receiver.url);
  // SQLite limits the number of values in one statement.
  for (let left = count; left > 0; left -= 1000) await hooks.record(endpoint.storeId, Math.min(left, 1000));
  return endpoint;
}

async function setStatus(endpointId: string, status: 'failed' | 'skipped') {
  await db.run(
    sql`update deliveries set status = ${status}, next_attempt_at = null, settled_at = ${clock.now}
        where endpoint_id = ${endpointId}`,
  );
}

/** Leaves the state after a crash that follows the first transaction of disabling. */
const cutShort = (storeId: string, id: string) =>
  db.transaction((tx) => switchOff(tx, storeId, id, 'owner', clock.now));

/** Rows changed by each transaction in its most changed table, in commit order. */
function counting(): { services: Services; sizes: number[] } {
  const sizes: number[] = [];
  const counted: Database = {
    ...db,
    transaction: (work, options) => {
      let max = 0;
      return db
        .transaction((tx) => {
          max = 0;
          const run: typeof tx.run = async (query) => {
            const rows = await tx.run(query);
            max = Math.max(max, rows);
            return rows;
          };
          return work({ ...tx, run });
        }, options)
        .finally(() => sizes.push(max));
    },
  };
  return { services: { ...services, db: counted }, sizes };
}

const history = async (storeId: string) =>
  (await listHistory(services, { storeId, accountId: nobody }, {})).entries.map(({ actor, action, details }) => ({
    actor: actor.kind,
    action,
    details,
  }));

test('disabling an endpoint and sending missed deliveries change at most one batch per transaction', async () => {
  const { id, storeId } = await withWaiting();
  const off = counting();
  await disableEndpoint(off.services, id);
  expect(off.sizes).toEqual([BATCH_SIZE, BATCH_SIZE, 100]);
  expect(await hooks.statuses(id)).toEqual({ stopped: MANY });
  await hooks.record(storeId, 3);
  clock.now += 1;
  const on = counting();
  await enableEndpoint(on.services, id, { sendMissed: true });
  expect(on.sizes).toEqual([1, BATCH_SIZE, BATCH_SIZE, 100, 3]);
  expect(await hooks.statuses(id)).toEqual({ pending: MANY + 3 });
  expect((await history(storeId))[0]).toEqual({ actor: 'system', action: 'enabled', details: { missed: MANY + 3 } });
  await disableEndpoint(services, id);
});

test('resending failed or matching deliveries changes at most one batch per transaction', async () => {
  const { id, storeId } = await withWaiting();
  const actor = { kind: 'owner', id: storeId } as const;
  await setStatus(id, 'failed');
  const failed = counting();
  clock.now += 1;
  expect(await resendFailed(failed.services, id, 0, actor)).toEqual({ count: MANY });
  expect(failed.sizes).toEqual([BATCH_SIZE, BATCH_SIZE, 100]);
  await setStatus(id, 'failed');
  expect(await resendFailed(services, id, clock.now + 1, actor)).toEqual({ count: 0 });
  const matching = counting();
  clock.now += 1;
  const filter = { status: 'failed', type: 'order.status_changed' } as const;
  expect(await resendMatching(matching.services, { storeId, endpointId: id }, filter, actor)).toEqual({ count: MANY });
  expect(matching.sizes).toEqual([BATCH_SIZE, BATCH_SIZE, 100]);
  expect((await history(storeId)).slice(0, 2)).toEqual([
    { actor: 'owner', action: 'resent', details: { count: MANY, ...filter } },
    { actor: 'owner', action: 'resent', details: { count: MANY } },
  ]);
  await disableEndpoint(services, id);
});

test("another store's write does not wait for all batches", async () => {
  const { id } = await withWaiting(8 * BATCH_SIZE);
  const { id: other } = await service.store();
  let isDone = false;
  const disabling = disableEndpoint(services, id).then(() => {
    isDone = true;
  });
  let between = 0;
  while (!isDone) {
    await hooks.record(other);
    if (!isDone) between++;
  }
  await disabling;
  expect(between).toBeGreaterThanOrEqual(4);
});

test('deliveries left pending by a crash while disabling are not sent, and are stopped later', async () => {
  const { id, storeId } = await withWaiting();
  await cutShort(storeId, id);
  expect(await hooks.statuses(id)).toEqual({ stopped: BATCH_SIZE, pending: MANY - BATCH_SIZE });
  await dispatcher.idle();
  expect(types()).toEqual([]);
  await maintain(services);
  expect(await hooks.statuses(id)).toEqual({ stopped: MANY });
});

test('after a crash while disabling, a ping is sent and nothing else', async () => {
  const { id, storeId } = await withWaiting();
  await cutShort(storeId, id);
  await pingEndpoint(services, id);
  await maintain(services);
  await dispatcher.idle();
  expect(types()).toEqual(['ping']);
  expect(await hooks.statuses(id)).toEqual({ stopped: MANY, delivered: 1 });
});

test('after enabling it again, only new deliveries are sent', async () => {
  const { id, storeId } = await withWaiting();
  await cutShort(storeId, id);
  await enableEndpoint(services, id);
  await hooks.record(storeId, 1, 'order.created');
  await dispatcher.idle();
  expect(types()).toEqual(['order.created']);
  expect(await hooks.statuses(id)).toEqual({ stopped: MANY, delivered: 1 });
});

test('disabling by the service and for the plan is finished too', async () => {
  receiver.respondWith(500);
  const { id, storeId } = await withWaiting(1);
  await dispatcher.idle();
  clock.now += 1;
  await hooks.record(storeId, MANY - 1);
  const failing = hooks.dispatcher({ maxInFlight: 2 });
  await failing.cycle();
  await failing.close();
  expect(await findEndpoint(services, id)).toMatchObject({ isActive: false, disabledReason: 'failures' });
  expect((await hooks.statuses(id)).pending).toBeGreaterThan(0);
  receiver.respondWith(200);
  types();
  await dispatcher.idle();
  expect(types()).toEqual([]);
  await maintain(services);
  expect(await hooks.statuses(id)).toEqual({ stopped: MANY });

  const { id: second } = await hooks.endpoint(receiver.url, { storeId });
  const { id: third } = await hooks.endpoint(receiver.url, { storeId });
  await hooks.record(storeId, BATCH_SIZE);
  await setPlan(db, storeId, 'basic', clock.now);
  for (const each of [second, third]) expect(await hooks.statuses(each)).toEqual({ stopped: BATCH_SIZE });
  await setPlan(db, storeId, 'optimal', clock.now);
  await enableEndpoint(services, third);
  await pingEndpoint(services, third);
  await dispatcher.idle();
  expect(types()).toEqual(['ping']);
});

test('resending ends when the endpoint is disabled meanwhile, and returns the count so far', async () => {
  const { id } = await withWaiting();
  await setStatus(id, 'failed');
  const resending = resendFailed(services, id, 0, system).catch((error) => error.detail);
  await disableEndpoint(services, id);
  const outcome = await resending;
  const { stopped = 0, failed = 0, pending = 0 } = await hooks.statuses(id);
  expect([stopped + failed, pending]).toEqual([MANY, 0]);
  expect(outcome).toEqual(stopped ? { count: stopped } : expect.stringContaining('is disabled'));
});

test('batches of a store run one at a time, and a failed batch does not stop the next', async () => {
  let running = 0;
  const work = (index: number) => async () => {
    expect(++running).toBe(1);
    await new Promise(setImmediate);
    running--;
    if (index === 1) throw new Error('no');
    return index;
  };
  const outcomes = await Promise.allSettled([0, 1, 2].map((index) => batchOf('store', work(index))));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('every action on an endpoint is recorded with its actor', async () => {
  const owner = await service.owner();
  const { id: storeId } = await service.store({ ownerId: owner.id });
  const visitor = browser(service);
  await visitor.signIn(owner.email);
  const list = `/stores/${storeId}/webhooks`;
  const { id } = (await visitor.post(list, { url: receiver.url, events: ['order.created'] })).body;
  const path = `${list}/${id}`;
  await visitor.patch(path, { events: ['order.status_changed'] });
  await visitor.post(`${path}/rotate`);
  await visitor.post(`${path}/disable`);
  await hooks.record(storeId, 2);
  await visitor.post(`${path}/enable`, { sendMissed: false });
  await visitor.post(`${path}/enable`, { sendMissed: true });
  await setStatus(id, 'failed');
  const [delivery] = await hooks.log(id);
  await visitor.post(`${path}/deliveries/${delivery?.id}/resend`);
  await visitor.post(`/stores/${storeId}/orders/deliveries/${delivery?.id}/resend`);
  await visitor.post(`${path}/resend`, { status: 'failed' });
  await visitor.post(`${path}/ping`);
  // The store itself was created by the test.
  const entries = await history(storeId);
  const ofEndpoint = entries.filter(({ actor }) => actor === 'owner').map(({ action }) => action);
  expect(ofEndpoint.sort()).toEqual(
    ['created', 'changed', 'rotated', 'disabled', 'enabled', 'resent', 'resent', 'resent', 'resent'].sort(),
  );
  expect(entries.filter(({ actor }) => actor !== 'owner').map(({ action }) => action)).toEqual(['created']);
  const ping = await db.one(sql`select actor_kind, actor_id from events where store_id = ${storeId} and type = 'ping'`);
  expect(ping).toEqual({ actor_kind: 'owner', actor_id: owner.id });
});
