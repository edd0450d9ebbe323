import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../packages/server/src/db/open.ts';
import { sql } from '../packages/server/src/db/sql.ts';
import { seededRandom } from '../packages/server/src/demo/random.ts';
import { engine, testDatabase } from '../packages/server/test/database.ts';
import { proxy, type Target } from '../packages/server/test/proxy.ts';
import { insertProducts } from '../packages/server/test/rows.ts';
import { faultsOf } from './consistency.ts';
import { follower } from './follower.ts';
import { addHook, call, dispatch, envOf, type Node, type Process, serve, shop } from './processes.ts';
import { receiver } from './receiver.ts';

/** The long form: SCALE_TURNS=60 TEST_DATABASE_URL=… npm test -- e2e/scale-out */
const TURNS = Number(process.env.SCALE_TURNS ?? 5);
const SEED = Number(process.env.SCALE_SEED ?? Date.now() % 1_000_000);
const WRITERS = 6;
const PROBE_MS = 100;
const luck = seededRandom(SEED);

const place = await testDatabase();
const env = envOf(place, {
  RATE_LIMIT_PER_MINUTE: '0',
  WEBHOOK_ALLOW_INTERNAL: 'true',
  WEBHOOK_TIMEOUT: '1s',
  // Longer than any client leaves a connection idle here: one that is idle to the end is closed at the end.
  DRAIN_TIME: '3s',
});
const db = openDatabase({ databaseUrl: place.DATABASE_URL, dataDir: place.DATA_DIR });
const nodes: Node[] = [];
const dispatchers: Process[] = [];
let isOver = false;
afterAll(async () => {
  isOver = true;
  await Promise.all([...nodes, ...dispatchers].map((one) => one.kill()));
  await db.close();
  await place.drop();
});

test.runIf(engine === 'postgres')(
  `3 serve and 2 dispatch come and go ${TURNS} times (seed ${SEED}): only what a killed one had in hand fails`,
  async () => {
    nodes.push(...(await Promise.all([1, 2, 3].map(() => serve(env, ['--no-dispatch'])))));
    dispatchers.push(await dispatch(env), await dispatch(env));
    const { key, storeId } = await shop(env);
    await insertProducts(db, storeId, [{ sku: 'P' }]);
    const hooks = await receiver(undefined, () => luck.between(0, 40));
    await addHook(env, storeId, hooks.url);
    const balancer = await balance();

    const requests = tracked(balancer.url, key);
    const orders = follower('orders', requests.read);
    const acknowledged = new Set<string>();
    const write = async (writer: number) => {
      for (let turn = 0; !isOver; turn++) {
        const body = { externalId: `${writer}-${turn}`, items: [{ sku: 'P', quantity: luck.between(1, 9) }] };
        const id = await requests.send('POST', 'orders', body);
        if (!id) continue;
        acknowledged.add(id);
        for (const status of ['packing', 'completed']) await requests.send('PATCH', `orders/${id}`, { status });
      }
    };
    const read = async () => {
      while (!isOver) await orders.catchUp();
    };
    const load = Promise.all([...Array.from({ length: WRITERS }, (_, writer) => write(writer)), read()]);

    const signals: Record<string, number> = {};
    for (let turn = 0; turn < TURNS; turn++) {
      await sleep(luck.between(100, 600));
      // Each way to go once at least, then by chance.
      const way = turn < 4 ? turn : luck.between(0, 3);
      const signal = way % 2 ? 'SIGTERM' : 'SIGKILL';
      const what = `${signal} ${way < 2 ? 'serve' : 'dispatch'}`;
      const gone = requests.note(what);
      if (way < 2) await replace(nodes, signal, gone, () => serve(env, ['--no-dispatch']));
      else await replace(dispatchers, signal, gone, () => dispatch(env));
      signals[what] = (signals[what] ?? 0) + 1;
    }
    isOver = true;
    await load;
    await orders.catchUp();
    console.info(
      `seed ${SEED}: ${JSON.stringify(signals)}, ${requests.count()} requests, ${requests.forgiven()} cut off by a kill, ${orders.held.size} orders`,
    );

    expect(requests.unforgiven()).toEqual([]);
    // The one who followed holds exactly what one who comes now would get.
    const fresh = follower('orders', requests.read);
    await fresh.catchUp();
    expect([...orders.held.values()].sort()).toEqual([...fresh.held.values()].sort());
    expect([...acknowledged].filter((id) => !orders.held.has(id))).toEqual([]);
    expect(await faultsOf(db, storeId)).toEqual([]);
    const unsettled = () =>
      db.all(sql`select id from deliveries where store_id = ${storeId} and status <> 'delivered'`);
    await expect.poll(unsettled, { timeout: 60_000, interval: 250 }).toEqual([]);
    expect(hooks.overlaps).toEqual([]);
    await hooks.close();
    balancer.close();
  },
  (TURNS + 24) * 10_000,
);

