/**
 * Many stores of very different size served by one or several nodes: requests per second, times, memory, and the size of
 * the database. Needs an empty database.
 *
 *     npm run bench:stores [-- postgres] [-- --stores 10000 --nodes 3 --seconds 30]
 */
import { createStore } from '@store-sales/server/accounts/stores';
import type { Database } from '@store-sales/server/db/database';
import { migrate } from '@store-sales/server/db/migrations/migrate';
import { sql } from '@store-sales/server/db/sql';
import { uuid } from '@store-sales/server/db/uuid';
import { seededRandom } from '@store-sales/server/demo/random';
import { createKey } from '@store-sales/server/keys/keys';
import { benchDatabase } from './bench-database.ts';
import { forkProgram, memoryMb } from './child.ts';
import { addProducts } from './generate.ts';
import { createOrderRequest, rawRequest } from './operations.ts';
import { engine, option } from './options.ts';
import type { LoadOptions, LoadResult } from './programs/load.ts';
import { serve } from './service.ts';

const STORES = Number(option('stores', '10000'));
const NODES = Number(option('nodes', '1'));
const SECONDS = Number(option('seconds', '30'));
const CONNECTIONS = 32;
const REQUESTS = 20_000;
/** Of a hundred requests; the rest asks for what has changed. */
const MIX = { create: 15, change: 10, statuses: 5 };

const random = seededRandom(STORES);
const database = benchDatabase(engine);
const db = database.open();
await migrate(db);
const isDistributed = db.dialect.isDistributed;

interface Store {
  id: string;
  key: string;
}

/** The password of an account takes longer to hash than its store to create, and nobody signs in here. */
async function addStore(index: number): Promise<Store> {
  const now = Date.now();
  const ownerId = uuid(now);
  const email = `owner-${index}-${ownerId}@example.test`;
  await db.run(
    sql`insert into owners (id, email, email_key, name, password_hash, created_at)
        values (${ownerId}, ${email}, ${email}, 'Bench', '', ${now})`,
  );
  const { id } = await createStore(db, { ownerId, name: `Store ${index}`, plan: 'optimal' }, now);
  const rights = ['orders:read', 'orders:write', 'references:read'];
  const { secret } = await createKey(db, { storeId: id, name: 'bench', rights }, now);
  await addProducts(db, id, now);
  return { id, key: secret };
}

async function sizeOf(from: Database): Promise<number> {
  const size =
    from.dialect.engine === 'sqlite'
      ? sql`select page_count * page_size as size from pragma_page_count(), pragma_page_size()`
      : isDistributed
        ? sql`select sum(citus_total_relation_size(table_name)) as size from citus_tables`
        : sql`select pg_database_size(current_database()) as size`;
  return Number((await from.one<{ size: number }>(size))?.size);
}

const stores: Store[] = [];
const startedAt = performance.now();
let next = 0;
// Citus writes to tables that every server has for one transaction at a time.
const creators = Array.from({ length: isDistributed ? 1 : 8 }, async () => {
  while (next < STORES) stores.push(await addStore(next++));
});
await Promise.all(creators);
const perStore = (performance.now() - startedAt) / STORES;
console.log(`${STORES} stores created, ${perStore.toFixed(1)} ms each`);

/** A few stores have most of the orders: the n-th has about 1/n of those of the first. */
const someStore = () => stores[Math.floor(STORES ** random.next()) - 1] as Store;

const nodes = await Promise.all(Array.from({ length: NODES }, () => serve(database, {}, ['--no-dispatch'])));
const loads = nodes.map(() => forkProgram<LoadOptions, LoadResult>('load'));
const run = (requests: string[], seconds: number) =>
  Promise.all(
    nodes.map(({ url }, index) =>
      (loads[index] as (typeof loads)[number]).call({
        port: Number(new URL(url).port),
        connections: Math.ceil(CONNECTIONS / NODES),
        // Each node begins elsewhere in the list.
        requests: requests.map((_, at) => requests[(at + index * 997) % requests.length] as string),
        seconds,
      }),
    ),
  );

// The first orders, which are changed later.
await run(
  Array.from({ length: REQUESTS }, () => createOrderRequest(someStore().key)),
  Math.ceil(SECONDS / 3),
);
const ids = new Map<string, string[]>();
for (const { id } of stores.slice(0, 500)) {
  const found = await db.all<{ id: string }>(sql`select id from orders where store_id = ${id} limit 100`);
  ids.set(
    id,
    found.map((order) => order.id),
  );
}
const since = new Date(Date.now() - 60_000).toISOString();
const requests = Array.from({ length: REQUESTS }, () => {
  const store = someStore();
  const share = random.next() * 100;
  if (share < MIX.create) return createOrderRequest(store.key);
  if (share < MIX.create + MIX.statuses) return rawRequest(store.key, 'GET', '/references/order-statuses');
  const order = ids.get(store.id)?.[random.between(0, 99)];
  if (order && share < MIX.create + MIX.statuses + MIX.change)
    return rawRequest(
      store.key,
      'PATCH',
      `/orders/${order}`,
      JSON.stringify({ status: random.pick(['packing', 'delivering']) }),
    );
  return rawRequest(store.key, 'GET', `/orders?order=updatedAt:asc&filter[updatedAt][from]=${since}`);
});

const counted = async () =>
  Number((await db.one<{ count: number }>(sql`select sum(last_number) as count from store_clocks`))?.count);
const before = { size: await sizeOf(db), orders: await counted() };
const results = await run(requests, SECONDS);
const orders = (await counted()) - before.orders;
const size = (await sizeOf(db)) - before.size;
const sum = results.reduce((all, { perSecond }) => all + perSecond, 0);
const worst = (pick: (result: LoadResult) => number) => Math.max(...results.map(pick)).toFixed(1);

console.log(`
| Nodes | requests a second | of these, orders created | p50 ms | p99 ms | failed | memory of a node, MB | database for a million orders, GB |
|---|---|---|---|---|---|---|---|
| ${NODES}${isDistributed ? ', Citus' : ''} | ${sum.toFixed(0)} | ${(orders / SECONDS).toFixed(0)} | ${worst(({ p50 }) => p50)} | ${worst(({ p99 }) => p99)} | ${results.reduce((all, { failures }) => all + failures, 0)} | ${Math.max(...nodes.map(({ pid }) => memoryMb(pid))).toFixed(0)} | ${((size / orders) * 1e-3).toFixed(1)} |`);
for (const load of loads) load.stop();
await Promise.all(nodes.map(({ stop }) => stop()));
await db.close();
