/**
 * Disabling a status that 100,000 orders have: how long it takes, what memory it takes, and what another store's
 * requests see meanwhile. `npm run bench:move [-- postgres]`
 */
import { readFileSync } from 'node:fs';
import { system } from '@store-sales/server/actor';
import { migrate } from '@store-sales/server/db/migrate';
import { sql } from '@store-sales/server/db/sql';
import { createOrderStatus } from '@store-sales/server/references/order-statuses';
import { generateStore } from './generate.ts';
import { placeFor } from './place.ts';
import { serve } from './service.ts';

const ORDERS = 100_000;
const place = placeFor(process.argv.includes('postgres') ? 'postgres' : 'sqlite');
const db = place.open();
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

const service = await serve(place);
// Its own memory: pages of the database file that it reads through are the system's to take back.
const own = () => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024;
const before = own();
let most = before;
const watch = setInterval(() => {
  most = Math.max(most, own());
}, 20);

async function timed(method: string, path: string, apiKey: string, body?: unknown) {
  const start = performance.now();
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  if (response.status >= 300) throw new Error(`${method} ${path} answered ${response.status}`);
  return performance.now() - start;
}

let isOver = false;
const repeat = async (request: () => Promise<number>) => {
  const times: number[] = [];
  while (!isOver) times.push(await request());
  return times.sort((a, b) => a - b);
};
const reads = repeat(() => timed('GET', '/orders', other.key));
const writes = repeat(() => timed('POST', '/orders', other.key, { items: [{ sku: 'SKU-1', quantity: 1 }] }));
const took = await timed('PATCH', `/references/order-statuses/${status.id}`, key, { isActive: false });
isOver = true;
clearInterval(watch);

const told = (name: string, times: number[]) =>
  console.log(
    `${name}: ${times.length} answered, median ${times[times.length >> 1]?.toFixed(1)} ms, slowest ${times.at(-1)?.toFixed(0)} ms`,
  );
console.log(`\n${place.engine}: ${ORDERS} orders moved in ${(took / 1000).toFixed(1)} s`);
console.log(`memory of the process: ${before.toFixed(0)} MB before, at most ${most.toFixed(0)} MB`);
told("another store's reads meanwhile", await reads);
told("another store's writes meanwhile", await writes);
await service.stop();
