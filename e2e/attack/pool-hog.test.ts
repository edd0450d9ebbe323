import { Agent, request as httpRequest } from 'node:http';
import { Worker } from 'node:worker_threads';
import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import { afterAll, expect, test } from 'vitest';
import { engine, migratedDatabase } from '../../packages/server/test/database.ts';
import { insertOrders, insertProducts } from '../../packages/server/test/rows.ts';
import { call, envOf, serve, shop } from '../processes.ts';

/**
 * One store overloads the database: it disables a status with many orders, sends bursts of new orders and reads the
 * largest possible pages. The latency of another store must stay within limits.
 * The long form: ATTACK=long npm test -- e2e/attack/pool-hog
 */
const isLong = process.env.ATTACK === 'long';
const ORDERS = isLong ? 100_000 : 5000;
const SECONDS = isLong ? 15 : 4;
/** The limit for the other store: three times its value without load, or this; far more on a busy machine. */
const CEILING_MS = isLong ? 250 : 2000;
/** The short form has a few dozen values, of which one pause of a busy machine would decide the highest. */
const SHARE = isLong ? 0.99 : 0.5;
/** The largest page: every order has the maximum number of lines. */
const LARGE_ORDERS = 100;
const LINES = 500;

const testDb = await migratedDatabase();
// Its large orders have lines without products and totals.
testDb.damages = ['unreadable'];
const env = envOf(testDb, { RATE_LIMIT_PER_MINUTE: '0' });
const node = await serve(env);
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const db = openDatabase({ databaseUrl: testDb.DATABASE_URL, dataDir: testDb.DATA_DIR });
afterAll(async () => {
  agent.destroy();
  await node.stop();
  await db.close();
  await testDb.drop();
});

const order = JSON.stringify({ items: [{ sku: 'TEA', quantity: 1 }] });

/** Returns the response status and discards the body. */
function send(key: string, method: string, path: string, body?: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${node.url}/api/v1${path}`, { agent, method, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode as number));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

interface Times {
  create: number[];
  read: number[];
  statuses: number[];
}

/** Creates and reads orders sequentially in a worker thread; returns a function that stops it. */
function measure(key: string): () => Promise<Times> {
  const worker = new Worker(
    `const { parentPort, workerData: { url, key, order } } = require('node:worker_threads');
    let isDone = false;
    parentPort.once('message', () => { isDone = true; });
    const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
    (async () => {
      const times = { create: [], read: [], statuses: [] };
      const timed = async (name, path, options) => {
        const started = performance.now();
        const response = await fetch(url + path, { headers, ...options });
        await response.arrayBuffer();
        times[name].push(performance.now() - started);
        times.statuses.push(response.status);
      };
      while (!isDone) {
        await timed('create', '/api/v1/orders', { method: 'POST', body: order });
        await timed('read', '/api/v1/orders?limit=10', {});
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      parentPort.postMessage(times);
    })();`,
    { eval: true, workerData: { url: node.url, key, order } },
  );
  const done = new Promise<Times>((resolve, reject) => worker.once('message', resolve).once('error', reject));
  done.catch(() => {});
  return () => {
    worker.postMessage('stop');
    return done;
  };
}

const at = (times: number[], share: number) =>
  [...times].sort((a, b) => a - b)[Math.ceil((times.length - 1) * share)] as number;
const summary = (times: number[]) =>
  `p50 ${at(times, 0.5).toFixed(0)} ms, p99 ${at(times, 0.99).toFixed(0)} ms, max ${at(times, 1).toFixed(0)} ms (${times.length})`;

async function attackedStore() {
  const { storeId, key } = await shop(env);
  const status = await call(node, key, 'POST', '/api/v1/references/order-statuses', {
    group: 'packing',
    name: 'Doomed',
  });
  const statusId: string = status.body.data.id;
  const unpaid = await db.one<{ id: string }>(
    sql`select id from payment_statuses where store_id = ${storeId} and code = 'unpaid'`,
  );
  await insertProducts(db, storeId, [{ sku: 'TEA' }]);
  const seeds = Array(ORDERS).fill({ status_id: statusId, payment_status_id: unpaid?.id as string });
  const orders = await insertOrders(db, storeId, seeds);
  const line = { id: orders[0]?.id, productId: orders[0]?.id, name: 'x'.repeat(200), sku: 'x', quantity: 1 };
  const items = JSON.stringify(Array(LINES).fill(line));
  const first = (orders[LARGE_ORDERS - 1] as (typeof orders)[number]).seq;
  await db.run(sql`update orders set document = ',"notes":""', items = '[]' where store_id = ${storeId}`);
  await db.run(sql`update orders set items = ${items} where store_id = ${storeId} and number <= ${first}`);
  return { key, statusId };
}

test(`a store that disables a status of ${ORDERS} orders and sends bursts does not delay another on ${engine}`, async () => {
  const noisy = await attackedStore();
  const quiet = await shop(env);
  await insertProducts(db, quiet.storeId, [{ sku: 'TEA' }]);

  const endAlone = measure(quiet.key);
  await new Promise((resolve) => setTimeout(resolve, isLong ? 5000 : 1500));
  const alone = await endAlone();

  const statuses = new Map<number, number>();
  let isDone = false;
  const repeat = async (count: number, request: () => Promise<number>) => {
    const client = async () => {
      while (!isDone) {
        const status = await request();
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 503) await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    await Promise.all(Array.from({ length: count }, client));
  };
  const bounded = `/orders?limit=100&filter[updatedAt][to]=1971-01-01T00:00:00Z`;
  const disabled = send(
    noisy.key,
    'PATCH',
    `/references/order-statuses/${noisy.statusId}`,
    JSON.stringify({ isActive: false }),
  );
  const clients = [
    repeat(60, () => send(noisy.key, 'POST', '/orders', order)),
    repeat(5, () => send(noisy.key, 'GET', '/orders?limit=100&with=items&order=createdAt:asc')),
    repeat(10, () => send(noisy.key, 'GET', bounded)),
    repeat(20, () => send(noisy.key, 'GET', '/products?limit=100')),
    repeat(20, () => send(noisy.key, 'POST', '/references/warehouses', '{"name":"x"}')),
  ];
  const endAttack = measure(quiet.key);
  const started = Date.now();
  expect(await disabled).toBe(200);
  const movedMs = Date.now() - started;
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, SECONDS * 1000 - movedMs)));
  const during = await endAttack();
  isDone = true;
  await Promise.all(clients);

  console.info(
    `${engine}, ${ORDERS} orders moved in ${movedMs} ms: create alone ${summary(alone.create)}, attacked ${summary(during.create)}; ` +
      `read alone ${summary(alone.read)}, attacked ${summary(during.read)}; attacker ${JSON.stringify([...statuses])}`,
  );
  expect(new Set(during.statuses)).toEqual(new Set([200, 201]));
  for (const kind of ['create', 'read'] as const)
    expect(at(during[kind], SHARE)).toBeLessThan(Math.max(CEILING_MS, 3 * at(alone[kind], SHARE)));
  expect([...statuses.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([]);
}, 600_000);
