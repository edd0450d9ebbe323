import type { Database } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';

/** How many transactions wait for a lock of another; on Citus, on any server. */
export async function countBlocked(db: Database): Promise<number> {
  const waiting = db.dialect.isDistributed
    ? sql`select count(distinct waiting_gpid) as count from citus_lock_waits`
    : sql`select count(*) as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
  return (await db.one<{ count: number }>(waiting))?.count ?? 0;
}

/** Resolves when the work is done or waits for a lock; at once on SQLite, which runs one transaction at a time. */
export async function doneOrBlocked(db: Database, work: Promise<unknown>) {
  if (db.dialect.engine === 'sqlite') return;
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  while (!isDone && !(await countBlocked(db))) await new Promise(setImmediate);
}
