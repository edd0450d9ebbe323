import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import { afterAll, expect, test } from 'vitest';
import { engine, testDatabase } from '../packages/server/test/database.ts';
import { proxy } from '../packages/server/test/proxy.ts';
import { insertProducts } from '../packages/server/test/rows.ts';
import { cluster, hasClusters } from './cluster.ts';
import { problemsOf } from './consistency.ts';
import { addHook, call, envOf, type Node, serve, shop } from './processes.ts';
import { haproxy, hasHaproxy } from './proxies.ts';
import { receiver } from './receiver.ts';

/** The long form: FAILOVERS=10 TEST_DATABASE_URL=… npm test -- e2e/failover */
const FAILOVERS = Number(process.env.FAILOVERS ?? 1);
const WRITERS = 4;

/** Cleanup functions, run in reverse order. */
const undo: (() => unknown)[] = [];
let isDone = false;
afterAll(async () => {
  isDone = true;
  for (const step of undo.reverse()) await step();
});

/** Without a connection reset, requests only fail by timeout: 15 s per statement, plus a margin for a busy machine. */
const SLOWEST_MS = 40_000;

/** How the service reaches whichever of two servers is the primary. */
interface Route {
  /** The host and port, or several, of DATABASE_URL. */
  hosts: string;
  /** Called before the primary is killed. */
  onKill?(): void;
  onPromoted?(port: number): void;
  close?(): unknown;
}

/** Like a floating address: it stays, the server behind it changes. */
async function floatingAddress(isSilent: boolean, primaryPort: number): Promise<Route> {
  let port = primaryPort;
  const link = await proxy(() => ({ host: '127.0.0.1', port }));
  return {
    hosts: `127.0.0.1:${link.port}`,
    onKill: () => void (isSilent && link.dropPackets()),
    onPromoted(promoted) {
      port = promoted;
      if (!isSilent) link.cut();
    },
    close: link.close,
  };
}

async function throughHaproxy(ports: readonly number[]): Promise<Route> {
  const { port, close } = await haproxy(ports);
  return { hosts: `127.0.0.1:${port}`, close };
}

const bothNamed = async (ports: readonly number[]): Promise<Route> => ({
  hosts: ports.map((port) => `127.0.0.1:${port}`).join(','),
});

const routes: [string, (primaryPort: number, standbyPort: number) => Promise<Route>][] = [
  hasHaproxy
    ? ['HAProxy finds the primary', (...ports) => throughHaproxy(ports)]
    : ['connections break', (port) => floatingAddress(false, port)],
  ['packets are dropped and nothing is reset', (port) => floatingAddress(true, port)],
  ['both servers are in DATABASE_URL', (...ports) => bothNamed(ports)],
];

