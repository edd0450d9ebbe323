import type { Queryable } from '../db/database.ts';
import { raw, sql } from '../db/sql.ts';
import { startsWith } from '../db/text.ts';

const by = (column: 'name_key' | 'phone_key') => (db: Queryable, storeId: string, prefix: string, limit: number) =>
  db.all<{ id: string }>(
    sql`select id from customers where store_id = ${storeId} and ${startsWith(raw(column), prefix)}
        order by ${raw(column)} limit ${limit}`,
  );

export const byName = by('name_key');
export const byPhone = by('phone_key');
