import { byStore, ofStores } from '../../db/by-store.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

type Old = { store_id: string; id: string; event_id: string };
const columns = { store_id: 'uuid', id: 'uuid', event_id: 'uuid' } as const;

/** Deletes up to `limit` deliveries finished before a time; returns their number. */
export async function deleteOld(tx: Transaction, before: number, limit: number): Promise<number> {
  const found = await tx.all<Old>(
    sql`select store_id, id, event_id from deliveries
        where ${isOld(before)} order by settled_at limit ${limit} ${tx.dialect.skipLockedAnywhere()}`,
  );
  const old = tx.dialect.isDistributed ? await lockOld(tx, found, before) : found;
  await deleteDeliveries(tx, old);
  return old.length;
}

const isOld = (before: number) => sql`status <> 'pending' and settled_at < ${before}`;

/** Locks those of these deliveries that have not been sent again meanwhile. */
const lockOld = (tx: Transaction, deliveries: readonly Old[], before: number) =>
  ofStores(byStore(tx.dialect, deliveries), ({ rows, at }) =>
    tx.all<Old>(
      sql`select store_id, id, event_id from deliveries
          where (store_id, id) in
                (select x.store_id, x.id from ${tx.dialect.records('x', columns, rows)})
                and ${isOld(before)} ${at('store_id')} ${tx.dialect.skipLocked}`,
    ),
  );

/** Deletes deliveries with their attempts, and the events of pings. */
export async function deleteDeliveries(tx: Transaction, deliveries: readonly Old[]) {
  for (const { rows, at } of byStore(tx.dialect, deliveries)) {
    const chosen = tx.dialect.records('x', columns, rows);
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
