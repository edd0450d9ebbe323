/**
 * Response times of the console's pages in a store with a million orders: the first load, a few seconds after the start,
 * then the median and the slowest of twenty. `npm run bench:console [-- postgres] [--orders 1000000]`; `--fresh` deletes
 * the precomputed daily sales first.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '@store-sales/server/db/sql';
import { type DocumentParts, readDocument } from '@store-sales/server/orders/document';
import { benchDatabase, storeWith } from './bench-database.ts';
import { engine, option } from './options.ts';
import { serve } from './service.ts';
import { signIn } from './sign-in.ts';
import { median, percentile } from './stats.ts';

const ROUNDS = 20;
const SECONDS_BEFORE_FIRST_REQUEST = 5;
const orders = Number(option('orders', '1000000'));
const database = benchDatabase(engine);
const { storeId } = await storeWith(database, orders);

const db = database.open();
const order = await db.one<DocumentParts & { id: string; external_id: string }>(
  sql`select id, external_id, document_head, document, document_rest, document_tail from orders where store_id = ${storeId} and number = ${Math.floor(orders / 2)}`,
);
const status = await db.one<{ id: string }>(
  sql`select id from order_statuses where store_id = ${storeId} and code = 'cancelled'`,
);
if (!order || !status) throw new Error('The generated store is incomplete; delete .cache/bench and run again.');
const { phone, email } = readDocument(order).customer;
const digits = phone.replace(/\D/g, '');
await db.close();

const service = await serve(database, {}, ['--no-dispatch']);
// After its start the service computes the daily sales of large stores; requests wait for that.
await sleep(SECONDS_BEFORE_FIRST_REQUEST * 1000);
const cookie = await signIn(database, storeId, service.url);

const pages: [string, string][] = [
  ['home, 30 days', '/home?days=30'],
  ['home, 90 days', '/home?days=90'],
  ['home, best-selling products, 30 days', '/home/products?days=30'],
  ['home, best-selling products, 90 days', '/home/products?days=90'],
  ['orders', '/orders'],
  ['orders by last change', '/orders?order=updatedAt:desc'],
  ['orders by total', '/orders?order=totalAmount:desc'],
  ['orders by total, cancelled', `/orders?order=totalAmount:desc&status=${status.id}`],
  ['orders by total, of one day', '/orders?order=totalAmount:desc&from=2026-06-01&to=2026-06-01'],
  ['orders by total, paid, 90 days', '/orders?order=totalAmount:asc&payment=paid&from=2026-04-01&to=2026-06-30'],
  ['orders counted by status', '/orders/counts'],
  ['orders counted by status, paid, 90 days', '/orders/counts?payment=paid&from=2026-04-01&to=2026-06-30'],
  ['orders by status', `/orders?status=${status.id}`],
  ['orders by payment status and source', '/orders?payment=refunded&source=api'],
  ['orders of one day', `/orders?from=2026-06-01&to=2026-06-01`],
  ['orders by number', `/orders?q=${Math.floor(orders / 3)}`],
  ['orders by external id', `/orders?q=${order.external_id}`],
  ['orders by name, no match', '/orders?q=Nobody'],
  ['orders by name, one in twenty', '/orders?q=ким'],
  ['orders by first and last name', '/orders?q=анна ким'],
  ['orders by a word of every order', '/orders?q=чай'],
  ['orders by a word of every order and a phone', `/orders?q=чай ${digits.slice(-8)}`],
  ['orders by a word of every order, cancelled', `/orders?q=чай&status=${status.id}`],
  ['orders by name, of one day', '/orders?q=ким&from=2026-06-01&to=2026-06-01'],
  ['orders by the last 4 digits of a phone', `/orders?q=${digits.slice(-4)}`],
  ['orders by 7 digits of a phone', `/orders?q=${digits.slice(3, 10)}`],
  ['orders by e-mail', `/orders?q=${email}`],
  ['orders by SKU', '/orders?q=SKU-17'],
  ['search palette, a name', '/search?q=ким'],
  ['search palette, a number', `/search?q=${Math.floor(orders / 3)}`],
  ['search palette, a word of every order', '/search?q=чай'],
  ['board, first column', '/orders/board?group=new'],
  ['board, last column', '/orders/board?group=completed'],
  ['an order', `/orders/${order.id}`],
  ['statuses', '/order-statuses'],
  ['products', '/products'],
  ['customers', '/customers'],
  ['history', '/history'],
];

async function timePage(path: string) {
  const start = performance.now();
  const response = await fetch(`${service.url}/console/api/stores/${storeId}${path}`, { headers: { cookie } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return performance.now() - start;
}

console.log(`\n${engine}: response time of the console's pages in ms, ${orders} orders in the store\n`);
console.log('| Page | first load | median | slowest |\n|---|---|---|---|');
for (const [name, path] of pages) {
  const first = await timePage(path);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await timePage(path));
  console.log(`| ${name} | ${first.toFixed(0)} | ${median(times).toFixed(1)} | ${percentile(times, 1).toFixed(0)} |`);
}
await service.stop();
