/**
 * How response times depend on the size of a store, or on the number of stores: the same requests to both sides,
 * alternating.
 *
 *     npm run bench:growth                  10,000 orders compared with 1,000,000 in the same database
 *     npm run bench:growth -- --others 1000 a store alone compared with one among 1,000 others
 *
 * `-- postgres` for PostgreSQL; `--small` and `--large` for other sizes.
 */
import { Agent, request } from 'node:http';
import type { SortOrder } from '@store-sales/contract';
import { cursors } from '@store-sales/server/db/lists/cursor';
import { sql } from '@store-sales/server/db/sql';
import { type BenchDatabase, benchDatabase, SECRET_KEY, separateDatabase, storeWith } from './bench-database.ts';
import type { BenchStore } from './generate.ts';
import { newOrder } from './operations.ts';
import { engine, option } from './options.ts';
import { serve } from './service.ts';
import { median } from './stats.ts';

const ROUNDS = 300;
const WARM_UP_ROUNDS = 30;

interface Side {
  name: string;
  database: BenchDatabase;
  count: number;
  store: BenchStore;
}

async function prepareSides(): Promise<[Side, Side]> {
  const database = benchDatabase(engine);
  const count = Number(option('small', '10000'));
  const small = { name: `${count} orders`, database, count, store: await storeWith(database, count) };
  const others = Number(option('others', '0'));
  if (!others) {
    const large = Number(option('large', '1000000'));
    return [small, { name: `${large} orders`, database, count: large, store: await storeWith(database, large) }];
  }
  // Separate databases: the main one may contain other stores.
  const [alone, crowded] = [await separateDatabase(engine, 'alone'), await separateDatabase(engine, 'crowded')];
  return [
    { name: 'alone', database: alone, count, store: await storeWith(alone, count) },
    { name: `among ${others} stores`, database: crowded, count, store: await storeWith(crowded, count, others) },
  ];
}

const sides = await prepareSides();
const codec = cursors([SECRET_KEY]);

/** A cursor near the end of the list. */
async function deepCursor({ database, count, store }: Side, order: SortOrder) {
  const db = database.open();
  const depth = count - 1_000;
  const row = order.startsWith('created')
    ? await db.one<{ at: number; tie: number }>(
        sql`select created_at as at, number as tie from orders where store_id = ${store.storeId} and number = ${order.endsWith('desc') ? count - depth : depth}`,
      )
    : await db.one<{ at: number; tie: number }>(
        sql`select updated_at as at, seq as tie from orders where store_id = ${store.storeId} order by updated_at asc, seq asc limit 1 offset ${depth}`,
      );
  await db.close();
  if (!row) throw new Error('The list is too short for a deep cursor.');
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
    'filter sides statuses, updatedAt:desc',
    () => 'filter[status]=cancelled&filter[paymentStatus]=paid&order=updatedAt:desc',
  ],
  ['filter external id', (side) => `filter[externalId]=EXT-${Math.floor(side.count / 2)}`],
  ['filter createdAt', () => `filter[createdAt][from]=${middle}&filter[createdAt][to]=${later}`],
  ['filter updatedAt, updatedAt:asc', () => `filter[updatedAt][from]=${middle}&order=updatedAt:asc`],
  ['filter updatedAt from, createdAt:desc', () => `filter[updatedAt][from]=${middle}`],
  ['filter updatedAt to, createdAt:desc', () => `filter[updatedAt][to]=${middle}`],
];

interface ApiRequest {
  method: string;
  path: string;
  body?: unknown;
}

async function someOrderIds({ database, store }: Side): Promise<string[]> {
  const db = database.open();
  const found = await db.all<{ id: string }>(
    sql`select id from orders where store_id = ${store.storeId} and number % 5 = 0 order by number desc limit 500`,
  );
  await db.close();
  return found.map(({ id }) => id);
}

const scenarios: [string, (side: Side) => Promise<(round: number) => ApiRequest>][] = [
  [
    'read one order',
    async (side) => {
      const ids = await someOrderIds(side);
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
    'change status',
    async (side) => {
      const ids = await someOrderIds(side);
      return (round) => ({
        method: 'PATCH',
        path: `/orders/${ids[round % ids.length]}`,
        body: { status: round % 1000 < 500 ? 'packing' : 'delivering' },
      });
    },
  ],
];

/** Without the response cache, so that every request is a miss. */
const start = (database: BenchDatabase) => serve(database, { RESPONSE_CACHE_MB: '0' }, ['--no-dispatch']);
const services = [await start(sides[0].database)];
services.push(
  sides[0].database === sides[1].database ? (services[0] as (typeof services)[0]) : await start(sides[1].database),
);
const agent = new Agent({ keepAlive: true });

const send = (url: string, { key }: BenchStore, { method, path, body }: ApiRequest) =>
  new Promise<number>((resolve, reject) => {
    const startedAt = process.hrtime.bigint();
    const headers = { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    request(`${url}/api/v1${path}`, { agent, method, headers }, (response) => {
      response.resume();
      response.on('end', () => {
        if ((response.statusCode ?? 500) >= 300) reject(new Error(`${method} ${path}: ${response.statusCode}`));
        else resolve(Number(process.hrtime.bigint() - startedAt) / 1e6);
      });
    })
      .on('error', reject)
      .end(body && JSON.stringify(body));
  });

const names = sides.map(({ name }) => name).join(' | ');
console.log(`\n${engine}: median ms of ${ROUNDS} requests, sides alternating\n`);
console.log(`| Operation | ${names} | ratio |\n|---|---|---|---|`);
for (const [name, prepare] of scenarios) {
  const runs = await Promise.all(
    sides.map(async (side, index) => ({
      store: side.store,
      url: services[index]?.url as string,
      next: await prepare(side),
      times: [] as number[],
    })),
  );
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++)
    for (const { url, store, next, times } of runs) {
      const time = await send(url, store, next(round + WARM_UP_ROUNDS));
      if (round >= 0) times.push(time);
    }
  const [a, b] = runs.map(({ times }) => median(times)) as [number, number];
  console.log(`| ${name} | ${a.toFixed(2)} | ${b.toFixed(2)} | ${(b / a).toFixed(2)} |`);
}
agent.destroy();
for (const service of new Set(services)) await service.stop();
