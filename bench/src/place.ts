import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '@store-sales/server/db/database';
import { migrate } from '@store-sales/server/db/migrate';
import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import { type BenchStore, generateStore } from './generate.ts';

/** Where benchmarks keep what they generate, so that the next run finds it again. */
export const cacheDir = fileURLToPath(new URL('../../.cache/bench', import.meta.url));

export const SECRET_KEY = 'a secret of the benchmarks, 32 characters';

export interface BenchPlace {
  engine: 'sqlite' | 'postgres';
  env: Record<string, string>;
  open(): Database;
}

export function placeFor(engine: BenchPlace['engine']): BenchPlace {
  const dataDir = join(cacheDir, engine);
  mkdirSync(dataDir, { recursive: true });
  const databaseUrl = engine === 'postgres' ? process.env.BENCH_DATABASE_URL : undefined;
  if (engine === 'postgres' && !databaseUrl)
    throw new Error('set BENCH_DATABASE_URL to a PostgreSQL database for benchmarks');
  return {
    engine,
    env: { DATA_DIR: dataDir, SECRET_KEY, ...(databaseUrl && { DATABASE_URL: databaseUrl }) },
    open: () => openDatabase({ databaseUrl, dataDir }),
  };
}

/** The store with so many orders: from an earlier run, or made now. */
export async function storeWith(place: BenchPlace, count: number): Promise<BenchStore> {
  const note = join(cacheDir, place.engine, `store-${count}.json`);
  if (existsSync(note)) return JSON.parse(readFileSync(note, 'utf8')) as BenchStore;
  const db = place.open();
  try {
    await migrate(db);
    const store = await generateStore(db, count);
    // As autovacuum would within the minute.
    if (place.engine === 'postgres') await db.run(sql`analyze`);
    writeFileSync(note, JSON.stringify(store));
    return store;
  } finally {
    await db.close();
  }
}
