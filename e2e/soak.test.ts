import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import { seededRandom } from '@store-sales/server/demo/random';
import { afterAll, expect, test } from 'vitest';
import { engine, migratedDatabase } from '../packages/server/test/database.ts';
import { insertProducts } from '../packages/server/test/rows.ts';
import { addHook, call, envOf, serve, shop } from './processes.ts';
import { receiver } from './receiver.ts';

/** Runs only with a duration: SOAK_MINUTES=20 npm test -- e2e/soak */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 0);
const PER_SECOND = Number(process.env.SOAK_RATE ?? 60);
const SAMPLES = 80;
/** Maximum number of concurrent requests, each with its own connection. */
const AT_ONCE = 32;

const testDb = await migratedDatabase();
const env = envOf(testDb, { RATE_LIMIT_PER_MINUTE: '0', WEBHOOK_ALLOW_INTERNAL: 'true', LOG_LEVEL: 'silent' });
const db = openDatabase({ databaseUrl: testDb.DATABASE_URL, dataDir: testDb.DATA_DIR });
afterAll(async () => {
  await db.close();
  await testDb.drop();
});

interface Sample {
  /** Private memory, without the memory-mapped database file. */
  memoryMb: number;
  handles: number;
  orders: number;
  databaseMb: number;
  /** SQLite's write-ahead log, which must be checkpointed regularly. */
  logMb: number;
  medianMs: number;
  slowMs: number;
}

test.runIf(MINUTES && process.platform === 'linux')(
  `${MINUTES} minutes of mixed load: memory, handles, disk use and response times level off`,
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
    const sent = await db.one<{ count: number }>(sql`select count(*) as count from events where store_id = ${storeId}`);
    await expect.poll(() => hooks.received.length, { timeout: 60_000 }).toBe(sent?.count);

    // Compare the last quarter with the previous one. The minimum counts: a leak raises the minimum, a busy machine only
    // the maximum.
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

/** A mix of integration and owner requests, `PER_SECOND` of them. */
async function workload(url: string, { key, storeId, email }: { key: string; storeId: string; email: string }) {
  const random = seededRandom(1);
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
    [20, () => api('PATCH', `orders/${random.pick(orders)}`, { status: random.pick(statuses), paymentStatus: 'paid' })],
    [20, () => api('GET', `orders/${random.pick(orders)}`)],
    [15, () => api('GET', 'orders?limit=50&with=items')],
    [
      10,
      () =>
        api('GET', `orders?order=updatedAt:asc&filter[updatedAt][from]=${new Date(Date.now() - 5000).toISOString()}`),
    ],
    [5, () => api('GET', `orders?filter[status]=${random.pick(statuses)}`)],
    [4, () => api('GET', 'customers?limit=20')],
    [2, () => api('GET', 'references/order-statuses')],
    [2, () => page('orders')],
    [2, () => page('home')],
  ];
  const all = steps.flatMap(([share, step]) => Array<typeof step>(share).fill(step));

  async function createOrder() {
    const externalId = `o-${orders.length}-${random.next()}`;
    const customer = { name: 'Anna', phone: `7900${random.between(0, 5000)}` };
    const reply = await api('POST', 'orders', { externalId, customer, items: [{ sku: 'P', quantity: 2 }] });
    if (reply.status === 201) orders.push(reply.body.data.id);
    return reply;
  }
  await createOrder();

  return {
    failures,
    async next() {
      const startedAt = performance.now();
      const { status, body } = await random.pick(all)();
      times.push(performance.now() - startedAt);
      if (status >= 300) failures.push(`${status} ${JSON.stringify(body)}`);
    },
    /** Of the requests since the last call. */
    latency() {
      const sorted = times.sort((a, b) => a - b);
      times = [];
      const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
      return { medianMs: at(0.5), slowMs: at(0.99) };
    },
  };
}

/** Sends requests at a constant rate with limited concurrency. */
async function keepBusy(next: () => Promise<void>, end: number) {
  const underWay = new Set<Promise<void>>();
  const started = Date.now();
  for (let sent = 0; Date.now() < end; sent++) {
    await sleep(started + (sent * 1000) / PER_SECOND - Date.now());
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
  ['store-sales.db', 'store-sales.db-wal'].map((name) => statSync(join(testDb.DATA_DIR, name)).size) as [
    number,
    number,
  ];

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
