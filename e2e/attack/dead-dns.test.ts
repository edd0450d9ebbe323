import { setTimeout as sleep } from 'node:timers/promises';
import { servicesFor } from '@store-sales/server/services';
import { checkUrl } from '@store-sales/server/webhooks/address-guard/guard';
import { startDispatcher } from '@store-sales/server/webhooks/dispatch/start-dispatcher';
import { addEndpoint } from '@store-sales/server/webhooks/endpoints/edit-endpoints';
import { findEndpoint } from '@store-sales/server/webhooks/endpoints/find-endpoints';
import { listDeliveries } from '@store-sales/server/webhooks/log/delivery-log';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { startNameServer } from '../../packages/server/test/name-server.ts';
import { shop } from '../processes.ts';
import { startInstallation, startTimedReceiver, summary } from './timed-deliveries.ts';

/**
 * All endpoints of some busy stores have names with a silent name server. The receiver of another store must get every
 * event at the first attempt. The long form: ATTACK=long npm test -- e2e/attack/dead-dns
 */
const isLong = process.env.ATTACK === 'long';
const TEST_MS = isLong ? 600_000 : 120_000;
const DEAD_STORES = isLong ? 6 : 3;
const ENDPOINTS = 20;
const EVENTS = isLong ? 200 : 30;
const MAX_LOOKUP_MS = 5000;

const { env, config, db, addProduct, createOrder } = await startInstallation(['--no-dispatch']);
const services = servicesFor(config, db, pino({ level: 'silent' }));
const names = await startNameServer({ '*.dead.test': 'silent', 'healthy.test': { A: ['127.0.0.1'], ttl: 0 } });
// A new connection for each request, so that each needs a lookup.
const receiver = await startTimedReceiver({ headers: { connection: 'close' } });
const dispatcher = startDispatcher(services, { send: { nameServers: [names.address] } });
afterAll(() => dispatcher.stop());

const events = ['order.created'];

/** Creates an order and wakes the dispatcher, which otherwise finds orders of another process at its next poll. */
async function sendOrder(key: string, productId: string): Promise<string> {
  const id = await createOrder(key, productId);
  dispatcher.wake();
  return id;
}

const log = async (storeId: string, endpointId: string) =>
  (await listDeliveries(services, { storeId, endpointId }, {}, { limit: 10_000 })).deliveries;

test(
  'names with a silent name server do not delay the deliveries of other stores',
  async () => {
    const healthy = await shop(env);
    const { id } = await addEndpoint(services, healthy.storeId, {
      url: `http://healthy.test:${receiver.port}/`,
      events,
    });
    const tea = await addProduct(healthy.storeId);
    const delays = () => receiver.delays(EVENTS, () => sendOrder(healthy.key, tea));
    const alone = await delays();

    const stores = await Promise.all(Array.from({ length: DEAD_STORES }, () => shop(env)));
    const dead: { storeId: string; id: string }[] = [];
    for (const [store, { storeId }] of stores.entries())
      for (let index = 0; index < ENDPOINTS; index++) {
        const url = `http://name${store}-${index}.dead.test/`;
        dead.push({ storeId, id: (await addEndpoint(services, storeId, { url, events })).id });
      }
    let isDone = false;
    const attack = Promise.all(
      stores.map(async ({ key, storeId }) => {
        const productId = await addProduct(storeId);
        for (; !isDone; await sleep(200)) await sendOrder(key, productId);
      }),
    );
    await expect
      .poll(() => names.queries.filter((query) => query.includes('dead')).length, { timeout: 30_000 })
      .toBeGreaterThan(50);

    const [underLoad] = await Promise.all([
      delays(),
      expect(
        checkUrl('https://entered.dead.test/', { allowInternal: false, nameServers: [names.address] }),
      ).rejects.toThrow(/did not respond in time/),
    ]);
    // The first attempts have failed, since their lookups timed out.
    const attempts = async () =>
      (await Promise.all(dead.map((each) => log(each.storeId, each.id)))).flat().flatMap((each) => each.attempts);
    await expect.poll(async () => (await attempts()).length, { timeout: 30_000 }).toBeGreaterThan(0);
    isDone = true;
    await attack;

    // An outcome is recorded after the response.
    const isRecorded = async () => (await log(healthy.storeId, id)).every(({ attempts }) => attempts.length > 0);
    await expect.poll(isRecorded, { timeout: 30_000 }).toBe(true);
    const delivered = await log(healthy.storeId, id);
    expect(delivered).toHaveLength(2 * EVENTS);
    for (const { attempts } of delivered) expect(attempts.map(({ error }) => error)).toEqual([null]);
    expect(underLoad.at(-1)).toBeLessThan(5 * (alone.at(-1) as number) + MAX_LOOKUP_MS);
    // A failed lookup is not a failure of the endpoint.
    const errors = new Set((await attempts()).map(({ error }) => error));
    expect([...errors]).toEqual(['dns_failed']);
    for (const each of dead) expect((await findEndpoint(services, each.id)).consecutiveFailures).toBe(0);
    console.log(`dead-dns: ${summary(alone)} alone, ${summary(underLoad)} with ${dead.length} silent names`);
  },
  TEST_MS,
);
