import { byStore } from '../../db/by-store.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** Deletes up to `limit` deliveries finished before a time; returns their number. */
export async function deleteOld(tx: Transaction, before: number, limit: number): Promise<number> {
  const old = await tx.all<{ store_id: string; id: string; event_id: string }>(
    sql`select store_id, id, event_id from deliveries
        where status <> 'pending' and settled_at < ${before} order by settled_at limit ${limit} ${tx.dialect.skipLockedAnywhere()}`,
  );
  await deleteDeliveries(tx, old);
  return old.length;
}

/** Deletes deliveries with their attempts, and the events of pings. */
export async function deleteDeliveries(
  tx: Transaction,
  deliveries: readonly { store_id: string; id: string; event_id: string }[],
) {
  for (const { rows, at } of byStore(tx.dialect, deliveries)) {
    const chosen = tx.dialect.records('x', { store_id: 'uuid', id: 'uuid', event_id: 'uuid' }, rows);
    const there = at('store_id');
    await tx.run(
      sql`delete from attempts where (store_id, delivery_id) in (select x.store_id, x.id from ${chosen}) ${there}`,
    );
    await tx.run(sql`delete from deliveries where (store_id, id) in (select x.store_id, x.id from ${chosen}) ${there}`);
    // Pings are in no order's timeline, so nothing else refers to them.
    await tx.run(
      sql`delete from events
          where (store_id, id) in (select x.store_id, x.event_id from ${chosen}) and type = 'ping' ${there}`,
    );
  }
}

export async function deleteFigures(db: Database, before: number) {
  await db.transaction(async (tx) => {
    await tx.run(sql`delete from endpoint_hours where hour_at < ${before}`);
    await tx.run(sql`delete from endpoint_notices where created_at < ${before}`);
  });
}
