import type { Queryable, Sql } from '../db/database.ts';
import { inList } from '../db/in-list.ts';
import { all, sql } from '../db/sql.ts';

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

export const ofSource = (source: string) => sql`t.source = ${source}`;
export const ofStatuses = (db: Queryable, statuses: readonly { id: string }[]) =>
  sql`t.status_id in ${inList(
    db,
    statuses.map(({ id }) => id),
    'uuid',
  )}`;
export const ofCustomer = (customerId: string) => sql`t.customer_id = ${customerId}`;
