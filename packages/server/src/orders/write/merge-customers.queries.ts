import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { iso } from '../../time/instant.ts';
import { STAMP_LENGTH, stampOf } from '../document.ts';

export interface CustomerMove {
  storeId: string;
  keptId: string;
  mergedId: string;
}

/**
 * The orders of the merged customer, oldest first. PostgreSQL must read them from the index of customers: by date it would
 * pass all moved orders again in each batch. It does, because the sort begins with the customer; with `=` instead of
 * `between` it would leave the customer out of the sort, as a constant.
 */
export const oldestOrders = ({ storeId, mergedId }: CustomerMove, columns: Sql, limit: number) =>
  sql`select ${columns} from orders where store_id = ${storeId} and customer_id between ${mergedId} and ${mergedId}
      order by customer_id, created_at, number limit ${limit}`;

/** The number of orders of the merged customer, up to `limit`. */
export async function countUpTo(tx: Transaction, move: CustomerMove, limit: number): Promise<number> {
  const found = await tx.one<{ count: number }>(
    sql`select count(*) as count from (${oldestOrders(move, sql`id`, limit)}) counted`,
  );
  return found?.count ?? 0;
}

/** A text in a document has its quotes escaped, so this is found at the customer only. */
const customerJson = (id: string) => `"customer":{"id":"${id}"`;

const position = sql`id, row_number() over (order by customer_id, created_at, number) as position`;

/** Moves the oldest orders, each with the next change number after `after`. */
export const moveOldest = (
  tx: Transaction,
  move: CustomerMove,
  { after, at, limit }: { after: number; at: number; limit: number },
) =>
  tx.run(
    sql`update orders set customer_id = ${move.keptId}, updated_at = ${at}, seq = ${after} + moved.position,
          document_head = substr(document_head, 1, length(document_head) - ${STAMP_LENGTH}) || ${stampOf(iso(at))},
          document = replace(document, ${customerJson(move.mergedId)}, ${customerJson(move.keptId)})
        from (${oldestOrders(move, position, limit)}) moved
        where orders.store_id = ${move.storeId} and orders.id = moved.id`,
  );
