import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from '@store-sales/contract';
import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import { seededRandom } from '@store-sales/server/demo/random';
import { afterAll, expect, test } from 'vitest';
import { engine, migratedDatabase } from '../packages/server/test/database.ts';
import { insertProducts } from '../packages/server/test/rows.ts';
import { cluster, hasClusters } from './cluster.ts';
import { integrityOf, problemsOf } from './consistency.ts';
import { addHook, call, dispatch, envOf, type Node, type Process, serve, shop } from './processes.ts';
import { type Received, receiver } from './receiver.ts';

/** The long form: CRASH_KILLS=100 CRASH_SEED=… npm test -- e2e/crash */
const KILLS = Number(process.env.CRASH_KILLS ?? 8);
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
const random = seededRandom(SEED);

const testDb = await migratedDatabase();
/** With PostgreSQL the database server is killed too, so the test needs its own. */
const server = engine === 'postgres' && hasClusters ? await cluster() : undefined;
const DATABASE_URL = server?.url ?? testDb.DATABASE_URL;
const env = envOf(DATABASE_URL ? { ...testDb, DATABASE_URL } : testDb, {
  RATE_LIMIT_PER_MINUTE: '0',
  WEBHOOK_ALLOW_INTERNAL: 'true',
  WEBHOOK_TIMEOUT: '1s',
  // Many short retries: a third of the attempts fail, and those of a killed dispatcher are lost.
  WEBHOOK_RETRY_DELAYS: Array(60).fill('1s').join(','),
  LOG_LEVEL: 'silent',
});
const db = openDatabase({ databaseUrl: DATABASE_URL, dataDir: testDb.DATA_DIR });
const nodes: Node[] = [];
let dispatcher: Process | undefined;
let isAbandoned = false;
afterAll(async () => {
  isAbandoned = true;
  await Promise.all([...nodes, dispatcher].map((one) => one?.kill()));
  await db.close();
  await server?.drop();
  await testDb.drop();
});

const anyNode = () => random.pick(nodes);

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
    const hooks = await receiver(copy.respond, () => random.between(0, 20));
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
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(random.between(100, 600));
      // Each one at least once, then at random.
      const which = Object.keys(kills)[kill] ?? random.pick(Object.keys(kills));
      await kills[which]?.();
      killed[which] = (killed[which] ?? 0) + 1;
      await checkAll(storeId, clients.acknowledged);
    }
    await clients.stop();
    await checkAll(storeId, clients.acknowledged);

    // Every event reaches the receiver, whose state then equals the service's.
    const events = await db.all<{ id: string }>(
      sql`select id from events where store_id = ${storeId} and type not in ('order.edited', 'order.mailed')`,
    );
    const missing = () => {
      const arrived = new Set(hooks.received.map(({ event }) => event.id));
      return events.filter(({ id }) => !arrived.has(id)).length;
    };
    const late = { timeout: 90_000 + KILLS * 1000, interval: 500 };
    await expect.poll(missing, late).toBe(0);
    const unfinished = () =>
      db.all(sql`select id from deliveries where store_id = ${storeId} and status <> 'delivered'`);
    await expect.poll(unfinished, late).toEqual([]);
    expect(hooks.overlaps).toEqual([]);
    for (const { headers, body } of hooks.received)
      expect(isSigned(headers['x-service-signature'] as string, body, endpoint.secret)).toBe(true);
    const orders = await allOrders(key);
    expect([...copy.copies.values()].sort(byId)).toEqual(orders.sort(byId));
    for (const [externalId, { id, status, paymentStatus }] of clients.acknowledged)
      expect(copy.copies.get(id)).toMatchObject({
        externalId,
        status: { code: status },
        paymentStatus: { code: paymentStatus },
      });

    await Promise.all([...nodes, dispatcher].map((one) => one.stop()));
    await hooks.close();
    console.info(
      `seed ${SEED}: ${KILLS} kills ${JSON.stringify(killed)}, ${clients.acknowledged.size} acknowledged orders with ` +
        `${clients.changes()} changes, ${events.length} events, ${hooks.received.length} accepted and ${copy.rejected()} rejected deliveries`,
    );
  },
  300_000 + KILLS * 20_000,
);

