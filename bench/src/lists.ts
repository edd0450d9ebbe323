/**
 * What a page of orders costs in a store with a million orders, against the same with ten thousand, both in one
 * database and asked in turn. `npm run bench:lists [-- postgres] [-- --small 10000 --large 1000000]`
 */
import { Agent, request } from 'node:http';
import type { SortOrder } from '@store-sales/contract';
import { cursors } from '@store-sales/server/db/cursor';
import { sql } from '@store-sales/server/db/sql';
import type { BenchStore } from './generate.ts';
import { placeFor, SECRET_KEY, storeWith } from './place.ts';
import { serve } from './service.ts';

const ROUNDS = 300;
const engine = process.argv.includes('postgres') ? 'postgres' : 'sqlite';
const option = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const place = placeFor(engine);
const small = { count: option('small', 10_000), store: await storeWith(place, option('small', 10_000)) };
const large = { count: option('large', 1_000_000), store: await storeWith(place, option('large', 1_000_000)) };

const db = place.open();
const codec = cursors(SECRET_KEY);

/** A cursor deep in the list, as if all pages before it had been walked. */
async function deepCursor({ count, store }: typeof small, order: SortOrder) {
  const depth = count - 1_000;
  const row = order.startsWith('created')
    ? await db.one<{ at: number; tie: number }>(
        sql`select created_at as at, number as tie from orders where store_id = ${store.storeId} and number = ${order.endsWith('desc') ? count - depth : depth}`,
      )
    : await db.one<{ at: number; tie: number }>(
        sql`select updated_at as at, seq as tie from orders where store_id = ${store.storeId} order by updated_at asc, seq asc limit 1 offset ${depth}`,
      );
  if (!row) throw new Error('no such depth');
  return codec.write({ resource: 'orders', storeId: store.storeId, order }, [row.at, row.tie]);
}

const middle = new Date(Date.now() - 180 * 86_400_000).toISOString();
const later = new Date(Date.now() - 170 * 86_400_000).toISOString();
const scenarios: [string, (side: typeof small) => Promise<string> | string][] = [
  ['first page', () => ''],
  ['first page with items', () => 'with=items'],
  ['first page, updatedAt:asc', () => 'order=updatedAt:asc'],
  ['deep page by cursor', async (side) => `cursor=${await deepCursor(side, 'createdAt:desc')}`],
  [
    'deep page by cursor, updatedAt:asc',
    async (side) => `order=updatedAt:asc&cursor=${await deepCursor(side, 'updatedAt:asc')}`,
  ],
  ['filter status', () => 'filter[status]=packing'],
  ['filter payment status', () => 'filter[paymentStatus]=refunded'],
  [
    'filter both statuses, updatedAt:desc',
    () => 'filter[status]=cancelled&filter[paymentStatus]=paid&order=updatedAt:desc',
  ],
  ['filter external id', (side) => `filter[externalId]=EXT-${Math.floor(side.count / 2)}`],
  ['filter createdAt', () => `filter[createdAt][from]=${middle}&filter[createdAt][to]=${later}`],
  ['filter updatedAt, updatedAt:asc', () => `filter[updatedAt][from]=${middle}&order=updatedAt:asc`],
  ['filter updatedAt from, createdAt:desc', () => `filter[updatedAt][from]=${middle}`],
  ['filter updatedAt to, createdAt:desc', () => `filter[updatedAt][to]=${middle}`],
];

const service = await serve(place);
const agent = new Agent({ keepAlive: true });
const get = (store: BenchStore, query: string) =>
  new Promise<number>((resolve, reject) => {
    const start = process.hrtime.bigint();
    request(
      `${service.url}/api/v1/orders?${query}`,
      { agent, headers: { authorization: `Bearer ${store.key}` } },
      (response) => {
        response.resume();
        response.on('end', () => {
          if (response.statusCode !== 200) reject(new Error(`${query} answered ${response.statusCode}`));
          else resolve(Number(process.hrtime.bigint() - start) / 1e6);
        });
      },
    )
      .on('error', reject)
      .end();
  });
const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1] as number;

console.log(`\n${engine}: median ms of ${ROUNDS} requests, ${small.count} and ${large.count} orders in turn\n`);
console.log(`| Page of 50 | ${small.count} | ${large.count} | ratio |\n|---|---|---|---|`);
for (const [name, queryOf] of scenarios) {
  const sides = await Promise.all(
    [small, large].map(async (side) => ({ side, query: await queryOf(side), times: [] as number[] })),
  );
  for (let round = -30; round < ROUNDS; round++)
    for (const { side, query, times } of sides) {
      const time = await get(side.store, query);
      if (round >= 0) times.push(time);
    }
  const [a, b] = sides.map(({ times }) => median(times)) as [number, number];
  console.log(`| ${name} | ${a.toFixed(2)} | ${b.toFixed(2)} | ${(b / a).toFixed(2)} |`);
}
agent.destroy();
await service.stop();
await db.close();
