import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import { seededRandom } from '@store-sales/server/demo/random';
import { Agent, fetch } from 'undici';
import { afterAll, expect, test } from 'vitest';
import { engine, migratedDatabase } from '../packages/server/test/database.ts';
import { proxy, type Target } from '../packages/server/test/proxy.ts';
import { insertProducts } from '../packages/server/test/rows.ts';
import { problemsOf } from './consistency.ts';
import { follower } from './follower.ts';
import { addHook, dispatch, envOf, type Node, type Process, serve, shop } from './processes.ts';
import { receiver } from './receiver.ts';

/** The long form: SCALE_TURNS=60 TEST_DATABASE_URL=… npm test -- e2e/scale-out */
const TURNS = Number(process.env.SCALE_TURNS ?? 5);
const SEED = Number(process.env.SCALE_SEED ?? Date.now() % 1_000_000);
const WRITERS = 6;
const PROBE_MS = 100;
const random = seededRandom(SEED);

const testDb = await migratedDatabase();
const env = envOf(testDb, {
  RATE_LIMIT_PER_MINUTE: '0',
  WEBHOOK_ALLOW_INTERNAL: 'true',
  WEBHOOK_TIMEOUT: '1s',
  // Longer than a connection of the client is idle, and than a probe takes.
  DRAIN_TIME: '5s',
});
const db = openDatabase({ databaseUrl: testDb.DATABASE_URL, dataDir: testDb.DATA_DIR });
const nodes: Node[] = [];
const dispatchers: Process[] = [];
let isDone = false;
afterAll(async () => {
  isDone = true;
  await Promise.all([...nodes, ...dispatchers].map((one) => one.kill()));
  await db.close();
  await testDb.drop();
});

test.runIf(engine === 'postgres')(
  `3 serve and 2 dispatch come and go ${TURNS} times (seed ${SEED}): only what a killed one had in hand fails`,
  async () => {
    nodes.push(...(await Promise.all([1, 2, 3].map(() => serve(env, ['--no-dispatch'])))));
    dispatchers.push(await dispatch(env), await dispatch(env));
    const { key, storeId } = await shop(env);
    await insertProducts(db, storeId, [{ sku: 'P' }]);
    const hooks = await receiver(undefined, () => random.between(0, 40));
    await addHook(env, storeId, hooks.url);
    const balancer = await balance();

    const requests = tracked(balancer.url, key);
    const orders = follower('orders', requests.read);
    const acknowledged = new Set<string>();
    const write = async (writer: number) => {
      for (let round = 0; !isDone; round++) {
        const body = { externalId: `${writer}-${round}`, items: [{ sku: 'P', quantity: random.between(1, 9) }] };
        const id = await requests.send('POST', 'orders', body);
        if (!id) continue;
        acknowledged.add(id);
        for (const status of ['packing', 'completed']) await requests.send('PATCH', `orders/${id}`, { status });
      }
    };
    const read = async () => {
      while (!isDone) await orders.catchUp();
    };
    const load = Promise.all([...Array.from({ length: WRITERS }, (_, writer) => write(writer)), read()]);

    const signals: Record<string, number> = {};
    for (let round = 0; round < TURNS; round++) {
      await sleep(random.between(100, 600));
      // Each way at least once, then at random.
      const method = round < 4 ? round : random.between(0, 3);
      const signal = method % 2 ? 'SIGTERM' : 'SIGKILL';
      const what = `${signal} ${method < 2 ? 'serve' : 'dispatch'}`;
      const markStopped = requests.note(what);
      if (method < 2) await replace(nodes, signal, markStopped, () => serve(env, ['--no-dispatch']));
      else await replace(dispatchers, signal, markStopped, () => dispatch(env));
      signals[what] = (signals[what] ?? 0) + 1;
    }
    isDone = true;
    await load;
    await orders.catchUp();
    console.info(
      `seed ${SEED}: ${JSON.stringify(signals)}, ${requests.count()} requests, ${requests.interrupted()} cut off by a kill, ${orders.records.size} orders`,
    );

    expect(requests.unexpected()).toEqual([]);
    // The follower's state equals a new full read.
    const fresh = follower('orders', requests.read);
    await fresh.catchUp();
    expect([...orders.records.values()].sort()).toEqual([...fresh.records.values()].sort());
    expect([...acknowledged].filter((id) => !orders.records.has(id))).toEqual([]);
    expect(await problemsOf(db)).toEqual([]);
    const unfinished = () =>
      db.all(sql`select id from deliveries where store_id = ${storeId} and status <> 'delivered'`);
    await expect.poll(unfinished, { timeout: 60_000, interval: 250 }).toEqual([]);
    expect(hooks.overlaps).toEqual([]);
    await hooks.close();
    balancer.close();
  },
  (TURNS + 24) * 10_000,
);

