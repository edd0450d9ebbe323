import type { Queryable } from '../db/database.ts';
import { raw, sql } from '../db/sql.ts';
import type { Move } from '../references/moving.ts';

const columns = { status: raw('status_id'), paymentStatus: raw('payment_status_id') };

/** Scans one index range, at most `limit` entries. */
export async function countUpTo(
  db: Queryable,
  { storeId, field, from }: Pick<Move, 'storeId' | 'field' | 'from'>,
  limit: number,
): Promise<number> {
  const found = await db.one<{ count: number }>(
    sql`select count(*) as count
        from (select 1 from orders where store_id = ${storeId} and ${columns[field]} = ${from} limit ${limit}) counted`,
  );
  return found?.count ?? 0;
}
