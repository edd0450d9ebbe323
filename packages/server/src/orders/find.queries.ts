import type { Queryable, Sql } from '../db/database.ts';
import type { Dialect } from '../db/dialect.ts';
import { inList } from '../db/in-list.ts';
import { all, plannedEachTime, raw, sql } from '../db/sql.ts';
import * as orders from './orders.queries.ts';

export interface StatusFilters {
  statusId: string | undefined;
  paymentStatusId: string | undefined;
}

/** A period of creation; both ends are included. */
export interface Days {
  from: number | undefined;
  to: number | undefined;
}

/** These orders as a subquery in place of the table. The limit keeps the engine from flattening it. */
export const among = (db: Queryable, storeId: string, numbers: readonly number[]) =>
  sql`(select o.* from orders o where o.store_id = ${storeId} and o.number in ${wanted(db, numbers)}
       limit ${numbers.length}) t`;

const wanted = (db: Queryable, numbers: readonly number[]) =>
  sql`(select wanted from ${db.dialect.records(
    'w',
    { wanted: 'integer' },
    numbers.map((wanted) => ({ wanted })),
  )})`;

/** The newest of these orders that fulfil the conditions. */
export const newestAmong = (
  db: Queryable,
  storeId: string,
  numbers: readonly number[],
  conditions: readonly Sql[],
  limit: number,
) =>
  db.all<{ number: number }>(
    sql`select t.number from orders t where t.store_id = ${storeId} and t.number in ${wanted(db, numbers)}
          and ${all(conditions)}
        order by t.number desc limit ${limit}`,
  );

/** The first and the last order created in a period: numbers increase with creation time. */
export const numbersOf = (db: Queryable, storeId: string, from: number, to: number) =>
  db.one<{ first: number | null; last: number | null }>(
    sql`select
          (select number from orders where store_id = ${storeId} and created_at >= ${from}
           order by created_at, number limit 1) as first,
          (select number from orders where store_id = ${storeId} and created_at <= ${to}
           order by created_at desc, number desc limit 1) as last`,
  );

/** A position in the list before all orders from a number on, as `Window.searchEnd`. */
export const keyOf = (storeId: string, number: number) =>
  sql`(select created_at || ' ' || cast(${number} as bigint) from orders
       where store_id = ${storeId} and number >= ${number} order by number limit 1)`;

/** Orders of a store that one index finds: the table, with a hint, and the conditions. */
interface Served {
  from: Sql;
  conditions: Sql[];
}

/** The orders that match these filters, as far as an index by creation covers them; undefined without any. */
export function servedBy(
  dialect: Dialect,
  filters: StatusFilters,
  source: string | undefined,
  { from, to }: Days,
): Served | undefined {
  const hasStatus = filters.statusId !== undefined || filters.paymentStatusId !== undefined;
  // The index by source covers neither statuses nor orders created by the API.
  const bySource = !hasStatus && source !== 'api' ? source : undefined;
  const conditions = [
    ...orders.filters({ ...filters, source: bySource }),
    ...(from === undefined ? [] : [sql`t.created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`t.created_at <= ${to}`]),
  ];
  if (!conditions.length) return undefined;
  const index = bySource === undefined ? 'orders_created' : 'orders_source_created';
  const rows = orders.sourceOf(dialect, filters).rows ?? sql`orders t ${dialect.indexedBy(index)}`;
  return { from: rows, conditions };
}

export async function isAtMost(db: Queryable, storeId: string, { from, conditions }: Served, limit: number) {
  const some = sql`select 1 as one from ${from} where t.store_id = ${storeId} and ${all(conditions)}
                   limit ${raw(String(limit + 1))}`;
  const found = await db.one<{ count: number }>(plannedEachTime(sql`select count(*) as count from (${some}) counted`));
  return (found?.count ?? 0) <= limit;
}

/** These orders as a subquery in place of the table. The limit keeps the engine from flattening it. */
export const allOf = (storeId: string, { from, conditions }: Served, limit: number) =>
  sql`(select t.* from ${from} where t.store_id = ${storeId} and ${all(conditions)} limit ${raw(String(limit))}) t`;

/** Filtered orders are sorted if they are few: a generic plan does not know that. */
export const plannedByTotal = (page: Sql) => plannedEachTime(page);

export const ofSource = (source: string) => sql`t.source = ${source}`;
export const ofStatuses = (db: Queryable, statuses: readonly { id: string }[]) =>
  sql`t.status_id in ${inList(
    db,
    statuses.map(({ id }) => id),
    'uuid',
  )}`;
export const ofCustomer = (customerId: string) => sql`t.customer_id = ${customerId}`;
