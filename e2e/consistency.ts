import { check } from '@store-sales/server/check/check';
import type { Database } from '@store-sales/server/db/database';
import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';

/** What breaks a promise; there must be nothing after a crash, failover or restore. */
export const problemsOf = async (db: Database) => (await check(db, { eventsSince: 0, deliveriesSince: 0 })).problems;

/**
 * The result of SQLite's check of the whole file, `ok` if it is intact. On a new connection: FTS5 checks with the structure
 * of its index as the connection last read it, and takes the changes of other connections since then for damage.
 */
export async function integrityOf(dataDir: string) {
  const db = openDatabase({ dataDir });
  try {
    return (await db.one<{ found: string }>(sql`select integrity_check as found from pragma_integrity_check`))?.found;
  } finally {
    await db.close();
  }
}
