/**
 * What a growing store, or a crowded database, costs each request: the same requests to both sides in turn.
 *
 *     npm run bench:growth                  a store with 10,000 orders against one with 1,000,000 in the same database
 *     npm run bench:growth -- --others 1000 a store alone against one among 1,000 others
 *
 * `-- postgres` for the other engine; `--small` and `--large` for other sizes.
 */
import { Agent, request } from 'node:http';
import type { SortOrder } from '@store-sales/contract';
import { cursors } from '@store-sales/server/db/cursor';
import { sql } from '@store-sales/server/db/sql';
import type { BenchStore } from './generate.ts';
import { option } from './options.ts';
import { type BenchPlace, placeBeside, placeFor, SECRET_KEY, storeWith } from './place.ts';
import { serve } from './service.ts';
import { newOrder } from './work.ts';

const ROUNDS = 300;
const engine = process.argv.includes('postgres') ? 'postgres' : 'sqlite';

interface Side {
  name: string;
  place: BenchPlace;
  count: number;
  store: BenchStore;
}

async function sides(): Promise<[Side, Side]> {
  const place = placeFor(engine);
  const count = Number(option('small', '10000'));
  const small = { name: `${count} orders`, place, count, store: await storeWith(place, count) };
  const others = Number(option('others', '0'));
  if (!others) {
    const large = Number(option('large', '1000000'));
    return [small, { name: `${large} orders`, place, count: large, store: await storeWith(place, large) }];
  }
  // Both in databases of their own: what else is in the first would count.
  const [alone, crowded] = [await placeBeside(engine, 'alone'), await placeBeside(engine, 'crowded')];
  return [
    { name: 'alone', place: alone, count, store: await storeWith(alone, count) },
    { name: `among ${others} stores`, place: crowded, count, store: await storeWith(crowded, count, others) },
  ];
}

const both = await sides();
const codec = cursors([SECRET_KEY]);

/** A cursor deep in the list, as if all pages before it had been walked. */
async function deepCursor({ place, count, store }: Side, order: SortOrder) {
  const db = place.open();
  const depth = count - 1_000;
  const row = order.startsWith('created')
    ? await db.one<{ at: number; tie: number }>(
        sql`select created_at as at, number as tie from orders where store_id = ${store.storeId} and number = ${order.endsWith('desc') ? count - depth : depth}`,
      )
    : await db.one<{ at: number; tie: number }>(
        sql`select updated_at as at, seq as tie from orders where store_id = ${store.storeId} order by updated_at asc, seq asc limit 1 offset ${depth}`,
      );
  await db.close();
  if (!row) throw new Error('no such depth');
  return codec.write({ resource: 'orders', storeId: store.storeId, order }, [row.at, row.tie]);
}

const middle = new Date(Date.now() - 180 * 86_400_000).toISOString();
const later = new Date(Date.now() - 170 * 86_400_000).toISOString();
const pages: [string, (side: Side) => Promise<string> | string][] = [
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

interface Asked {
  method: string;
  path: string;
  body?: unknown;
}

/** Orders that are read and changed one by one. */
async function someOrders({ place, store }: Side): Promise<string[]> {
  const db = place.open();
  const found = await db.all<{ id: string }>(
    sql`select id from orders where store_id = ${store.storeId} and number % 5 = 0 order by number desc limit 500`,
  );
  await db.close();
  return found.map(({ id }) => id);
}

const scenarios: [string, (side: Side) => Promise<(round: number) => Asked>][] = [
  [
    'read one order',
    async (side) => {
      const ids = await someOrders(side);
      return (round) => ({ method: 'GET', path: `/orders/${ids[round % ids.length]}` });
    },
  ],
  ...pages.map(([name, queryOf]): (typeof scenarios)[number] => [
    name,
    async (side) => {
      const path = `/orders?${await queryOf(side)}`;
      return () => ({ method: 'GET', path });
    },
  ]),
  ['create', async () => () => ({ method: 'POST', path: '/orders', body: newOrder })],
  [
    'change of status',
    async (side) => {
      const ids = await someOrders(side);
      return (round) => ({
        method: 'PATCH',
        path: `/orders/${ids[round % ids.length]}`,
        body: { status: round % 1000 < 500 ? 'packing' : 'delivering' },
      });
    },
  ],
];

/** Every answer is made anew: what is to be measured is the making. */
const start = (place: BenchPlace) => serve(place, { RESPONSE_CACHE_MB: '0' }, ['--no-dispatch']);
const services = [await start(both[0].place)];
services.push(both[0].place === both[1].place ? (services[0] as (typeof services)[0]) : await start(both[1].place));
const agent = new Agent({ keepAlive: true });

const ask = (url: string, { key }: BenchStore, { method, path, body }: Asked) =>
  new Promise<number>((resolve, reject) => {
    const begun = process.hrtime.bigint();
    const headers = { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    request(`${url}/api/v1${path}`, { agent, method, headers }, (response) => {
      response.resume();
      response.on('end', () => {
        if ((response.statusCode ?? 500) >= 300) reject(new Error(`${method} ${path}: ${response.statusCode}`));
        else resolve(Number(process.hrtime.bigint() - begun) / 1e6);
      });
    })
      .on('error', reject)
      .end(body && JSON.stringify(body));
  });
const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1] as number;

const names = both.map(({ name }) => name).join(' | ');
console.log(`\n${engine}: median ms of ${ROUNDS} requests, the two sides in turn\n`);
console.log(`| Operation | ${names} | ratio |\n|---|---|---|---|`);
for (const [name, prepare] of scenarios) {
  const asking = await Promise.all(
    both.map(async (side, index) => ({
      store: side.store,
      url: services[index]?.url as string,
      next: await prepare(side),
      times: [] as number[],
    })),
  );
  for (let round = -30; round < ROUNDS; round++)
    for (const { url, store, next, times } of asking) {
      const time = await ask(url, store, next(round + 30));
      if (round >= 0) times.push(time);
    }
  const [a, b] = asking.map(({ times }) => median(times)) as [number, number];
  console.log(`| ${name} | ${a.toFixed(2)} | ${b.toFixed(2)} | ${(b / a).toFixed(2)} |`);
}
agent.destroy();
for (const service of new Set(services)) await service.stop();
