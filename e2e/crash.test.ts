import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from '@store-sales/contract';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../packages/server/src/db/open.ts';
import { sql } from '../packages/server/src/db/sql.ts';
import { seededRandom } from '../packages/server/src/demo/random.ts';
import { engine, testDatabase } from '../packages/server/test/database.ts';
import { insertProducts } from '../packages/server/test/rows.ts';
import { cluster, hasClusters } from './cluster.ts';
import { faultsOf } from './consistency.ts';
import { addHook, call, dispatch, envOf, type Node, type Process, serve, shop } from './processes.ts';
import { type Received, receiver } from './receiver.ts';

/** The long form: CRASH_KILLS=100 CRASH_SEED=… npm test -- e2e/crash */
const KILLS = Number(process.env.CRASH_KILLS ?? 8);
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
const luck = seededRandom(SEED);

const place = await testDatabase();
/** With PostgreSQL the database server is killed too, so it has to be one of the test's own. */
const server = engine === 'postgres' && hasClusters ? await cluster() : undefined;
const DATABASE_URL = server?.url ?? place.DATABASE_URL;
const env = envOf(DATABASE_URL ? { ...place, DATABASE_URL } : place, {
  RATE_LIMIT_PER_MINUTE: '0',
  WEBHOOK_ALLOW_INTERNAL: 'true',
  WEBHOOK_TIMEOUT: '1s',
  // As many short tries as it takes: a third fail, and a killed dispatcher's attempt is lost.
  WEBHOOK_RETRY_DELAYS: Array(60).fill('1s').join(','),
  LOG_LEVEL: 'silent',
});
const db = openDatabase({ databaseUrl: DATABASE_URL, dataDir: place.DATA_DIR });
const nodes: Node[] = [];
let dispatcher: Process | undefined;
let isAbandoned = false;
afterAll(async () => {
  isAbandoned = true;
  await Promise.all([...nodes, dispatcher].map((one) => one?.kill()));
  await db.close();
  await server?.drop();
  await place.drop();
});

const anyNode = () => luck.pick(nodes);

test(
  `${KILLS} kills under load (seed ${SEED}): what was acknowledged is there once, and every event arrives`,
  async () => {
    nodes.push(await serve(env), await serve(env, ['--no-dispatch']));
    dispatcher = await dispatch(env);
    const { key, storeId } = await shop(env);
    await insertProducts(db, storeId, [
      { sku: 'A', price: 100 },
      { sku: 'B', price: 7 },
    ]);
    const copy = liveCopy(key);
    const hooks = await receiver(copy.answer, () => luck.between(0, 20));
    const endpoint = await addHook(env, storeId, hooks.url);
    const clients = writers(key);

    const kills: Record<string, () => Promise<unknown>> = {
      async dispatch() {
        await dispatcher?.kill();
        dispatcher = await dispatch(env);
      },
      serve: () => restart(0),
      'serve --no-dispatch': () => restart(1, '--no-dispatch'),
      ...(server && { database: () => server.kill().then(server.start) }),
    };
    const restart = async (index: number, ...args: string[]) => {
      await (nodes[index] as Node).kill();
      nodes[index] = await serve(env, args);
    };
    const killed: Record<string, number> = {};
    let checked = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(luck.between(100, 600));
      // Each of them once at least, then by chance.
      const which = Object.keys(kills)[kill] ?? luck.pick(Object.keys(kills));
      await kills[which]?.();
      killed[which] = (killed[which] ?? 0) + 1;
      checked = await checkSince(checked, storeId, clients.acknowledged);
    }
    await clients.stop();
    await checkSince(0, storeId, clients.acknowledged);

    // Every event reaches the receiver, which then holds what the service holds.
    const events = await db.all<{ id: string }>(sql`select id from events where store_id = ${storeId}`);
    const missing = () => {
      const arrived = new Set(hooks.received.map(({ event }) => event.id));
      return events.filter(({ id }) => !arrived.has(id)).length;
    };
    const late = { timeout: 90_000 + KILLS * 1000, interval: 500 };
    await expect.poll(missing, late).toBe(0);
    const unsettled = () =>
      db.all(sql`select id from deliveries where store_id = ${storeId} and status <> 'delivered'`);
    await expect.poll(unsettled, late).toEqual([]);
    expect(hooks.overlaps).toEqual([]);
    for (const { headers, body } of hooks.received)
      expect(isSigned(headers['x-service-signature'] as string, body, endpoint.secret)).toBe(true);
    const orders = await allOrders(key);
    expect([...copy.held.values()].sort(byId)).toEqual(orders.sort(byId));
    for (const [externalId, { id, status, paymentStatus }] of clients.acknowledged)
      expect(copy.held.get(id)).toMatchObject({
        externalId,
        status: { code: status },
        paymentStatus: { code: paymentStatus },
      });

    await Promise.all([...nodes, dispatcher].map((one) => one.stop()));
    await hooks.close();
    console.info(
      `seed ${SEED}: ${KILLS} kills ${JSON.stringify(killed)}, ${clients.acknowledged.size} acknowledged orders with ` +
        `${clients.changes()} changes, ${events.length} events, ${hooks.received.length} accepted and ${copy.refused()} refused deliveries`,
    );
  },
  300_000 + KILLS * 20_000,
);

