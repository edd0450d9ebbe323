import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../packages/server/src/db/open.ts';
import { sql } from '../packages/server/src/db/sql.ts';
import { seededRandom } from '../packages/server/src/demo/random.ts';
import { engine, testDatabase } from '../packages/server/test/database.ts';
import { insertProducts } from '../packages/server/test/rows.ts';
import { addHook, call, envOf, serve, shop } from './processes.ts';
import { receiver } from './receiver.ts';

/** Runs only when told for how long: SOAK_MINUTES=20 npm test -- e2e/soak */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 0);
const PER_SECOND = Number(process.env.SOAK_RATE ?? 60);
const SAMPLES = 80;
/** Requests under way at once, at most: each holds a connection. */
const AT_ONCE = 32;

const place = await testDatabase();
const env = envOf(place, { RATE_LIMIT_PER_MINUTE: '0', WEBHOOK_ALLOW_INTERNAL: 'true', LOG_LEVEL: 'silent' });
const db = openDatabase({ databaseUrl: place.DATABASE_URL, dataDir: place.DATA_DIR });
afterAll(async () => {
  await db.close();
  await place.drop();
});

interface Sample {
  /** Memory of its own: what an embedded database maps of its file is not counted. */
  memoryMb: number;
  handles: number;
  orders: number;
  databaseMb: number;
  /** The embedded database's log, which must be folded back in again and again. */
  logMb: number;
  medianMs: number;
  slowMs: number;
}

test.runIf(MINUTES && process.platform === 'linux')(
  `${MINUTES} minutes of mixed load: memory, handles, room and answers level off`,
  async () => {
    const node = await serve(env);
    const { key, storeId, email } = await shop(env);
    await insertProducts(db, storeId, [{ sku: 'P' }]);
    const hooks = await receiver();
    await addHook(env, storeId, hooks.url);
    const work = await workload(node.url, { key, storeId, email });

    const samples: Sample[] = [];
    const started = Date.now();
    const end = started + MINUTES * 60_000;
    const load = keepBusy(work.next, end);
    for (let nth = 1; nth <= SAMPLES; nth++) {
      await sleep(started + (nth / SAMPLES) * (end - started) - Date.now());
      samples.push({ ...(await sampleOf(node.child.pid as number)), ...work.latency() });
    }
    await load;
    report(samples);
    expect(work.failures).toEqual([]);
    const sent = await db.one<{ wanted: number }>(
      sql`select count(*) as wanted from events where store_id = ${storeId}`,
    );
    await expect.poll(() => hooks.received.length, { timeout: 10_000 }).toBe(sent?.wanted);

    // The last quarter is held against the one before it: what grows with time still grows then. The lowest of each
    // figure counts: a leak lifts the floor, a busy moment of the machine only the ceiling.
    const quarter = (nth: number) => floorOf(samples.slice((nth - 1) * (SAMPLES / 4), nth * (SAMPLES / 4)));
    const [before, after] = [quarter(3), quarter(4)];
    expect(after.memoryMb).toBeLessThan(before.memoryMb * 1.1 + 5);
    expect(after.handles).toBeLessThan(before.handles + AT_ONCE);
    expect(after.databaseMb / after.orders).toBeLessThan((before.databaseMb / before.orders) * 1.1);
    expect(after.logMb).toBeLessThan(64);
    expect(after.medianMs).toBeLessThan(before.medianMs * 1.5 + 2);
    expect(after.slowMs).toBeLessThan(before.slowMs * 2 + 20);
    await node.stop();
    await hooks.close();
  },
  (MINUTES + 2) * 60_000,
);

