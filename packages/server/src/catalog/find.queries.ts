import type { Queryable } from '../db/database.ts';
import { inList } from '../db/in-list.ts';
import { nameContains, startsWith } from '../db/name-search.ts';
import { raw, sql } from '../db/sql.ts';

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
  db.all<Found>(nameContains('products', storeId, part, limit));

export const isActive = (active: boolean) => (active ? sql`t.is_active` : sql`not t.is_active`);

export const ofCategories = (db: Queryable, ids: readonly string[]) => sql`t.category_id in ${inList(db, ids, 'uuid')}`;
