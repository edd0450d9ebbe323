import type { Queryable } from '../db/database.ts';
import { inList } from '../db/in-list.ts';
import { startsWith } from '../db/search/record-terms.ts';
import { raw, sql } from '../db/sql.ts';

export interface FoundRow {
  id: string;
  name: string;
  sku: string | null;
  external_id: string | null;
  price: number;
  stock: number | null;
}

const active = (storeId: string) =>
  sql`select id, name, sku, external_id, price, stock from products where store_id = ${storeId} and is_active`;

export const startingWith = (db: Queryable, storeId: string, name: string, limit: number) =>
  db.all<FoundRow>(
    sql`${active(storeId)} and ${startsWith(raw('name_key'), name)} order by name_key, id limit ${limit}`,
  );

export const byIds = (db: Queryable, storeId: string, ids: readonly string[], limit: number) =>
  db.all<FoundRow>(sql`${active(storeId)} and id in ${inList(db, ids, 'uuid')} order by name_key, id limit ${limit}`);