interface Known {
  id: string;
  status: string;
  paymentStatus: string;
}

/** Acknowledged orders exist exactly once, and no promise is broken. */
async function checkAll(storeId: string, acknowledged: Map<string, Known>) {
  const known = [...acknowledged];
  expect(await problemsOf(db)).toEqual([]);
  const rows = await db.all<{ id: string; external_id: string }>(
    sql`select id, external_id from orders where store_id = ${storeId}`,
  );
  const ids = new Map(rows.map((row) => [row.external_id, row.id]));
  expect(ids.size).toBe(rows.length);
  for (const [externalId, { id }] of known) expect(ids.get(externalId)).toBe(id);
  if (engine === 'sqlite') expect(await integrityOf(testDb.DATA_DIR)).toBe('ok');
}

/** Clients that retry interrupted requests, as the contract allows, until stopped. */
function writers(key: string) {
  const acknowledged = new Map<string, Known>();
  let isDone = false;
  let [serial, changes] = [0, 0];

  async function repeat<Result>(attempt: () => Promise<Result | undefined>) {
    for (;;) {
      const done = await attempt().catch(() => undefined);
      if (done !== undefined) return done;
      if (isAbandoned) throw new Error('the test has ended');
      await sleep(5);
    }
  }
  const create = (externalId: string, items: object[]) =>
    repeat(async () => {
      const reply = await call(anyNode(), key, 'POST', '/api/v1/orders', { externalId, items });
      return reply.status < 300 ? (reply.body.data as Order) : undefined;
    });
  const change = (id: string, to: object) =>
    repeat(async () => (await call(anyNode(), key, 'PATCH', `/api/v1/orders/${id}`, to)).status === 200 || undefined);

  async function write() {
    while (!isDone) {
      // Not faster than a receiver that rejects a third can keep up with.
      await sleep(random.between(0, 150));
      const externalId = `o-${serial++}`;
      const items = ['A', 'B'].slice(random.between(0, 1)).map((sku) => ({ sku, quantity: random.between(1, 5) }));
      const { id, items: lines = [] } = await create(externalId, items);
      let known = { id, status: 'new', paymentStatus: 'unpaid' };
      acknowledged.set(externalId, known);
      for (let step = random.between(0, 3); step > 0; step--) {
        const to = {
          // Always another one: an edit without a change of status sends no event, and the live copy would miss it.
          status: random.pick(['new', 'packing', 'completed'].filter((status) => status !== known.status)),
          paymentStatus: random.pick(['unpaid', 'paid']),
        };
        const edit = {
          items: lines.slice(random.between(0, lines.length - 1)).map((line) => ({ id: line.id, quantity: step })),
          delivery: { cost: step },
        };
        const isEdit = random.between(0, 1) === 1;
        await change(id, isEdit ? { ...to, ...edit } : to);
        if (isEdit) lines.splice(0, lines.length - edit.items.length);
        known = { id, ...to };
        acknowledged.set(externalId, known);
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
      isDone = true;
      await all;
    },
  };
}

/**
 * A receiver as described in the guide: it skips known events and responds to others after reading the order. It rejects
 * a third of the requests, and those whose order cannot be read because a node was just killed.
 */
function liveCopy(key: string) {
  const copies = new Map<string, Order>();
  const seen = new Set<string>();
  const pending = new Map<string, Promise<unknown>>();
  let [requests, rejected] = [0, 0];

  async function handle({ event }: Received) {
    if (requests++ % 3 === 2) return 500;
    if (seen.has(event.id)) return 200;
    const { orderId } = event.data;
    // Sequential per order, so that an older response never replaces a newer one.
    const reading = (pending.get(orderId) ?? Promise.resolve()).then(async () => {
      const { status, body } = await call(anyNode(), key, 'GET', `/api/v1/orders/${orderId}`);
      if (status !== 200) return 500;
      copies.set(orderId, body.data);
      seen.add(event.id);
      return 200;
    });
    const status = reading.catch(() => 500);
    pending.set(orderId, status);
    return status;
  }
  return {
    copies,
    rejected: () => rejected,
    async respond(received: Received) {
      const status = await handle(received);
      if (status >= 300) rejected++;
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
