import type { Database } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';

/** Resolves when the work is done or waits for a lock; at once on SQLite, which runs one transaction at a time. */
export async function doneOrBlocked(db: Database, work: Promise<unknown>) {
  if (db.dialect.engine === 'sqlite') return;
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  const blocked = db.dialect.isDistributed
    ? sql`select 1 as found from citus_lock_waits limit 1`
    : sql`select 1 as found from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
  while (!isDone && !(await db.one(blocked))) await new Promise(setImmediate);
}
