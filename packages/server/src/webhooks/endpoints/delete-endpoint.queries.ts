import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { deleteDeliveries } from '../log/prune.queries.ts';

/** An endpoint without events is being deleted. Marked as stopping, because a dispatcher skips such endpoints. */
export const markDeleted = (tx: Transaction, storeId: string, id: string) =>
  tx.run(
    sql`update webhook_endpoints set events = '', is_active = ${false}, is_stopping = ${true}
        where store_id = ${storeId} and id = ${id} and events <> ''`,
  );

export const deletedAnywhere = (db: Queryable) =>
  db.all<{ store_id: string; id: string }>(
    sql`select store_id, id from webhook_endpoints where is_stopping and events = '' order by id`,
  );

/** Deletes up to `limit` deliveries of an endpoint; returns their number. */
export async function deleteLog(tx: Transaction, storeId: string, id: string, limit: number): Promise<number> {
  const deliveries = await tx.all<{ store_id: string; id: string; event_id: string }>(
    sql`select store_id, id, event_id from deliveries where store_id = ${storeId} and endpoint_id = ${id}
        order by created_at, id limit ${limit} ${tx.dialect.forUpdate}`,
  );
  await deleteDeliveries(tx, storeId, deliveries);
  return deliveries.length;
}

export async function deleteEndpoint(tx: Transaction, storeId: string, id: string) {
  await tx.run(sql`delete from endpoint_hours where store_id = ${storeId} and endpoint_id = ${id}`);
  await tx.run(sql`delete from endpoint_notices where store_id = ${storeId} and endpoint_id = ${id}`);
  await tx.run(sql`delete from webhook_endpoints where store_id = ${storeId} and id = ${id}`);
}
