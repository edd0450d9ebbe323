import type { Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { iso } from '../instant.ts';
import { STAMP_LENGTH, stampOf } from './document.ts';

export interface CustomerMove {
  storeId: string;
  keptId: string;
  mergedId: string;
}

/** Locks the oldest orders of the merged customer, up to `limit`, and counts them. */
export const lockOldest = (tx: Transaction, { storeId, mergedId }: CustomerMove, limit: number) =>
  countOf(
    tx,
    sql`select id from orders where store_id = ${storeId} and customer_id = ${mergedId}
        order by created_at, number limit ${limit} ${tx.dialect.forNoKeyUpdate}`,
  );

export const countUpTo = (tx: Transaction, { storeId, mergedId }: CustomerMove, limit: number) =>
  countOf(tx, sql`select 1 from orders where store_id = ${storeId} and customer_id = ${mergedId} limit ${limit}`);

async function countOf(tx: Transaction, rows: ReturnType<typeof sql>): Promise<number> {
  const found = await tx.one<{ count: number }>(sql`select count(*) as count from (${rows}) counted`);
  return found?.count ?? 0;
}

/** A text in a document has its quotes escaped, so this is found at the customer only. */
const customerJson = (id: string) => `"customer":{"id":"${id}"`;

/** Moves the oldest orders, each with the next change number after `after`. */
export const moveOldest = (
  tx: Transaction,
  { storeId, keptId, mergedId }: CustomerMove,
  { after, at, limit }: { after: number; at: number; limit: number },
) =>
  tx.run(
    sql`update orders set customer_id = ${keptId}, updated_at = ${at}, seq = ${after} + moved.position,
          document_head = substr(document_head, 1, length(document_head) - ${STAMP_LENGTH}) || ${stampOf(iso(at))},
          document = replace(document, ${customerJson(mergedId)}, ${customerJson(keptId)})
        from (select id, row_number() over (order by created_at, number) as position
              from orders where store_id = ${storeId} and customer_id = ${mergedId}
              order by created_at, number limit ${limit}) moved
        where orders.store_id = ${storeId} and orders.id = moved.id`,
  );
