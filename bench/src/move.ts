/**
 * Disables a status that 100,000 orders have. Reports the duration, the memory, and the response times of another store
 * meanwhile. `npm run bench:move [-- postgres]`
 */
import { system } from '@store-sales/server/actor';
import { migrate } from '@store-sales/server/db/migrate';
import { sql } from '@store-sales/server/db/sql';
import { createOrderStatus } from '@store-sales/server/orders/statuses/order-statuses';
import { benchDatabase } from './bench-database.ts';
import { memoryMb } from './child.ts';
import { generateStore } from './generate.ts';
import { engine } from './options.ts';
import { serve } from './service.ts';
import { median, percentile } from './stats.ts';

const ORDERS = 100_000;
const database = benchDatabase(engine);
const db = database.open();
await migrate(db);
const { storeId, key } = await generateStore(db, ORDERS);
const other = await generateStore(db, 1000, true);
const status = await createOrderStatus(
  db,
  storeId,
  { group: 'packing', name: `Bench ${Date.now()}` },
  system,
  Date.now(),
);
await db.run(sql`update orders set status_id = ${status.id} where store_id = ${storeId}`);
await db.close();

const service = await serve(database);
// Anonymous memory only: pages of the database file are the system's page cache.
const ownMemoryMb = () => memoryMb(service.pid, 'RssAnon');
const before = ownMemoryMb();
let peak = before;
const sampling = setInterval(() => {
  peak = Math.max(peak, ownMemoryMb());
}, 20);

async function timed(method: string, path: string, apiKey: string, body?: unknown) {
  const start = performance.now();
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status}`);
  return performance.now() - start;
}

let isDone = false;
const repeat = async (request: () => Promise<number>) => {
  const times: number[] = [];
  while (!isDone) times.push(await request());
  return times;
};
const reads = repeat(() => timed('GET', '/orders', other.key));
const writes = repeat(() => timed('POST', '/orders', other.key, { items: [{ sku: 'SKU-1', quantity: 1 }] }));
const duration = await timed('PATCH', `/references/order-statuses/${status.id}`, key, { isActive: false });
isDone = true;
clearInterval(sampling);

const report = (name: string, times: number[]) =>
  console.log(
    `${name}: ${times.length} responses, median ${median(times).toFixed(1)} ms, slowest ${percentile(times, 1).toFixed(0)} ms`,
  );
console.log(`\n${engine}: ${ORDERS} orders moved in ${(duration / 1000).toFixed(1)} s`);
console.log(`memory of the process: ${before.toFixed(0)} MB before, peak ${peak.toFixed(0)} MB`);
report("another store's reads meanwhile", await reads);
report("another store's writes meanwhile", await writes);
await service.stop();
