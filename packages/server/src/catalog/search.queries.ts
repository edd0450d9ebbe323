import type { Queryable } from '../db/database.ts';
import { startsWith } from '../db/name-search.ts';
import { raw, sql } from '../db/sql.ts';

export interface FoundRow {
  id: string;
  name: string;
  sku: string | null;
  external_id: string | null;
  price: number;
}

type Column = 'name_key' | 'sku' | 'external_id';

export const startingWith = (db: Queryable, storeId: string, column: Column, prefix: string, limit: number) =>
  db.all<FoundRow>(
    sql`select id, name, sku, external_id, price from products
        where store_id = ${storeId} and ${startsWith(raw(column), prefix)} and is_active
        order by ${raw(column)} limit ${limit}`,
  );
