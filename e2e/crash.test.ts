import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Order } from '@store-sales/contract';
import { afterAll, expect, test } from 'vitest';
import { tick } from '../packages/server/src/db/clock.ts';
import { openDatabase } from '../packages/server/src/db/open.ts';
import { sql } from '../packages/server/src/db/sql.ts';
import { uuid } from '../packages/server/src/db/uuid.ts';
import { chance } from '../packages/server/src/demo/chance.ts';
import { emptyPlace } from '../packages/server/test/database.ts';
import { call, envOf, json, type Node, serve, shop } from './processes.ts';
import { receiver } from './receiver.ts';

/** The long form: CRASH_KILLS=100 CRASH_SEED=… npm test -- e2e/crash */
const KILLS = Number(process.env.CRASH_KILLS ?? 6);
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
const luck = chance(SEED);

const place = await emptyPlace();
const env = envOf(place, {
  RATE_LIMIT_PER_MINUTE: '0',
  WEBHOOK_ALLOW_INTERNAL: 'true',
  WEBHOOK_TIMEOUT: '1s',
  // As many short tries as it takes: a third fail, and a killed dispatcher's attempt is lost.
  WEBHOOK_RETRY_DELAYS: Array(60).fill('1s').join(','),
  LOG_LEVEL: 'silent',
});
const db = openDatabase({ databaseUrl: place.DATABASE_URL, dataDir: place.DATA_DIR });
const nodes: Node[] = [];
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.kill()));
  await db.close();
  await place.drop();
});

const program = fileURLToPath(new URL('../packages/server/bin/store-sales.js', import.meta.url));
const dispatch = () => spawn(process.execPath, [program, 'dispatch'], { env, stdio: 'ignore' });

test(`${KILLS} kills under load (seed ${SEED}): what was acknowledged is there once, and every event arrives`, async () => {
  nodes.push(await serve(env), await serve(env, ['--no-dispatch']));
  let dispatcher = dispatch();
  const { key, storeId } = await shop(env);
  await addProduct(storeId);
  let requests = 0;
  const hooks = await receiver(() => (requests++ % 3 === 2 ? 500 : 200));
  const events = 'order.created,order.status_changed,order.payment_status_changed';
  const endpoint = await json<{ id: string; secret: string }>(env, [
    'webhook',
    'add',
    '--store',
    storeId,
    '--url',
    hooks.url,
    '--events',
    events,
  ]);

  let isOver = false;
  let serial = 0;
  const acknowledged = new Map<string, string>();
  /** A client that repeats what was cut off, as the contract lets it. */
  const writer = async () => {
    while (!isOver) {
      const externalId = `o-${serial++}`;
      const id = await repeat(async (node) => {
        const reply = await call(node, key, 'POST', '/api/v1/orders', {
          externalId,
          items: [{ sku: 'P', quantity: 2 }],
        });
        return reply.status < 300 ? (reply.body.data.id as string) : undefined;
      });
      if (!id) return;
      acknowledged.set(externalId, id);
      await repeat(async (node) => {
        const reply = await call(node, key, 'PATCH', `/api/v1/orders/${id}`, {
          status: 'packing',
          paymentStatus: 'paid',
        });
        return reply.status === 200 ? true : undefined;
      });
    }
  };
  const repeat = async <Result>(attempt: (node: Node) => Promise<Result | undefined>) => {
    for (;;) {
      const node = nodes[luck.between(0, nodes.length - 1)] as Node;
      const done = await attempt(node).catch(() => undefined);
      if (done !== undefined) return done;
      if (isOver) return undefined;
      await pause(5);
    }
  };
  const writers = Array.from({ length: 4 }, writer);

  for (let kill = 0; kill < KILLS; kill++) {
    await pause(luck.between(100, 600));
    const which = luck.between(0, 2);
    if (which === 2) {
      dispatcher.kill('SIGKILL');
      dispatcher = dispatch();
    } else {
      await (nodes[which] as Node).kill();
      nodes[which] = await serve(env, which === 1 ? ['--no-dispatch'] : []);
    }
  }
  isOver = true;
  await Promise.all(writers);

  // Everything acknowledged is there once, whole, with the events of its changes.
  const orders = await db.all<{
    id: string;
    external_id: string;
    total_amount: number;
    lines: number;
    sum: number;
    events: number;
  }>(
    sql`select o.id, o.external_id, o.total_amount,
          (select count(*) from order_lines l where l.store_id = o.store_id and l.order_id = o.id) as lines,
          (select cast(sum(line_total) as bigint) from order_lines l where l.store_id = o.store_id and l.order_id = o.id) as sum,
          (select count(*) from events e where e.store_id = o.store_id and e.order_id = o.id) as events
        from orders o where o.store_id = ${storeId}`,
  );
  const byExternalId = new Map(orders.map((order) => [order.external_id, order]));
  expect(byExternalId.size).toBe(orders.length);
  for (const [externalId, id] of acknowledged) expect(byExternalId.get(externalId)?.id).toBe(id);
  const states = new Map<string, Order>();
  for (const { id, total_amount, lines, sum, events } of orders) {
    expect([lines, sum]).toEqual([1, total_amount]);
    const { data } = (await call(nodes[0] as Node, key, 'GET', `/api/v1/orders/${id}`)).body;
    states.set(id, data);
    // Created, and if it was changed, status and payment status together.
    expect(events).toBe(data.status.code === 'packing' ? 3 : 1);
  }
  if (db.dialect.engine === 'sqlite')
    expect(await db.one(sql`select integrity_check as found from pragma_integrity_check`)).toEqual({ found: 'ok' });

  // Every event reaches the receiver; what waits is due within a lease and a retry.
  const wanted = await db.all<{ id: string }>(sql`select id from events where store_id = ${storeId}`);
  const arrived = () => new Set(hooks.received.map(({ event }) => event.id));
  await expect
    .poll(() => wanted.filter(({ id }) => !arrived().has(id)).length, { timeout: 90_000, interval: 200 })
    .toBe(0);
  for (const { headers, body } of hooks.received)
    expect(isSigned(headers['x-service-signature'] as string, body, endpoint.secret)).toBe(true);
  const told = new Set(hooks.received.map(({ event }) => event.data.orderId));
  expect([...told].sort()).toEqual([...states.keys()].sort());

  await Promise.all(nodes.map((node) => node.stop()));
  dispatcher.kill('SIGTERM');
  await hooks.close();
  console.info(
    `seed ${SEED}: ${KILLS} kills, ${orders.length} orders, ${wanted.length} events, ${hooks.received.length} deliveries`,
  );
}, 600_000);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function isSigned(header: string, body: string, secret: string) {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  return createHmac('sha256', secret).update(`${t}.${body}`).digest('hex') === v1;
}

async function addProduct(storeId: string) {
  const now = Date.now();
  await db.transaction(async (tx) => {
    const { at, seq } = await tick(tx, storeId, now);
    await tx.run(
      sql`insert into products (store_id, id, sku, name, price, created_at, updated_at, seq)
          values (${storeId}, ${uuid(now)}, 'P', 'Tea', 100, ${at}, ${at}, ${seq})`,
    );
  });
}
