/**
 * How long the console waits for each of its pages in a store with a million orders: the first look, some seconds after
 * the start, then the median and the slowest of twenty. `npm run bench:console [-- postgres] [--orders 1000000]`; with `--fresh`
 * nothing is summed up yet when it starts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '@store-sales/server/db/sql';
import { option } from './options.ts';
import { placeFor, storeWith } from './place.ts';
import { serve } from './service.ts';

const ROUNDS = 20;
const SECONDS_BEFORE = 5;
const PASSWORD = 'bench password';
const engine = process.argv.includes('postgres') ? 'postgres' : 'sqlite';
const orders = Number(option('orders', '1000000'));
const place = placeFor(engine);
const { storeId } = await storeWith(place, orders);

const db = place.open();
const owner = await db.one<{ email: string }>(
  sql`select o.email from owners o join stores s on s.owner_id = o.id where s.id = ${storeId}`,
);
const order = await db.one<{ id: string; external_id: string }>(
  sql`select id, external_id from orders where store_id = ${storeId} and number = ${Math.floor(orders / 2)}`,
);
const status = await db.one<{ id: string }>(
  sql`select id from order_statuses where store_id = ${storeId} and code = 'cancelled'`,
);
if (!owner || !order || !status) throw new Error('the store is not as it was made');
if (process.argv.includes('--fresh')) await db.run(sql`delete from sales_days where store_id = ${storeId}`);
await db.close();

const service = await serve(place, {}, ['--no-dispatch']);
// It sums up large stores as soon as it listens; whoever is here in that moment waits for it.
await sleep(SECONDS_BEFORE * 1000);
const api = `${service.url}/console/api`;
const entered = await fetch(`${api}/session`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', origin: service.url },
  body: JSON.stringify({ email: owner.email, password: PASSWORD }),
});
if (!entered.ok) throw new Error(`sign-in answered ${entered.status}`);
const cookie = entered.headers
  .getSetCookie()
  .map((line) => line.split(';')[0])
  .join('; ');

const pages: [string, string][] = [
  ['home, 30 days', '/home?days=30'],
  ['home, 90 days', '/home?days=90'],
  ['home, best products of 30 days', '/home/products?days=30'],
  ['home, best products of 90 days', '/home/products?days=90'],
  ['orders', '/orders'],
  ['orders of a status', `/orders?status=${status.id}`],
  ['orders of a payment status and source', '/orders?payment=refunded&source=api'],
  ['orders of a day', `/orders?from=2026-06-01&to=2026-06-01`],
  ['orders by number', `/orders?q=${Math.floor(orders / 3)}`],
  ['orders by external id', `/orders?q=${order.external_id}`],
  ['orders by name, none such', '/orders?q=Nobody'],
  ['board, first column', '/orders/board?group=new'],
  ['board, last column', '/orders/board?group=completed'],
  ['an order', `/orders/${order.id}`],
  ['statuses', '/order-statuses'],
  ['products', '/products'],
  ['customers', '/customers'],
  ['history', '/history'],
];

async function look(path: string) {
  const start = performance.now();
  const answer = await fetch(`${api}/stores/${storeId}${path}`, { headers: { cookie } });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return performance.now() - start;
}

console.log(`\n${engine}: ms for a page of the console, ${orders} orders in the store\n`);
console.log('| Page | first look | median | slowest |\n|---|---|---|---|');
for (const [name, path] of pages) {
  const first = await look(path);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await look(path));
  times.sort((a, b) => a - b);
  const [median, slowest] = [times[ROUNDS >> 1], times.at(-1)] as [number, number];
  console.log(`| ${name} | ${first.toFixed(0)} | ${median.toFixed(1)} | ${slowest.toFixed(0)} |`);
}
await service.stop();
