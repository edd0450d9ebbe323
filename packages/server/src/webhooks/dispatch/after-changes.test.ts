import { verify } from '@store-sales/contract';
import { afterAll, describe, expect, test } from 'vitest';
import { startHolding, startReceiver } from '../../../test/receiver.ts';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { setPlan } from '../../accounts/stores.ts';
import { openDatabase } from '../../db/open.ts';
import { type Services, servicesFor } from '../../services.ts';
import { MINUTE } from '../../time/duration.ts';
import { changeEndpoint } from '../endpoints/edit-endpoints.ts';
import { pingEndpoint } from '../endpoints/ping-endpoint.ts';
import { rotateSecret } from '../endpoints/rotate-secret.ts';
import { disableEndpoint } from '../endpoints/switch-endpoint.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
const hooks = webhooksOf(service);
const { clock, db } = service;
const dispatcher = hooks.dispatcher();
afterAll(() => dispatcher.close());

/** Independent of the machine's speed: attempts take no time and do not time out. */
const untimed = { timeoutMs: 10 * MINUTE, clock: () => 0 };

describe('after a change was acknowledged', () => {
  /** A dispatcher with claims that wait while others are in flight. */
  async function withWaitingClaims() {
    const receiver = await startHolding();
    const { storeId, id, secret } = await hooks.endpoint(receiver.url);
    await hooks.record(storeId, 6);
    const one = hooks.dispatcher({ maxInFlight: 4, send: untimed });
    const { started, isSaturated } = await one.cycle();
    expect([started, isSaturated]).toEqual([4, true]);
    await receiver.count(2);
    const finish = async () => {
      receiver.open();
      await one.idle();
      await one.close();
    };
    return { receiver, storeId, id, secret, finish };
  }
  /** Runs work as another process on the same database. */
  const elsewhere = async (work: (services: Services) => Promise<unknown>) => {
    const { config, log, now } = service.services;
    const database = openDatabase({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR });
    await work(servicesFor(config, database, log, now));
    await database.close();
  };
  const here = (work: (services: Services) => Promise<unknown>) => work(service.services);

  test.each([
    ['in this process', here],
    ['in another process', elsewhere],
  ])('nothing more is sent to an endpoint disabled %s', async (_name, change) => {
    const { receiver, id, finish } = await withWaitingClaims();
    await change((services) => disableEndpoint(services, id));
    await finish();
    expect(receiver.received.length).toBe(2);
    expect(await hooks.statuses(id)).toEqual({ delivered: 2, stopped: 4 });
  });

  test('nothing more is sent for a store that left the Optimal plan', async () => {
    const { receiver, storeId, id, finish } = await withWaitingClaims();
    await setPlan(db, storeId, 'basic', clock.now);
    await finish();
    expect(receiver.received.length).toBe(2);
    expect(await hooks.statuses(id)).toEqual({ delivered: 2, stopped: 4 });
  });

  test.each([
    ['in this process', here],
    ['in another process', elsewhere],
  ])('nothing more is sent to the old URL after a change %s', async (_name, change) => {
    const { receiver, id, finish } = await withWaitingClaims();
    const moved = await startReceiver();
    await change((services) => changeEndpoint(services, id, { url: moved.url }));
    await finish();
    expect([receiver.received.length, moved.received.length]).toEqual([2, 4]);
    expect(await hooks.statuses(id)).toEqual({ delivered: 6 });
  });

  test('every request is signed with the new secret', async () => {
    const { receiver, id, secret, finish } = await withWaitingClaims();
    const { secret: rotated } = await rotateSecret(service.services, id);
    await finish();
    const signedWith = async (key: string) => {
      const checks = receiver.received.map(({ body, headers }) =>
        verify(body, headers['x-service-signature'], key, { now: clock.now }),
      );
      return (await Promise.all(checks)).map(({ ok }) => ok);
    };
    expect(await signedWith(rotated)).toEqual([false, false, true, true, true, true]);
    expect(await signedWith(secret)).toEqual([true, true, true, true, true, true]);
  });

  test('a ping to a disabled endpoint is sent', async () => {
    const receiver = await startReceiver();
    const { id } = await hooks.endpoint(receiver.url);
    await disableEndpoint(service.services, id);
    await pingEndpoint(service.services, id);
    await dispatcher.idle();
    expect(receiver.received.map(({ json }) => json.type)).toEqual(['ping']);
  });
});
