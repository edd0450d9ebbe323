import type { Database, Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export interface ViewRow {
  id: string;
  name: string;
  name_key: string;
  /** Filters and columns as JSON. */
  view: string;
}

export const list = (db: Queryable, storeId: string) =>
  db.all<ViewRow>(sql`select id, name, name_key, view from order_views where store_id = ${storeId} order by name_key`);

export const insert = (tx: Transaction, storeId: string, row: ViewRow, now: number) =>
  tx.run(
    sql`insert into order_views (store_id, id, name, name_key, view, created_at)
        values (${storeId}, ${row.id}, ${row.name}, ${row.name_key}, ${row.view}, ${now})`,
  );

export const update = (tx: Transaction, storeId: string, row: ViewRow) =>
  tx.run(
    sql`update order_views set name = ${row.name}, name_key = ${row.name_key}, view = ${row.view}
        where store_id = ${storeId} and id = ${row.id}`,
  );

/** Returns whether there was such a view. */
export const remove = async (db: Database, storeId: string, id: string) =>
  (await db.run(sql`delete from order_views where store_id = ${storeId} and id = ${id}`)) > 0;
