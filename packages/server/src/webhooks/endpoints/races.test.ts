import { expect, test } from 'vitest';
import { browser } from '../../../test/browser.ts';
import { deadlocksOf } from '../../../test/deadlocks.ts';
import { doneOrBlocked } from '../../../test/lock-wait.ts';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { setPlan } from '../../accounts/stores.ts';
import { system } from '../../actor.ts';
import { sql } from '../../db/sql.ts';
import { MAX_ENDPOINTS } from '../../limits.ts';
import { addEndpoint, changeEndpoint } from './edit-endpoints.ts';
import { findEndpoint, listEndpoints } from './find-endpoints.ts';
import { resendMissed } from './resend.ts';
import { disableEndpoint, enableEndpoint } from './switch-endpoint.ts';
import { stopForPlan, switchOff } from './switch-off.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
const hooks = webhooksOf(service);
const { clock, db, services } = service;
const strict = { ...services, config: { ...services.config, WEBHOOK_ALLOW_INTERNAL: false } };
const events = ['order.created'];

/** A resolver that responds on demand; `asked` resolves when it has been called. */
function slowResolver() {
  let asked = () => {};
  let respond = (_addresses: string[]) => {};
  return {
    asked: new Promise<void>((resolve) => {
      asked = resolve;
    }),
    respond: (addresses: string[]) => respond(addresses),
    resolve: () => {
      asked();
      return new Promise<string[]>((resolve) => {
        respond = resolve;
      });
    },
  };
}

test('an endpoint is not added if the store leaves the Optimal plan during the DNS lookup', async () => {
  const { id: storeId } = await service.store();
  const dns = slowResolver();
  const adding = addEndpoint(strict, storeId, { url: 'https://hooks.example.com/', events }, dns.resolve);
  await dns.asked;
  await setPlan(db, storeId, 'basic', clock.now);
  dns.respond(['93.184.215.14']);
  await expect(adding).rejects.toMatchObject({ code: 'plan_required' });
  expect(await listEndpoints(services, storeId)).toEqual([]);
});

test('an endpoint is not changed if the store leaves the Optimal plan during the DNS lookup', async () => {
  const { id, storeId } = await hooks.endpoint('https://example.com/1');
  const dns = slowResolver();
  const changing = changeEndpoint(strict, id, { url: 'https://hooks.example.com/' }, dns.resolve);
  await dns.asked;
  await setPlan(db, storeId, 'basic', clock.now);
  dns.respond(['93.184.215.14']);
  await expect(changing).rejects.toMatchObject({ code: 'plan_required' });
  expect(await findEndpoint(services, id)).toMatchObject({ url: 'https://example.com/1', isActive: false });
});

test('an endpoint is not enabled while the plan is being changed', async () => {
  const { id, storeId } = await hooks.endpoint('https://example.com/1');
  let enabling: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    await tx.run(sql`update stores set plan = 'basic' where id = ${storeId}`);
    await stopForPlan(tx, storeId, clock.now);
    enabling = enableEndpoint(services, id);
    enabling.catch(() => {});
    await doneOrBlocked(db, enabling);
  });
  await expect(enabling).rejects.toMatchObject({ code: 'plan_required' });
  expect(await findEndpoint(services, id)).toMatchObject({ isActive: false, disabledReason: 'plan' });
});

test('a store that leaves the plan while its events are recorded is in no deadlock', async () => {
  const { id: first, storeId } = await hooks.endpoint('https://example.com/1');
  const { id: second } = await hooks.endpoint('https://example.com/2', { storeId });
  // PostgreSQL writes the changed row behind the others, and reads it after them.
  await db.run(
    sql`update webhook_endpoints set url = ${`https://example.com/${'1'.repeat(1900)}`} where id = ${first}`,
  );
  await db.run(sql`analyze webhook_endpoints`);
  const before = await deadlocksOf(db);
  let recording: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    await switchOff(tx, storeId, first, 'plan', clock.now);
    recording = hooks.record(storeId);
    await doneOrBlocked(db, recording);
    await switchOff(tx, storeId, second, 'plan', clock.now);
  });
  await recording;
  expect(await deadlocksOf(db)).toBe(before);
  expect([await hooks.statuses(first), await hooks.statuses(second)]).toEqual([{ skipped: 1 }, { skipped: 1 }]);
});

test('what was missed is not sent, and nothing fails, if the endpoint is disabled again after enabling', async () => {
  const { id, storeId } = await hooks.endpoint('https://example.com/1');
  await disableEndpoint(services, id);
  await hooks.record(storeId);
  expect(await resendMissed(services, id, system, undefined)).toBe(0);
  expect(await hooks.statuses(id)).toEqual({ skipped: 1 });
});

test('concurrent changes of different fields are both kept', async () => {
  const { id } = await hooks.endpoint('https://example.com/1');
  const dns = slowResolver();
  const changing = changeEndpoint(strict, id, { url: 'https://hooks.example.com/' }, dns.resolve);
  await dns.asked;
  await changeEndpoint(services, id, { events: ['order.created'] });
  dns.respond(['93.184.215.14']);
  expect(await changing).toMatchObject({ url: 'https://hooks.example.com/', events: ['order.created'] });
});

test(`a store has at most ${MAX_ENDPOINTS} endpoints, however many are added at once`, async () => {
  const owner = await service.owner();
  const { id: storeId } = await service.store({ ownerId: owner.id });
  for (let count = 1; count < MAX_ENDPOINTS; count++) await hooks.endpoint('https://example.com/', { storeId });
  // All pass the first limit check, before the DNS lookup.
  const adding = Array.from({ length: 4 }, () => {
    const dns = slowResolver();
    return { dns, added: addEndpoint(strict, storeId, { url: 'https://hooks.example.com/', events }, dns.resolve) };
  });
  const outcomes = Promise.allSettled(adding.map(({ added }) => added));
  for (const { dns } of adding) await dns.asked;
  for (const { dns } of adding) dns.respond(['93.184.215.14']);
  expect((await outcomes).map(({ status }) => status).sort()).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
  ]);
  expect(await listEndpoints(services, storeId)).toHaveLength(MAX_ENDPOINTS);

  const visitor = browser(service);
  await visitor.signIn(owner.email);
  const { status, body } = await visitor.post(`/stores/${storeId}/webhooks`, { url: 'https://example.com/', events });
  expect([status, body.code]).toEqual([409, 'limit_reached']);
  expect(body.detail).toMatch(/at most 20 webhook endpoints/);
  expect(body.params).toEqual({ limit: 'webhook_endpoints', max: 20 });
  // The limit is the store's: another store of the owner has its own.
  const { id: other } = await service.store({ ownerId: owner.id });
  expect((await visitor.post(`/stores/${other}/webhooks`, { url: 'https://example.com/', events })).status).toBe(201);
});
