import type { Database } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';

/** Deadlocks in the database until now, also those after which a transaction was repeated. */
export async function deadlocksOf(db: Database): Promise<number> {
  if (db.dialect.engine === 'sqlite') return 0;
  // A connection reports its statistics at the latest when it ends.
  await db.run(
    sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
  );
  const found = await db.one<{ deadlocks: number }>(
    sql`select deadlocks from pg_stat_database where datname = current_database()`,
  );
  return Number(found?.deadlocks);
}