test.runIf(engine === 'postgres' && hasClusters).each(routes)(
  `${FAILOVERS} times the primary is killed and its standby promoted, %s: nothing acknowledged is lost, service returns by itself`,
  async (name, routeTo) => {
    const testDb = await testDatabase();
    undo.push(testDb.drop);
    let primary = await cluster();
    undo.push(() => primary.drop());
    let standby = await primary.standby();
    undo.push(() => standby.drop());
    const route = await routeTo(primary.port, standby.port);
    undo.push(() => route.close?.());
    const DATABASE_URL = `postgres://postgres@${route.hosts}/postgres?target_session_attrs=read-write`;
    const env = envOf(
      { ...testDb, DATABASE_URL },
      {
        RATE_LIMIT_PER_MINUTE: '0',
        WEBHOOK_ALLOW_INTERNAL: 'true',
        WEBHOOK_TIMEOUT: '1s',
        WEBHOOK_RETRY_DELAYS: Array(20).fill('1s').join(','),
        LOG_LEVEL: 'silent',
      },
    );
    const node = await serve(env);
    undo.push(node.kill);
    const db = openDatabase({ databaseUrl: DATABASE_URL, dataDir: testDb.DATA_DIR });
    undo.push(db.close);
    const { key, storeId } = await shop(env);
    await insertProducts(db, storeId, [{ sku: 'P' }]);
    const hooks = await receiver();
    undo.push(hooks.close);
    await addHook(env, storeId, hooks.url);

    const load = writers(node, key);
    const [promotions, outages]: [number[], number[]] = [[], []];
    for (let round = 0; round < FAILOVERS; round++) {
      if (round) standby = await primary.standby(standby.port);
      await load.waitForOrders(50);
      const at = Date.now();
      route.onKill?.();
      await primary.kill();
      await standby.promote();
      route.onPromoted?.(standby.port);
      const switchedAt = Date.now();
      await load.waitForOrders(1);
      promotions.push(switchedAt - at);
      outages.push(Date.now() - switchedAt);
      await primary.drop();
      [primary, standby] = [standby, primary];
    }
    await load.waitForOrders(50);
    await load.stop();

    expect([...load.failures]).toEqual(load.failures.size ? [503] : []);
    expect(load.slowestMs()).toBeLessThan(SLOWEST_MS);
    const rows = await db.all<{ id: string; external_id: string; code: string }>(
      sql`select o.id, o.external_id, s.code from orders o
          join order_statuses s on s.store_id = o.store_id and s.id = o.status_id where o.store_id = ${storeId}`,
    );
    const found = new Map(rows.map((row) => [row.external_id, row]));
    for (const [external_id, { id, code }] of load.acknowledged)
      expect(found.get(external_id)).toEqual({ id, external_id, code });
    expect(await problemsOf(db)).toEqual([]);
    const events = await db.all<{ id: string }>(sql`select id from events where store_id = ${storeId}`);
    const late = { timeout: 60_000, interval: 250 };
    const unfinished = () =>
      db.all(sql`select id from deliveries where store_id = ${storeId} and status <> 'delivered'`);
    await expect.poll(unfinished, late).toEqual([]);
    const arrived = new Set(hooks.received.map(({ event }) => event.id));
    expect(events.filter(({ id }) => !arrived.has(id))).toEqual([]);
    expect(hooks.overlaps).toEqual([]);
    // Still the original process.
    expect(node.child.exitCode).toBe(null);
    console.info(
      `${FAILOVERS} fail-overs, ${name}: slowest request ${load.slowestMs()} ms, ${load.acknowledged.size} acknowledged orders, ${events.length} events, promoted within ${promotions.join(', ')} ms, first order ${outages.join(', ')} ms after the switch`,
    );
  },
  (FAILOVERS + 2) * 60_000,
);

/** Clients that create an order, change it and retry failed requests. */
function writers(node: Node, key: string) {
  const acknowledged = new Map<string, { id: string; code: string }>();
  const failures = new Set<number>();
  let slowestMs = 0;
  let isStopped = false;
  let serial = 0;
  async function repeat(method: string, path: string, body: object): Promise<string> {
    for (;;) {
      const started = Date.now();
      const reply = await call(node, key, method, `/api/v1/${path}`, body).catch(() => undefined);
      slowestMs = Math.max(slowestMs, Date.now() - started);
      if (reply && reply.status < 300) return reply.body.data.id;
      if (reply) failures.add(reply.status);
      if (isDone) throw new Error('the test has ended');
      await sleep(20);
    }
  }
  const write = async () => {
    while (!isStopped) {
      const externalId = `o-${serial++}`;
      const id = await repeat('POST', 'orders', { externalId, items: [{ sku: 'P', quantity: 1 }] });
      acknowledged.set(externalId, { id, code: 'new' });
      await repeat('PATCH', `orders/${id}`, { status: 'packing' });
      acknowledged.set(externalId, { id, code: 'packing' });
    }
  };
  const all = Promise.all(Array.from({ length: WRITERS }, write));
  all.catch(() => {});
  return {
    acknowledged,
    /** Statuses of non-2xx responses. */
    failures,
    slowestMs: () => slowestMs,
    /** Waits until this many more orders are created. */
    async waitForOrders(more: number) {
      const target = acknowledged.size + more;
      while (acknowledged.size < target) await sleep(10);
    },
    async stop() {
      isStopped = true;
      await all;
    },
  };
}
