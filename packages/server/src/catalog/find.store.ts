import { among } from '../db/among.ts';
import type { Queryable } from '../db/database.ts';
import { raw, sql } from '../db/sql.ts';
import { holds, startsWith } from '../db/text.ts';

type Found = { id: string };

export const byPrefix = (
  db: Queryable,
  storeId: string,
  column: 'name_key' | 'sku' | 'external_id',
  prefix: string,
  limit: number,
) =>
  db.all<Found>(
    sql`select id from products where store_id = ${storeId} and ${startsWith(raw(column), prefix)}
        order by ${raw(column)} limit ${limit}`,
  );

export const byPartOfName = (db: Queryable, storeId: string, part: string, limit: number) =>
  db.all<Found>(holds('products', storeId, part, limit));

export const isActive = (active: boolean) => (active ? sql`t.is_active` : sql`not t.is_active`);

/** The category and all below it. */
export const withBelow = (db: Queryable, storeId: string, categoryId: string) =>
  db.all<Found>(
    sql`with recursive branch (id) as (
          select id from categories where store_id = ${storeId} and id = ${categoryId}
          union all
          select c.id from branch b join categories c on c.store_id = ${storeId} and c.parent_id = b.id)
        select id from branch`,
  );

export const ofCategories = (db: Queryable, ids: readonly string[]) => sql`t.category_id in ${among(db, ids, 'uuid')}`;
