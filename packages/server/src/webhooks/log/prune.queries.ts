import type { Expired } from '../../db/batches/delete-expired.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

type Old = { store_id: string; id: string; event_id: string };
const columns = { store_id: 'uuid', id: 'uuid', event_id: 'uuid' } as const;

/** Deliveries of a store that were finished before a time. */
export function oldDeliveries(storeId: string, before: number): Expired {
  const old = sql`from deliveries where store_id = ${storeId} and status <> 'pending' and settled_at < ${before}`;
  return {
    isAny: async (db) => (await db.one(sql`select 1 as found ${old} limit 1`)) !== undefined,
    async deleteSome(tx, limit) {
      const deliveries = await tx.all<Old>(
        sql`select store_id, id, event_id ${old} order by settled_at limit ${limit} ${tx.dialect.skipLocked}`,
      );
      await deleteDeliveries(tx, storeId, deliveries);
      return deliveries.length;
    },
  };
}

/** Deletes deliveries of a store with their attempts, and the events of pings. */
export async function deleteDeliveries(tx: Transaction, storeId: string, deliveries: readonly Old[]) {
  if (!deliveries.length) return;
  const chosen = tx.dialect.records('x', columns, deliveries);
  await tx.run(sql`delete from attempts where store_id = ${storeId} and delivery_id in (select x.id from ${chosen})`);
  await tx.run(sql`delete from deliveries where store_id = ${storeId} and id in (select x.id from ${chosen})`);
  // Pings are in no order's timeline, so nothing else refers to them.
  await tx.run(
    sql`delete from events
        where store_id = ${storeId} and id in (select x.event_id from ${chosen}) and type = 'ping'`,
  );
}

export async function deleteFigures(db: Database, before: number) {
  await db.transaction(async (tx) => {
    await tx.run(sql`delete from endpoint_hours where hour_at < ${before}`);
    await tx.run(sql`delete from endpoint_notices where created_at < ${before}`);
  });
}
