import type { Actor } from '../../actor.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { empty, raw, sql } from '../../db/sql.ts';
import { iso } from '../../time/instant.ts';
import { STAMP_LENGTH, stampOf } from '../document.ts';

/** Moves all orders from one status to another when the first is disabled. */
export interface Move {
  storeId: string;
  field: 'status' | 'paymentStatus';
  /** Status ids. */
  from: string;
  to: string;
  actor: Actor;
  now: number;
}

const columns = { status: raw('status_id'), paymentStatus: raw('payment_status_id') };

/** Moves up to `limit` orders, each with the next change number after `after`. Those that become unpaid have paid nothing. */
export const moveFirst = (
  tx: Transaction,
  { storeId, field, from, to }: Move,
  { after, at, limit }: { after: number; at: number; limit: number },
) =>
  tx.run(
    sql`update orders set ${columns[field]} = ${to}, updated_at = ${at}, seq = ${after} + moved.position,
          ${field === 'paymentStatus' ? sql`paid_amount = 0,` : empty}
          document_head = substr(document_head, 1, length(document_head) - ${STAMP_LENGTH}) || ${stampOf(iso(at))}
        from (select id, row_number() over (order by updated_at, seq) as position
              from orders where store_id = ${storeId} and ${columns[field]} = ${from}
              order by updated_at, seq limit ${limit}) moved
        where orders.store_id = ${storeId} and orders.id = moved.id`,
  );

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
