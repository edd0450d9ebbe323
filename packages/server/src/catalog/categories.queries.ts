import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface CategoryRow {
  id: string;
  external_id: string | null;
  name: string;
  parent_id: string | null;
  created_at: number;
  updated_at: number;
}

export const listCategories = (db: Queryable, storeId: string) =>
  db.all<CategoryRow>(
    sql`select id, external_id, name, parent_id, created_at, updated_at
        from categories where store_id = ${storeId} order by created_at, id`,
  );

/** Of at most `limit` products. */
export const countProducts = (db: Queryable, storeId: string, limit: number) =>
  db.all<{ id: string; count: number }>(
    sql`select category_id as id, count(*) as count
        from (select category_id from products where store_id = ${storeId} and category_id is not null
              order by category_id limit ${limit}) counted
        group by category_id`,
  );
