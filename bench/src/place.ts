import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '@store-sales/server/db/database';
import { migrate } from '@store-sales/server/db/migrate';
import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import pg from 'pg';
import { type BenchStore, generateStore } from './generate.ts';

/** Where benchmarks keep what they generate, so that the next run finds it again. */
export const cacheDir = fileURLToPath(new URL('../../.cache/bench', import.meta.url));

export const SECRET_KEY = 'a secret of the benchmarks: 32 characters';

export interface BenchPlace {
  engine: 'sqlite' | 'postgres';
  env: Record<string, string>;
  open(): Database;
}

export function placeFor(engine: BenchPlace['engine']): BenchPlace {
  const databaseUrl = engine === 'postgres' ? process.env.BENCH_DATABASE_URL : undefined;
  if (engine === 'postgres' && !databaseUrl)
    throw new Error('set BENCH_DATABASE_URL to a PostgreSQL database for benchmarks');
  return placeIn(engine, join(cacheDir, engine), databaseUrl);
}

/** A second place beside it, with a database of its own. */
export async function placeBeside(engine: BenchPlace['engine'], name: string): Promise<BenchPlace> {
  const { DATABASE_URL: main } = placeFor(engine).env;
  if (!main) return placeIn(engine, join(cacheDir, `${engine}-${name}`), undefined);
  const beside = new URL(main);
  beside.pathname += `_${name}`;
  const database = beside.pathname.slice(1);
  const client = new pg.Client({ connectionString: main });
  await client.connect();
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
  if (!rowCount) await client.query(`create database ${client.escapeIdentifier(database)}`);
  await client.end();
  return placeIn(engine, join(cacheDir, `${engine}-${name}`), beside.href);
}

function placeIn(engine: BenchPlace['engine'], dataDir: string, databaseUrl: string | undefined): BenchPlace {
  mkdirSync(dataDir, { recursive: true });
  return {
    engine,
    env: { DATA_DIR: dataDir, SECRET_KEY, ...(databaseUrl && { DATABASE_URL: databaseUrl }) },
    open: () => openDatabase({ databaseUrl, dataDir }),
  };
}

const ORDERS_OF_OTHERS = 100;

/** The store with so many orders: from an earlier run, or made now, after so many others. */
export async function storeWith(place: BenchPlace, count: number, others = 0): Promise<BenchStore> {
  const note = join(place.env.DATA_DIR as string, `store-${count}.json`);
  if (existsSync(note)) return JSON.parse(readFileSync(note, 'utf8')) as BenchStore;
  const db = place.open();
  try {
    await migrate(db);
    for (let made = 0; made < others; made++) {
      await generateStore(db, ORDERS_OF_OTHERS, true);
      if (made % 50 === 0) console.error(`${made} of ${others} other stores`);
    }
    const store = await generateStore(db, count);
    // As autovacuum would within the minute. It leaves alone what is empty: a table that was analyzed so is planned to be
    // read from end to end, and connections keep their plans.
    if (place.engine === 'postgres')
      await db.run(
        sql`vacuum analyze orders, order_lines, products, owners, stores, store_clocks, api_keys, order_statuses,
              payment_statuses, history`,
      );
    writeFileSync(note, JSON.stringify(store));
    return store;
  } finally {
    await db.close();
  }
}