interface Known {
  id: string;
  status: string;
  paymentStatus: string;
}

/** What was acknowledged is there once, and everything that changed since agrees with itself. */
async function checkSince(since: number, storeId: string, acknowledged: Map<string, Known>) {
  const known = [...acknowledged];
  const reached = await db.one<{ seq: number }>(sql`select seq from store_clocks where store_id = ${storeId}`);
  expect(await faultsOf(db, storeId, since)).toEqual([]);
  const rows = await db.all<{ id: string; external_id: string }>(
    sql`select id, external_id from orders where store_id = ${storeId}`,
  );
  const ids = new Map(rows.map((row) => [row.external_id, row.id]));
  expect(ids.size).toBe(rows.length);
  for (const [externalId, { id }] of known) expect(ids.get(externalId)).toBe(id);
  if (engine === 'sqlite')
    expect(await db.one(sql`select integrity_check as found from pragma_integrity_check`)).toEqual({ found: 'ok' });
  return reached?.seq ?? 0;
}

/** Clients that repeat what was cut off, as the contract lets them, until they are stopped. */
function writers(key: string) {
  const acknowledged = new Map<string, Known>();
  let isOver = false;
  let [serial, changes] = [0, 0];

  async function repeat<Result>(attempt: () => Promise<Result | undefined>) {
    for (;;) {
      const done = await attempt().catch(() => undefined);
      if (done !== undefined) return done;
      if (isAbandoned) throw new Error('the test is over');
      await sleep(5);
    }
  }
  const create = (externalId: string, items: object[]) =>
    repeat(async () => {
      const reply = await call(anyNode(), key, 'POST', '/api/v1/orders', { externalId, items });
      return reply.status < 300 ? (reply.body.data.id as string) : undefined;
    });
  const change = (id: string, to: { status: string; paymentStatus: string }) =>
    repeat(async () => (await call(anyNode(), key, 'PATCH', `/api/v1/orders/${id}`, to)).status === 200 || undefined);

  async function write() {
    while (!isOver) {
      // No faster than a receiver that refuses a third can follow.
      await sleep(luck.between(0, 150));
      const externalId = `o-${serial++}`;
      const items = ['A', 'B'].slice(luck.between(0, 1)).map((sku) => ({ sku, quantity: luck.between(1, 5) }));
      const id = await create(externalId, items);
      acknowledged.set(externalId, { id, status: 'new', paymentStatus: 'unpaid' });
      for (let step = luck.between(0, 3); step > 0; step--) {
        const to = { status: luck.pick(['new', 'packing', 'completed']), paymentStatus: luck.pick(['unpaid', 'paid']) };
        await change(id, to);
        acknowledged.set(externalId, { id, ...to });
        changes++;
      }
    }
  }
  const all = Promise.all(Array.from({ length: 4 }, write));
  all.catch(() => {});
  return {
    acknowledged,
    changes: () => changes,
    async stop() {
      isOver = true;
      await all;
    },
  };
}

/**
 * A receiver as the guide describes it: an event it knows already is skipped, any other is answered after the order
 * was read. A third of what comes in is refused, and so is what could not be read because a node was just killed.
 */
function liveCopy(key: string) {
  const held = new Map<string, Order>();
  const seen = new Set<string>();
  const turns = new Map<string, Promise<unknown>>();
  let [requests, refused] = [0, 0];

  async function handle({ event }: Received) {
    if (requests++ % 3 === 2) return 500;
    if (seen.has(event.id)) return 200;
    const { orderId } = event.data;
    // One after another for each order: an older answer never replaces a newer one.
    const turn = (turns.get(orderId) ?? Promise.resolve()).then(async () => {
      const { status, body } = await call(anyNode(), key, 'GET', `/api/v1/orders/${orderId}`);
      if (status !== 200) return 500;
      held.set(orderId, body.data);
      seen.add(event.id);
      return 200;
    });
    const answer = turn.catch(() => 500);
    turns.set(orderId, answer);
    return answer;
  }
  return {
    held,
    refused: () => refused,
    async answer(received: Received) {
      const status = await handle(received);
      if (status >= 300) refused++;
      return status;
    },
  };
}

async function allOrders(key: string): Promise<Order[]> {
  const orders: Order[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await call(
      anyNode(),
      key,
      'GET',
      `/api/v1/orders?with=items&limit=100${cursor && `&cursor=${cursor}`}`,
    );
    orders.push(...body.data);
    cursor = body.page.nextCursor;
    if (!cursor) return orders;
  }
}

const byId = (a: Order, b: Order) => (a.id < b.id ? -1 : 1);

function isSigned(header: string, body: string, secret: string) {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  return createHmac('sha256', secret).update(`${t}.${body}`).digest('hex') === v1;
}
