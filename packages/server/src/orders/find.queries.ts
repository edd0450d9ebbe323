import type { Queryable } from '../db/database.ts';
import { startsWith } from '../db/name-search.ts';
import { raw, sql } from '../db/sql.ts';

type Numbered = { number: number };

export const byExternalId = (db: Queryable, storeId: string, externalId: string) =>
  db.all<Numbered>(sql`select number from orders where store_id = ${storeId} and external_id = ${externalId}`);

export const byExternalPrefix = (db: Queryable, storeId: string, prefix: string, limit: number) =>
  db.all<Numbered>(
    sql`select number from orders where store_id = ${storeId} and ${startsWith(raw('external_id'), prefix)}
        order by external_id limit ${limit}`,
  );

export const ofCustomers = (db: Queryable, storeId: string, customerIds: readonly string[], limit: number) =>
  db.all<Numbered>(newestOf(db, storeId, customerIds, limit));

/**
 * The newest orders of these customers, from the index alone. The orders are found customer by customer and then sorted
 * (SQLite keeps the order of a `cross join`): otherwise the planner may scan all orders of the store.
 */
export const newestOf = (db: Queryable, storeId: string, customerIds: readonly string[], limit: number) =>
  sql`with found as materialized (
        select o.created_at, o.number
        from ${db.dialect.records(
          'w',
          { wanted: 'uuid' },
          customerIds.map((wanted) => ({ wanted })),
        )}
        cross join orders o where o.store_id = ${storeId} and o.customer_id = w.wanted)
      select number from found order by created_at desc, number desc limit ${limit}`;

/** These orders as a subquery in place of the table. The limit keeps the engine from flattening it. */
export const among = (db: Queryable, storeId: string, numbers: readonly number[]) =>
  sql`(select o.* from orders o where o.store_id = ${storeId} and o.number in (
        select wanted from ${db.dialect.records(
          'w',
          { wanted: 'integer' },
          numbers.map((wanted) => ({ wanted })),
        )}) limit ${numbers.length}) t`;

export const ofSource = (source: string) => sql`t.source = ${source}`;
export const ofCustomer = (customerId: string) => sql`t.customer_id = ${customerId}`;