/** One of them ends by this signal, and another comes in its place. */
async function replace<One extends Process>(
  all: One[],
  signal: 'SIGTERM' | 'SIGKILL',
  gone: () => void,
  start: () => Promise<One>,
) {
  const index = luck.between(0, all.length - 1);
  const one = all[index] as One;
  const { code } = await (signal === 'SIGKILL' ? one.kill() : one.stop());
  gone();
  if (signal === 'SIGTERM') expect(code).toBe(0);
  all[index] = await start();
}

/** Requests through the balancer, each sent once; what fails is noted with its time, and so is who goes when. */
function tracked(url: string, key: string) {
  const failures: { what: string; from: number; to: number }[] = [];
  const goings: { what: string; from: number; to: number }[] = [];
  let count = 0;
  async function once(method: string, path: string, body?: unknown) {
    const from = Date.now();
    const reply = await call({ url }, key, method, `/api/v1/${path}`, body).catch((error) =>
      String(error.cause ?? error),
    );
    count++;
    if (typeof reply !== 'string' && reply.status < 300) return reply.body;
    const what = typeof reply === 'string' ? reply : `${reply.status} ${JSON.stringify(reply.body)}`;
    failures.push({ what: `${method} ${path}: ${what}`, from, to: Date.now() });
  }
  /** Who went while the request was under way; a moment later for what a busy machine notices late. */
  const during = ({ from, to }: { from: number; to: number }) =>
    goings.filter((going) => from <= going.to + 2 * PROBE_MS && to >= going.from).map(({ what }) => what);
  const isForgiven = (failure: { from: number; to: number }) => during(failure).includes('SIGKILL serve');
  return {
    send: async (method: string, path: string, body: unknown): Promise<string | undefined> =>
      (await once(method, path, body))?.data.id,
    /** Reading is repeated, as any client would. */
    async read(path: string) {
      for (;;) {
        const body = await once('GET', path);
        if (body) return body;
      }
    },
    count: () => count,
    /** Somebody is told to go now, and is gone when the returned function is called. */
    note(what: string) {
      const going = { what, from: Date.now(), to: Number.POSITIVE_INFINITY };
      goings.push(going);
      return () => {
        going.to = Date.now();
      };
    },
    /** What was under way while a node was killed may fail, and nothing else. */
    forgiven: () => failures.filter(isForgiven).length,
    unforgiven: () =>
      failures.filter((failure) => !isForgiven(failure)).map((failure) => `${failure.what}, during ${during(failure)}`),
  };
}

/** A load balancer as plain as they come: nodes that answer their probe get connections in turn. */
async function balance() {
  let ready: Target[] = [];
  let turn = 0;
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
  const timer = setInterval(() => void probe(), PROBE_MS);
  const wire = await proxy(() => ready[turn++ % ready.length]);
  return {
    url: `http://127.0.0.1:${wire.port}`,
    close() {
      clearInterval(timer);
      wire.close();
    },
  };
}
