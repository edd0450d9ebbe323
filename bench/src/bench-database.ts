import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '@store-sales/server/db/database';
import { migrate } from '@store-sales/server/db/migrations/migrate';
import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import pg from 'pg';
import { type BenchStore, generateStore } from './generate.ts';

/** Generated databases are kept here and reused by later runs. */
const cacheDir = fileURLToPath(new URL('../../.cache/bench', import.meta.url));

export const SECRET_KEY = 'a secret of the benchmarks: 32 characters';

export interface BenchDatabase {
  engine: 'sqlite' | 'postgres';
  env: Record<string, string>;
  open(): Database;
}

export function benchDatabase(engine: BenchDatabase['engine']): BenchDatabase {
  const databaseUrl = engine === 'postgres' ? process.env.BENCH_DATABASE_URL : undefined;
  if (engine === 'postgres' && !databaseUrl)
    throw new Error('Set BENCH_DATABASE_URL to a PostgreSQL database for benchmarks.');
  return describe(engine, join(cacheDir, engine), databaseUrl);
}

/** Another database on the same server, or in another directory; created if needed. */
export async function separateDatabase(engine: BenchDatabase['engine'], name: string): Promise<BenchDatabase> {
  const { DATABASE_URL: main } = benchDatabase(engine).env;
  const dataDir = join(cacheDir, `${engine}-${name}`);
  if (!main) return describe(engine, dataDir, undefined);
  const url = new URL(main);
  url.pathname += `_${name}`;
  const databaseName = url.pathname.slice(1);
  await onServer(main, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [databaseName]);
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(databaseName)}`);
  });
  return describe(engine, dataDir, url.href);
}

/** A new database that the benchmark removes at its end. */
export async function temporaryDatabase(engine: BenchDatabase['engine'], name: string) {
  const database = await separateDatabase(engine, `${name}_${Date.now()}`);
  const { DATABASE_URL: url, DATA_DIR: dataDir } = database.env;
  const remove = async () => {
    rmSync(dataDir as string, { recursive: true });
    if (!url) return;
    await onServer(benchDatabase(engine).env.DATABASE_URL as string, (client) =>
      client.query(`drop database ${client.escapeIdentifier(new URL(url).pathname.slice(1))}`),
    );
  };
  return { ...database, remove };
}

async function onServer(url: string, action: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await action(client);
  } finally {
    await client.end();
  }
}

function describe(engine: BenchDatabase['engine'], dataDir: string, databaseUrl: string | undefined): BenchDatabase {
  mkdirSync(dataDir, { recursive: true });
  return {
    engine,
    env: { DATA_DIR: dataDir, SECRET_KEY, ...(databaseUrl && { DATABASE_URL: databaseUrl }) },
    open: () => openDatabase({ databaseUrl, dataDir }),
  };
}

const ORDERS_PER_OTHER_STORE = 100;

/** A store with `count` orders, in a database with `others` other stores. Generated on the first run. */
export async function storeWith(database: BenchDatabase, count: number, others = 0): Promise<BenchStore> {
  const cacheFile = join(database.env.DATA_DIR as string, `store-${count}.json`);
  if (existsSync(cacheFile)) return JSON.parse(readFileSync(cacheFile, 'utf8')) as BenchStore;
  const db = database.open();
  try {
    await migrate(db);
    for (let created = 0; created < others; created++) {
      await generateStore(db, ORDERS_PER_OTHER_STORE, true);
      if (created % 50 === 0) console.error(`${created} of ${others} other stores`);
    }
    const store = await generateStore(db, count);
    // Does at once what autovacuum would do within a minute. Empty tables are left out, as autovacuum leaves them out:
    // an analyzed empty table gets sequential scans, and connections keep their plans.
    if (database.engine === 'postgres')
      await db.run(
        sql`vacuum analyze orders, order_lines, products, owners, stores, store_clocks, api_keys, order_statuses,
              payment_statuses, history, order_search`,
      );
    writeFileSync(cacheFile, JSON.stringify(store));
    return store;
  } finally {
    await db.close();
  }
}
