import type { Queryable } from '../db/database.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import { holds, startsWith } from '../db/text.ts';
import { among } from './import.store.ts';

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

/** These products in the place of the table. The limit keeps the engine from mixing it with what is asked around it. */
export const rowsOf = (db: Queryable, storeId: string, ids: readonly string[]): Sql =>
  sql`(select p.* from products p where p.store_id = ${storeId} and p.id in ${among(db, ids, 'uuid')}
       limit ${ids.length}) t`;

export const isActive = (active: boolean) => (active ? sql`t.is_active` : sql`not t.is_active`);
