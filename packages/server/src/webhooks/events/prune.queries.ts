import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** Ids are in the order of time, so no other index is needed. */
export const oldestBelow = async (db: Queryable, storeId: string, below: string) =>
  (
    await db.one<{ id: string }>(
      sql`select id from events where store_id = ${storeId} and id < ${below} order by id limit 1`,
    )
  )?.id;

interface Range {
  from: string;
  below: string;
  limit: number;
}

/** Deletes the oldest events of a range of ids that have no delivery; returns their ids. */
export const deleteOld = (tx: Transaction, storeId: string, { from, below, limit }: Range) =>
  tx.all<{ id: string }>(
    sql`delete from events where store_id = ${storeId} and id in (
          select e.id from events e
          where e.store_id = ${storeId} and e.id >= ${from} and e.id < ${below}
                and not exists (select 1 from deliveries d where d.store_id = ${storeId} and d.event_id = e.id)
          order by e.id limit ${limit})
        returning id`,
  );
