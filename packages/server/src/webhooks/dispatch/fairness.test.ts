import { afterAll, describe, expect, test } from 'vitest';
import { type Receiver, startHolding, startReceiver } from '../../../test/receiver.ts';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { sql } from '../../db/sql.ts';
import { MINUTE } from '../../time/duration.ts';
import { disableEndpoint } from '../endpoints/switch-endpoint.ts';
import { startDispatcher } from './start-dispatcher.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
const hooks = webhooksOf(service);
const { clock } = service;
const dispatcher = hooks.dispatcher();
afterAll(() => dispatcher.close());

/** Independent of the machine's speed: attempts take no time and do not time out. */
const untimed = { timeoutMs: 10 * MINUTE, clock: () => 0 };
const idsOf = (receiver: Receiver) => receiver.received.map(({ headers }) => headers['x-service-delivery']);

describe('isolation', () => {
  test('an endpoint that hangs with 10,000 pending deliveries does not delay another', async () => {
    const hanging = await startReceiver({ respond: () => {} });
    const healthy = await startReceiver();
    const dead = await hooks.endpoint(hanging.url);
    for (let round = 0; round < 10; round++) await hooks.record(dead.storeId, 1000);
    const running = startDispatcher(service.services, { send: untimed });
    await hanging.count(4);

    const other = await hooks.endpoint(healthy.url);
    await hooks.record(other.storeId, 20);
    await healthy.count(20);
    // Still only the initial limit of a new endpoint: no hanging attempt had to finish first.
    expect(hanging.received.length).toBe(4);
    await disableEndpoint(service.services, dead.id);
    await hanging.close();
    await running.stop();
  });

  test('2,000 retries that are due at once do not delay the retry of another endpoint', async () => {
    const hanging = await startReceiver({ respond: () => {} });
    const healthy = await startReceiver();
    const dead = await hooks.endpoint(hanging.url);
    const other = await hooks.endpoint(healthy.url);
    const schedule = (endpointId: string, at: number) =>
      service.db.run(
        sql`update deliveries set is_scheduled = ${true}, next_attempt_at = ${at}
            where endpoint_id = ${endpointId} and status = 'pending'`,
      );
    for (let round = 0; round < 2; round++) await hooks.record(dead.storeId, 1000);
    await hooks.record(other.storeId);
    await schedule(dead.id, clock.now + MINUTE - 1);
    await schedule(other.id, clock.now + MINUTE);
    const running = startDispatcher(service.services, { send: untimed });
    clock.now += MINUTE;
    running.wake();
    await healthy.count(1);
    await hanging.count(4);
    await disableEndpoint(service.services, dead.id);
    await hanging.close();
    await running.stop();
    expect((await hooks.statuses(dead.id)).stopped).toBeGreaterThan(1990);
    expect(await hooks.statuses(other.id)).toEqual({ delivered: 1 });
  });
});

describe('fairness', () => {
  test('eight busy endpoints of one store do not delay a quiet one of another', async () => {
    const busy = await startHolding();
    const quiet = await startReceiver();
    const { id: storeId } = await service.store();
    const endpoints = await Promise.all(
      Array.from({ length: 8 }, (_, index) => hooks.endpoint(`${busy.url}/${index}`, { storeId })),
    );
    await hooks.record(storeId, 50);
    const one = hooks.dispatcher({ maxInFlight: 8, send: untimed });
    await one.cycle();
    // A single store may use at most half of the slots.
    await busy.count(4);
    const other = await hooks.endpoint(quiet.url);
    await hooks.record(other.storeId);
    await one.cycle();
    await quiet.count(1);
    expect([busy.received.length, busy.held.length]).toEqual([4, 4]);

    // As attempts finish, the endpoints of the busy store are served round-robin.
    for (let ended = 1; ended <= 4; ended++) {
      busy.release();
      await busy.count(4 + ended);
    }
    expect(new Set(busy.received.map(({ path }) => path)).size).toBe(8);
    busy.open();
    await one.idle();
    await one.close();
    expect(await hooks.statuses(other.id)).toEqual({ delivered: 1 });
    for (const { id } of endpoints) expect(await hooks.statuses(id)).toEqual({ delivered: 50 });
  });

  test('a claim that cannot start is released, and another dispatcher claims it', async () => {
    const receiver = await startReceiver();
    const { storeId, id } = await hooks.endpoint(receiver.url);
    const one = hooks.dispatcher({ send: untimed });
    // Fast responses first, so that more is claimed than may be in flight.
    await hooks.record(storeId, 10);
    await one.idle();
    const held: (() => void)[] = [];
    receiver.respond((_request, response) => void held.push(() => response.end()));
    await hooks.record(storeId, 40);
    await one.cycle();
    await receiver.count(10 + 14);
    await one.cycle();
    await dispatcher.idle();
    expect(receiver.received.length).toBe(10 + 14);

    clock.now += 1001;
    await one.cycle();
    receiver.respondWith(200);
    await dispatcher.idle();
    expect(receiver.received.length).toBe(50);
    for (const respond of held) respond();
    await one.idle();
    await one.close();
    expect(await hooks.statuses(id)).toEqual({ delivered: 50 });
    expect(new Set(idsOf(receiver)).size).toBe(50);
  });
});
