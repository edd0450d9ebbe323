import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { system } from '../../packages/server/dist/actor.js';
import { readConfig } from '../../packages/server/dist/config.js';
import { openDatabase } from '../../packages/server/dist/db/open.js';
import { sql } from '../../packages/server/dist/db/sql.js';
import { recordEvents } from '../../packages/server/dist/webhooks/outbox/outbox.js';
import { testDatabase } from '../../packages/server/test/database.ts';
import { addHook, call, envOf, serve, shop, storeSales } from '../processes.ts';

/**
 * One store with eight endpoints that always have something waiting and take 100 ms to respond; another store's quiet
 * endpoint must get its events as if it were alone. The long form: ATTACK=long npm test -- e2e/attack/busy-endpoints
 */
const isLong = process.env.ATTACK === 'long';
const TEST_MS = isLong ? 600_000 : 120_000;
const ENDPOINTS = 8;
/** Events that wait at each of them all the time. */
const BACKLOG = 300;
const EVENTS = isLong ? 200 : 30;
const RESPONSE_MS = 100;

const place = await testDatabase();
// The receivers are on this machine.
const env = envOf(place, { RATE_LIMIT_PER_MINUTE: '0', WEBHOOK_ALLOW_INTERNAL: 'true' });
await storeSales(env, ['migrate']);
const [busy, quiet] = [await shop(env), await shop(env)];
const node = await serve(env);
const config = readConfig({ SECRET_KEY: 'a secret of the tests: 32 characters', ...env });
const db = openDatabase({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR });

/** A receiver that responds after a while, and when each order's event arrived at it. */
async function receiver(delayMs: number) {
  const arrivals = new Map<string, number>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    arrivals.set(JSON.parse(body).data.orderId, performance.now());
    if (delayMs) await sleep(delayMs);
    response.end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { server, arrivals, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}
const [slow, fast] = [await receiver(RESPONSE_MS), await receiver(0)];
afterAll(async () => {
  for (const { server } of [slow, fast]) server.close().closeAllConnections();
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
const productId = await product(quiet.storeId);

/** Sends orders of the quiet store; how long each event took to arrive. */
async function delays(): Promise<number[]> {
  const took: number[] = [];
  for (let count = 0; count < EVENTS; count++) {
    const started = performance.now();
    const order = { items: [{ productId, quantity: 1 }] };
    const { status, body } = await call(node, quiet.key, 'POST', '/api/v1/orders', order);
    expect(status).toBe(201);
    await expect.poll(() => fast.arrivals.has(body.data.id), { timeout: 60_000, interval: 5 }).toBe(true);
    took.push((fast.arrivals.get(body.data.id) as number) - started);
  }
  return took.sort((a, b) => a - b);
}

const figures = (took: number[]) =>
  `${took[took.length >> 1]?.toFixed(0)} ms (median), ${took.at(-1)?.toFixed(0)} ms (worst)`;

test(
  'eight busy endpoints of one store do not delay a quiet one of another',
  async () => {
    await addHook(env, quiet.storeId, fast.url);
    const alone = await delays();

    for (let index = 0; index < ENDPOINTS; index++) await addHook(env, busy.storeId, `${slow.url}${index}`);
    const event = () => ({
      type: 'order.created' as const,
      orderId: randomUUID(),
      externalId: '',
      at: Date.now(),
      actor: system,
    });
    let [recorded, isOver] = [0, false];
    const attack = (async () => {
      for (; !isOver; await sleep(50)) {
        const missing = BACKLOG - (recorded - slow.arrivals.size);
        if (missing <= 0) continue;
        recorded += missing;
        const events = Array.from({ length: missing }, event);
        await db.transaction(async (tx) => recordEvents(tx, busy.storeId, events, Date.now()));
      }
    })();
    // They are known to respond.
    await expect.poll(() => slow.arrivals.size, { timeout: 60_000 }).toBeGreaterThan(100);
    const before = slow.arrivals.size;
    const beside = await delays();
    const meanwhile = slow.arrivals.size - before;
    isOver = true;
    await attack;
    console.log(
      `busy-endpoints: ${figures(alone)} alone, ${figures(beside)} beside ${ENDPOINTS} busy ones, which got ${meanwhile}`,
    );

    expect(meanwhile).toBeGreaterThan(0);
    // Before stores took turns this was seconds, and half a minute at worst.
    const median = (took: number[]) => took[took.length >> 1] as number;
    expect(median(beside)).toBeLessThan(5 * median(alone) + 1000);
    expect(beside.at(-1)).toBeLessThan(5 * (alone.at(-1) as number) + 5000);
  },
  TEST_MS,
);
