import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../packages/server/dist/config.js';
import { openDatabase } from '../../packages/server/dist/db/open.js';
import { sql } from '../../packages/server/dist/db/sql.js';
import { servicesFor } from '../../packages/server/dist/services.js';
import { checkUrl } from '../../packages/server/dist/webhooks/dispatch/guard.js';
import { startDispatcher } from '../../packages/server/dist/webhooks/dispatch/start-dispatcher.js';
import { addEndpoint, findEndpoint } from '../../packages/server/dist/webhooks/endpoints/endpoints.js';
import { deliveryLog } from '../../packages/server/dist/webhooks/log/log.js';
import { testDatabase } from '../../packages/server/test/database.ts';
import { startNameServer } from '../../packages/server/test/name-server.ts';
import { call, envOf, serve, shop, storeSales } from '../processes.ts';

/**
 * Stores whose endpoints have names with a silent name server, all of them busy; another store's receiver must get every
 * event at the first attempt. The long form: ATTACK=long npm test -- e2e/attack/dead-dns
 */
const isLong = process.env.ATTACK === 'long';
const TEST_MS = isLong ? 600_000 : 120_000;
const DEAD_STORES = isLong ? 6 : 3;
const ENDPOINTS = 20;
const EVENTS = isLong ? 200 : 30;
const LOOKUP_LIMIT_MS = 5000;

const place = await testDatabase();
// The receiver is on this machine.
const env = envOf(place, {
  RATE_LIMIT_PER_MINUTE: '0',
  WEBHOOK_ALLOW_INTERNAL: 'true',
  SECRET_KEY: 'a secret of the tests: 32 characters',
});
await storeSales(env, ['migrate']);
const node = await serve(env, ['--no-dispatch']);
const config = readConfig(env);
const db = openDatabase({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR });
const services = servicesFor(config, db, pino({ level: 'silent' }));
const names = await startNameServer({ '*.dead.test': 'silent', 'healthy.test': { A: ['127.0.0.1'], ttl: 0 } });

/** When each order's event arrived. Every request comes on a connection of its own, and so after a lookup of its own. */
const arrivals = new Map<string, number>();
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  arrivals.set(JSON.parse(body).data.orderId, performance.now());
  response.writeHead(200, { connection: 'close' }).end();
});
await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
const { port } = receiver.address() as AddressInfo;

const dispatcher = startDispatcher(services, { send: { nameServers: [names.address] } });
afterAll(async () => {
  await dispatcher.stop();
  receiver.close().closeAllConnections();
  await node.stop();
  await db.close();
  await place.drop();
});

/** A product of the store, to order. */
async function product(storeId: string): Promise<string> {
  const id = randomUUID();
  await db.run(
    sql`insert into products (store_id, id, name, price, created_at, updated_at, seq)
        values (${storeId}, ${id}, 'Tea', 100, 1, 1, 0)`,
  );
  return id;
}

const events = ['order.created'];
const sendOrder = async (key: string, productId: string) => {
  const { status, body } = await call(node, key, 'POST', '/api/v1/orders', {
    items: [{ productId, quantity: 1 }],
  });
  expect(status).toBe(201);
  // The order came from another process; it need not wait for the next poll.
  dispatcher.wake();
  return body.data.id as string;
};

/** Sends orders one after another; how long each event took to arrive. */
async function delays(key: string, productId: string): Promise<number[]> {
  const took: number[] = [];
  for (let count = 0; count < EVENTS; count++) {
    const started = performance.now();
    const id = await sendOrder(key, productId);
    await expect.poll(() => arrivals.has(id), { timeout: 60_000, interval: 5 }).toBe(true);
    took.push((arrivals.get(id) as number) - started);
  }
  return took.sort((a, b) => a - b);
}

const figures = (took: number[]) =>
  `${took[took.length >> 1]?.toFixed(0)} ms (median), ${took.at(-1)?.toFixed(0)} ms (worst)`;

test(
  'names with a silent name server do not delay the deliveries of other stores',
  async () => {
    const healthy = await shop(env);
    const { id } = await addEndpoint(services, healthy.storeId, { url: `http://healthy.test:${port}/`, events });
    const tea = await product(healthy.storeId);
    const alone = await delays(healthy.key, tea);

    const dead = await Promise.all(Array.from({ length: DEAD_STORES }, () => shop(env)));
    const deadIds: string[] = [];
    for (const [store, { storeId }] of dead.entries())
      for (let index = 0; index < ENDPOINTS; index++) {
        const url = `http://name${store}-${index}.dead.test/`;
        deadIds.push((await addEndpoint(services, storeId, { url, events })).id);
      }
    let isOver = false;
    const attack = Promise.all(
      dead.map(async ({ key, storeId }) => {
        const productId = await product(storeId);
        for (; !isOver; await sleep(200)) await sendOrder(key, productId);
      }),
    );
    await expect
      .poll(() => names.queries.filter((query) => query.includes('dead')).length, { timeout: 30_000 })
      .toBeGreaterThan(50);

    const entered = performance.now();
    const [beside] = await Promise.all([
      delays(healthy.key, tea),
      expect(
        checkUrl('https://entered.dead.test/', { allowInternal: false, nameServers: [names.address] }),
      ).rejects.toThrow(/did not respond in time/),
    ]);
    // Until the first attempts have run into the limit of their lookup.
    await sleep(Math.max(0, LOOKUP_LIMIT_MS + 1500 - (performance.now() - entered)));
    isOver = true;
    await attack;

    const log = await deliveryLog(services, id, { limit: 10_000 });
    expect(log).toHaveLength(2 * EVENTS);
    for (const { attempts } of log) expect(attempts.map(({ error }) => error)).toEqual([null]);
    expect(beside.at(-1)).toBeLessThan(5 * (alone.at(-1) as number) + LOOKUP_LIMIT_MS);
    // Not being able to look a name up is no failure of the endpoint.
    const tried = await Promise.all(deadIds.map((each) => deliveryLog(services, each, { limit: 10_000 })));
    const errors = new Set(tried.flat().flatMap(({ attempts }) => attempts.map(({ error }) => error)));
    expect([...errors]).toEqual(['name could not be looked up']);
    for (const each of deadIds) expect((await findEndpoint(services, each)).consecutiveFailures).toBe(0);
    console.log(`dead-dns: ${figures(alone)} alone, ${figures(beside)} beside ${deadIds.length} silent names`);
  },
  TEST_MS,
);