/** What integrations and an owner do, in a mixture, as often as `PER_SECOND` says. */
async function workload(url: string, { key, storeId, email }: { key: string; storeId: string; email: string }) {
  const luck = seededRandom(1);
  const orders: string[] = [];
  const failures: string[] = [];
  let times: number[] = [];
  const signedIn = await fetch(`${url}/console/api/session`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse' }),
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const api = (method: string, path: string, body?: unknown) => call({ url }, key, method, `/api/v1/${path}`, body);
  const page = async (path: string) => {
    const reply = await fetch(`${url}/console/api/stores/${storeId}/${path}`, { headers: { cookie } });
    return { status: reply.status, body: await reply.json() };
  };
  const statuses = ['new', 'packing', 'delivering', 'completed'];
  const steps: [share: number, step: () => Promise<{ status: number; body: any }>][] = [
    [20, createOrder],
    [20, () => api('PATCH', `orders/${luck.pick(orders)}`, { status: luck.pick(statuses), paymentStatus: 'paid' })],
    [20, () => api('GET', `orders/${luck.pick(orders)}`)],
    [15, () => api('GET', 'orders?limit=50&with=items')],
    [
      10,
      () =>
        api('GET', `orders?order=updatedAt:asc&filter[updatedAt][from]=${new Date(Date.now() - 5000).toISOString()}`),
    ],
    [5, () => api('GET', `orders?filter[status]=${luck.pick(statuses)}`)],
    [4, () => api('GET', 'customers?limit=20')],
    [2, () => api('GET', 'references/order-statuses')],
    [2, () => page('orders')],
    [2, () => page('home')],
  ];
  const all = steps.flatMap(([share, step]) => Array<typeof step>(share).fill(step));

  async function createOrder() {
    const externalId = `o-${orders.length}-${luck.next()}`;
    const customer = { name: 'Anna', phone: `7900${luck.between(0, 5000)}` };
    const reply = await api('POST', 'orders', { externalId, customer, items: [{ sku: 'P', quantity: 2 }] });
    if (reply.status === 201) orders.push(reply.body.data.id);
    return reply;
  }
  await createOrder();

  return {
    failures,
    async next() {
      const began = performance.now();
      const { status, body } = await luck.pick(all)();
      times.push(performance.now() - began);
      if (status >= 300) failures.push(`${status} ${JSON.stringify(body)}`);
    },
    /** Of the requests since the last time. */
    latency() {
      const sorted = times.sort((a, b) => a - b);
      times = [];
      const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
      return { medianMs: at(0.5), slowMs: at(0.99) };
    },
  };
}

/** Starts requests at an even rate, and a few at most before the first of them is answered. */
async function keepBusy(next: () => Promise<void>, end: number) {
  const underWay = new Set<Promise<void>>();
  const started = Date.now();
  for (let made = 0; Date.now() < end; made++) {
    await sleep(started + (made * 1000) / PER_SECOND - Date.now());
    if (underWay.size >= AT_ONCE) await Promise.race(underWay);
    const one = next().finally(() => underWay.delete(one));
    underWay.add(one);
  }
  await Promise.all(underWay);
}

async function sampleOf(pid: number): Promise<Omit<Sample, 'medianMs' | 'slowMs'>> {
  const memory = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  const orders = await db.one<{ orders: number }>(sql`select count(*) as orders from orders`);
  const [bytes, logBytes] = engine === 'sqlite' ? sizesOfFiles() : [await sizeOnServer(), 0];
  return {
    memoryMb: Number(memory?.[1]) / 1024,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    orders: orders?.orders ?? 0,
    databaseMb: bytes / 2 ** 20,
    logMb: logBytes / 2 ** 20,
  };
}

const sizesOfFiles = () =>
  ['store-sales.db', 'store-sales.db-wal'].map((name) => statSync(join(place.DATA_DIR, name)).size) as [number, number];

const sizeOnServer = async () =>
  (await db.one<{ bytes: number }>(sql`select pg_database_size(current_database()) as bytes`))?.bytes ?? 0;

function floorOf(samples: Sample[]): Sample {
  const names = Object.keys(samples[0] as Sample) as (keyof Sample)[];
  return Object.fromEntries(names.map((name) => [name, Math.min(...samples.map((sample) => sample[name]))])) as never;
}

function report(samples: Sample[]) {
  const tenths = samples.filter((_, index) => (index + 1) % (SAMPLES / 8) === 0);
  const rounded = (sample: Sample) =>
    Object.entries(sample)
      .map(([name, value]) => `${name} ${Math.round(value * 10) / 10}`)
      .join('  ');
  console.info(tenths.map(rounded).join('\n'));
}