/** Stops one process with this signal and starts another. */
async function replace<One extends Process>(
  all: One[],
  signal: 'SIGTERM' | 'SIGKILL',
  markStopped: () => void,
  start: () => Promise<One>,
) {
  const index = random.between(0, all.length - 1);
  const one = all[index] as One;
  const { code } = await (signal === 'SIGKILL' ? one.kill() : one.stop());
  markStopped();
  if (signal === 'SIGTERM') expect(code).toBe(0);
  all[index] = await start();
}

/** Sends requests through the balancer without retries; records failures and restarts with their times. */
function tracked(url: string, key: string) {
  const failures: { what: string; from: number; to: number }[] = [];
  const stops: { what: string; from: number; to: number }[] = [];
  let count = 0;
  // As load balancers do: closes idle connections before the server does. A request on a connection that the server is
  // closing would fail.
  const dispatcher = new Agent({ keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 });
  async function call(method: string, path: string, body: unknown) {
    const response = await fetch(`${url}/api/v1/${path}`, {
      dispatcher,
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as any };
  }
  async function once(method: string, path: string, body?: unknown) {
    const from = Date.now();
    const reply = await call(method, path, body).catch((error) => String(error.cause ?? error));
    count++;
    if (typeof reply !== 'string' && reply.status < 300) return reply.body;
    const what = typeof reply === 'string' ? reply : `${reply.status} ${JSON.stringify(reply.body)}`;
    failures.push({ what: `${method} ${path}: ${what}`, from, to: Date.now() });
  }
  /** Processes that stopped during the request, with a margin for a busy machine. */
  const during = ({ from, to }: { from: number; to: number }) =>
    stops.filter((stop) => from <= stop.to + 2 * PROBE_MS && to >= stop.from).map(({ what }) => what);
  const isInterrupted = (failure: { from: number; to: number }) => during(failure).includes('SIGKILL serve');
  return {
    send: async (method: string, path: string, body: unknown): Promise<string | undefined> =>
      (await once(method, path, body))?.data.id,
    /** Reads are retried, as a client would do. */
    async read(path: string) {
      for (;;) {
        const body = await once('GET', path);
        if (body) return body;
      }
    },
    count: () => count,
    /** Marks the start of a stop; the returned function marks its end. */
    note(what: string) {
      const stop = { what, from: Date.now(), to: Number.POSITIVE_INFINITY };
      stops.push(stop);
      return () => {
        stop.to = Date.now();
      };
    },
    /** Only requests in flight while a node was killed may fail. */
    interrupted: () => failures.filter(isInterrupted).length,
    unexpected: () =>
      failures
        .filter((failure) => !isInterrupted(failure))
        .map((failure) => `${failure.what}, during ${during(failure)}`),
  };
}

/** A minimal round-robin load balancer with readiness probes. */
async function balance() {
  let ready: Target[] = [];
  let next = 0;
  const probe = async () => {
    const found = await Promise.all(
      nodes.map(async ({ url }) => {
        const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
        await reply?.arrayBuffer();
        const { hostname: host, port } = new URL(url);
        return reply?.status === 200 ? [{ host, port: Number(port) }] : [];
      }),
    );
    ready = found.flat();
  };
  await probe();
  let isOpen = true;
  void (async () => {
    while (isOpen) {
      await sleep(PROBE_MS);
      await probe();
    }
  })();
  const link = await proxy(() => ready[next++ % ready.length]);
  return {
    url: `http://127.0.0.1:${link.port}`,
    close() {
      isOpen = false;
      link.close();
    },
  };
}
