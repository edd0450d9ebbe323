/**
 * Response times of the order page beside the API's list of products, in a store with 100 products and in one with
 * 100,000, in turns. `npm run bench:shop [-- postgres]`
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOwner } from '@store-sales/server/accounts/owners';
import { createStore } from '@store-sales/server/accounts/stores';
import { tick } from '@store-sales/server/db/clock/store-clock';
import type { Database } from '@store-sales/server/db/database';
import { migrate } from '@store-sales/server/db/migrations/migrate';
import { rows, sql } from '@store-sales/server/db/sql';
import { uuid } from '@store-sales/server/db/uuid';
import { createKey } from '@store-sales/server/keys/keys';
import { enableShop } from '@store-sales/server/shop/shops';
import { type BenchDatabase, separateDatabase } from './bench-database.ts';
import { engine } from './options.ts';
import { serve } from './service.ts';
import { median, percentile } from './stats.ts';

const ROUNDS = 200;
const BATCH_SIZE = 500;
const SUBCATEGORIES = 10;

interface BenchShop {
  slug: string;
  key: string;
  category: string;
}

/** Every second product is inactive. The products are in ten subcategories of one category. */
async function generateShop(db: Database, ownerId: string, count: number): Promise<BenchShop> {
  const now = Date.now();
  const { id: storeId } = await createStore(db, { ownerId, name: `${count} products`, plan: 'optimal' }, now);
  const parent = uuid(now);
  const children = Array.from({ length: SUBCATEGORIES }, () => uuid(now));
  await db.run(
    sql`insert into categories (store_id, id, name, parent_id, created_at, updated_at)
        values ${rows([parent, ...children].map((id) => [storeId, id, 'Tea', id === parent ? null : parent, now, now]))}`,
  );
  for (let start = 0; start < count; start += BATCH_SIZE)
    await db.transaction(async (tx) => {
      const size = Math.min(BATCH_SIZE, count - start);
      const { at, seq } = await tick(tx, storeId, now, { count: size });
      const products = Array.from({ length: size }, (_, index) => {
        const number = start + index;
        const name = `Tea ${number}`;
        const category = children[number % SUBCATEGORIES] as string;
        return [storeId, uuid(now), name, name.toLowerCase(), 100, category, number % 2 === 0, at + number, at, seq];
      });
      await tx.run(
        sql`insert into products (store_id, id, name, name_key, price, category_id, is_active, created_at, updated_at, seq)
            values ${rows(products)}`,
      );
    });
  const slug = `bench-${count}`;
  await enableShop(db, storeId, slug, now);
  const { secret: key } = await createKey(db, { storeId, name: 'bench', rights: ['products:read'] }, now);
  return { slug, key, category: parent };
}

async function shopsOf(database: BenchDatabase): Promise<{ small: BenchShop; large: BenchShop }> {
  const cacheFile = join(database.env.DATA_DIR as string, 'shops.json');
  if (existsSync(cacheFile)) return JSON.parse(readFileSync(cacheFile, 'utf8'));
  const db = database.open();
  await migrate(db);
  const owner = { email: 'bench-shop@example.test', name: 'Bench', password: 'bench password' };
  const { id } = await createOwner(db, owner, Date.now());
  const shops = { small: await generateShop(db, id, 100), large: await generateShop(db, id, 100_000) };
  if (engine === 'postgres') await db.run(sql`vacuum analyze products, categories`);
  await db.close();
  writeFileSync(cacheFile, JSON.stringify(shops));
  return shops;
}

const database = await separateDatabase(engine, 'shop');
const { small, large } = await shopsOf(database);
const service = await serve(database, {}, ['--no-dispatch']);
const uncached = await serve(database, { RESPONSE_CACHE_MB: '0' }, ['--no-dispatch']);
const authorization = `Bearer ${small.key}`;
const { headers } = await fetch(`${service.url}/shop/${large.slug}`);
const requests: [name: string, url: string, headers: Record<string, string>][] = [
  ['API, 50 of 100 products', `${service.url}/api/v1/products?limit=50`, { authorization }],
  ['page of 50, 100 products', `${uncached.url}/shop/${small.slug}`, {}],
  ['page of 60, 100,000 products', `${uncached.url}/shop/${large.slug}`, {}],
  ['category with ten below it', `${uncached.url}/shop/${large.slug}?category=${large.category}`, {}],
  ['page of 60, from the cache', `${service.url}/shop/${large.slug}`, {}],
  ['page of 60, not changed', `${service.url}/shop/${large.slug}`, { 'if-none-match': headers.get('etag') ?? '' }],
];
const times = requests.map((): number[] => []);
for (let round = 0; round < ROUNDS; round++)
  for (const [index, [name, url, sent]] of requests.entries()) {
    const start = performance.now();
    const response = await fetch(url, { headers: sent });
    await response.arrayBuffer();
    if (response.status !== 200 && response.status !== 304) throw new Error(`${name}: ${response.status}`);
    times[index]?.push(performance.now() - start);
  }
await service.stop();
await uncached.stop();

const base = median(times[0] ?? []);
console.log(`\n${engine}: response time in ms, medians of ${ROUNDS}\n`);
console.log('| Request | median | p99 | of the API |\n|---|---|---|---|');
for (const [index, [name]] of requests.entries()) {
  const own = times[index] ?? [];
  const [middle, slow] = [median(own), percentile(own, 0.99)];
  console.log(`| ${name} | ${middle.toFixed(2)} | ${slow.toFixed(1)} | ${(middle / base).toFixed(2)} |`);
}
