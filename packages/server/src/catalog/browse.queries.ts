import type { Queryable } from '../db/database.ts';
import type { Position } from '../db/lists/cursor.ts';
import { empty, raw, type Sql, sql } from '../db/sql.ts';

export interface ShownCategory {
  id: string;
  name: string;
}

export const findCategory = (db: Queryable, storeId: string, id: string) =>
  db.one<ShownCategory>(sql`select id, name from categories where store_id = ${storeId} and id = ${id}`);

export const childCategories = (db: Queryable, storeId: string, parentId: string | undefined, limit: number) =>
  db.all<ShownCategory>(
    sql`select id, name from categories
        where store_id = ${storeId} and ${parentId === undefined ? sql`parent_id is null` : sql`parent_id = ${parentId}`}
        order by created_at, id limit ${limit}`,
  );

/** A category and at most `limit` - 1 of its descendants, the nearest first. */
export const branchOf = (db: Queryable, storeId: string, id: string, limit: number) =>
  db.all<{ id: string }>(
    sql`with recursive branch (id) as (
          select c.id from categories c where c.store_id = ${storeId} and c.id = ${id}
          union select c.id from branch b join categories c on c.store_id = ${storeId} and c.parent_id = b.id)
        select id from branch limit ${limit}`,
  );

/** The newest active products of several categories, `limit` of each read from an index. */
export function newestOf(
  db: Queryable,
  storeId: string,
  categoryIds: readonly string[],
  after: Position | undefined,
  limit: number,
) {
  const position = after ? sql`and (p.created_at, p.id) < (${after[0]}, ${after[1]})` : empty;
  const ofCategory = (id: string) =>
    sql`select * from (select p.id, p.created_at from products p
          where p.store_id = ${storeId} and p.category_id = ${id} and p.is_active ${position}
          order by p.created_at desc, p.id desc limit ${limit}) of_category`;
  // Powers of two, so that there are few statements to prepare. The id of a store is no category.
  const ids = [...categoryIds];
  while (ids.length & (ids.length - 1)) ids.push(storeId);
  const all = ids.map(ofCategory).reduce((query: Sql, next) => sql`${query} union all ${next}`);
  return db.all<{ id: string }>(
    sql`select id from (${all}) found order by created_at desc, id desc limit ${raw(String(limit))}`,
  );
}

/** The newest active products of a store. */
export const newestIds = (db: Queryable, storeId: string, limit: number) =>
  db.all<{ id: string }>(
    sql`select id from products where store_id = ${storeId} and is_active order by created_at desc, id desc limit ${limit}`,
  );
