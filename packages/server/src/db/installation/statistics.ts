import { repeat } from '../../time/repeat.ts';
import type { Database } from '../database.ts';
import { raw, sql } from '../sql.ts';

const CHECK_INTERVAL_MS = 5000;
/** In pages of 8 KiB: below it, every plan is fast. */
const MIN_PAGES = 10;
const GROWTH = 10;

/**
 * Analyzes the tables that have grown tenfold since the last time; returns their names. PostgreSQL does so within a
 * minute or more. Until then it knows nothing of a table that was empty at the start, costs all indexes that begin with
 * the store alike, and may read all orders of a store to find one: thousands of writes get slower and slower.
 */
export async function analyzeGrownTables(db: Database): Promise<string[]> {
  const tables = await db.all<{ name: string }>(
    sql`select quote_ident(relname) as name from pg_class
        where relkind = 'r' and relnamespace = current_schema()::regnamespace and pg_has_role(relowner, 'usage')
          and pg_relation_size(oid) >= current_setting('block_size')::bigint * ${GROWTH} * greatest(relpages, ${MIN_PAGES / GROWTH})
        order by relname`,
  );
  // Another process may be doing the same.
  for (const { name } of tables)
    await db.transaction((tx) => tx.run(sql`analyze (skip_locked) ${raw(name)}`), { isLong: true, isLazy: true });
  return tables.map(({ name }) => name);
}

/** Keeps a new database as fast as an old one. SQLite needs no statistics for our statements. */
export function keepStatistics(db: Database, onError: (error: unknown) => void) {
  if (db.dialect.engine === 'sqlite') return { stop: async () => {} };
  return repeat(CHECK_INTERVAL_MS, () => analyzeGrownTables(db), onError);
}
