import type { Queryable } from '../db/database.ts';
import { nameContains, startsWith } from '../db/name-search.ts';
import { raw, sql } from '../db/sql.ts';

const by = (column: 'name_key' | 'phone_key') => (db: Queryable, storeId: string, prefix: string, limit: number) =>
  db.all<{ id: string }>(
    sql`select id from customers where store_id = ${storeId} and ${startsWith(raw(column), prefix)}
        order by ${raw(column)} limit ${limit}`,
  );

export const byName = by('name_key');
export const byPhone = by('phone_key');

export const byPartOfName = (db: Queryable, storeId: string, part: string, limit: number) =>
  db.all<{ id: string }>(nameContains('customers', storeId, part, limit));

/** Exact match: neither index supports a prefix. */
const exact = (column: 'email_key' | 'external_id') => (db: Queryable, storeId: string, value: string, limit: number) =>
  db.all<{ id: string }>(
    sql`select id from customers where store_id = ${storeId} and ${raw(column)} = ${value} limit ${limit}`,
  );

export const byEmail = exact('email_key');
export const byExternalId = exact('external_id');
