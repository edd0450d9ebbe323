/**
 * Changes 100,000 orders at once: disables the status that they have, merges the customer that they have with another, and
 * erases that one.
 * Reports the duration, the memory, and the response times of another store meanwhile. `npm run bench:move [-- postgres]`
 */
import { system } from '@store-sales/server/actor';
import { migrate } from '@store-sales/server/db/migrations/migrate';
import { rows, sql } from '@store-sales/server/db/sql';
import { uuid } from '@store-sales/server/db/uuid';
import { createOrderStatus } from '@store-sales/server/orders/statuses/order-statuses';
import { benchDatabase } from './bench-database.ts';
import { memoryMb } from './child.ts';
import { generateStore } from './generate.ts';
import { engine } from './options.ts';
import { serve } from './service.ts';
import { signIn } from './sign-in.ts';
import { median, percentile } from './stats.ts';

const ORDERS = 100_000;
const database = benchDatabase(engine);
const db = database.open();
await migrate(db);
const { storeId, key } = await generateStore(db, ORDERS);
const other = await generateStore(db, 1000, true);
const now = Date.now();
const status = await createOrderStatus(db, storeId, { group: 'packing', name: `Bench ${now}` }, system, now);
const [keptId, mergedId] = [uuid(now), uuid(now)];
await db.run(
  sql`insert into customers (store_id, id, name, created_at, updated_at, seq)
      values ${rows([keptId, mergedId].map((id) => [storeId, id, 'Анна Ким', now, now, 0]))}`,
);
await db.run(
  sql`update orders set status_id = ${status.id}, customer_id = ${mergedId},
        document = replace(document, '"customer":{"id":null', ${`"customer":{"id":"${mergedId}"`})
      where store_id = ${storeId}`,
);
// What autovacuum does within a minute.
if (engine === 'postgres') await db.run(sql`vacuum analyze orders`);
await db.close();

const service = await serve(database);
const cookie = await signIn(database, storeId, service.url);

async function timed(method: string, path: string, headers: Record<string, string>, body?: unknown) {
  const start = performance.now();
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status}`);
  return performance.now() - start;
}
const withKey = (key: string) => ({ authorization: `Bearer ${key}` });

/** Does the work beside the requests of another store. */
async function report(name: string, work: () => Promise<number>) {
  // Anonymous memory only: pages of the database file are the system's page cache.
  const ownMemoryMb = () => memoryMb(service.pid, 'RssAnon');
  const before = ownMemoryMb();
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, ownMemoryMb());
  }, 20);
  let isDone = false;
  const repeat = async (request: () => Promise<number>) => {
    const times: number[] = [];
    while (!isDone) times.push(await request());
    return times;
  };
  const reads = repeat(() => timed('GET', '/api/v1/orders', withKey(other.key)));
  const order = { items: [{ sku: 'SKU-1', quantity: 1 }] };
  const writes = repeat(() => timed('POST', '/api/v1/orders', withKey(other.key), order));
  const duration = await work();
  isDone = true;
  clearInterval(sampling);

  console.log(`\n${engine}: ${name}, ${ORDERS} orders, ${(duration / 1000).toFixed(1)} s`);
  console.log(`memory of the process: ${before.toFixed(0)} MB before, peak ${peak.toFixed(0)} MB`);
  for (const [kind, times] of Object.entries({ reads: await reads, writes: await writes }))
    console.log(
      `another store's ${kind} meanwhile: ${times.length} responses, median ${median(times).toFixed(1)} ms, ` +
        `p99 ${percentile(times, 0.99).toFixed(0)} ms, slowest ${percentile(times, 1).toFixed(0)} ms`,
    );
}

await report('disabling a status', () =>
  timed('PATCH', `/api/v1/references/order-statuses/${status.id}`, withKey(key), { isActive: false }),
);
await report('merging a customer', () =>
  timed(
    'POST',
    `/console/api/stores/${storeId}/customers/${keptId}/merge`,
    { cookie, origin: service.url },
    { otherId: mergedId },
  ),
);
await report('erasing a customer', () =>
  timed('DELETE', `/console/api/stores/${storeId}/customers/${keptId}/personal-data`, {
    cookie,
    origin: service.url,
  }),
);
await service.stop();
