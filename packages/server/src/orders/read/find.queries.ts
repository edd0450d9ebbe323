import type { Queryable, Sql } from '../../db/database.ts';
import type { Dialect } from '../../db/dialect.ts';
import { inList } from '../../db/in-list.ts';
import { allOf } from '../../db/lists/few-rows.ts';
import { all, empty, plannedEachTime, raw, sql } from '../../db/sql.ts';
import * as orders from '../orders.queries.ts';

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
export const byNumbers = (db: Queryable, storeId: string, numbers: readonly number[]) =>
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
interface IndexedFilter {
  from: Sql;
  conditions: Sql[];
}

/** The orders that match these filters, as far as an index by creation covers them; undefined without any. */
export function servedBy(
  dialect: Dialect,
  filters: StatusFilters,
  source: string | undefined,
  { from, to }: Days,
): IndexedFilter | undefined {
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

/** The orders that one index finds, as a FROM clause. */
export const selectionOf = (storeId: string, { from, conditions }: IndexedFilter) =>
  sql`from ${from} where t.store_id = ${storeId} and ${all(conditions)}`;

/** A filter of a list with an index of its own. */
export interface RareFilter {
  /** What has to be counted to see how many orders fit; undefined for a filter that most orders fit. */
  matches?(dialect: Dialect, storeId: string): Sql;
  /** The orders that fit in place of the table, at most so many. */
  rows(dialect: Dialect, storeId: string, limit: number): Sql;
  /** For order `t`. */
  condition(storeId: string): Sql;
}

const onColumn = (condition: Sql, index?: string): Required<RareFilter> => {
  const selection = (dialect: Dialect, storeId: string) =>
    selectionOf(storeId, { from: sql`orders t ${index ? dialect.indexedBy(index) : empty}`, conditions: [condition] });
  return {
    matches: selection,
    rows: (dialect, storeId, limit) => allOf(selection(dialect, storeId), limit),
    condition: () => condition,
  };
};

export const byNumber = (number: number) => onColumn(sql`t.number = ${number}`);
export const byCustomer = (id: string) => onColumn(sql`t.customer_id = ${id}`, 'orders_customer');

/** The index leaves out the orders of the API, of which there are many. */
export function bySource(source: 'api' | 'manual' | 'site'): RareFilter {
  const { matches, ...filter } = onColumn(sql`t.source = ${source} and t.source <> 'api'`, 'orders_source_created');
  return source === 'api' ? { ...filter, condition: () => ofSource(source) } : { ...filter, matches };
}

export const byKey = (key: string): RareFilter => {
  const matches = (_: Dialect, storeId: string) =>
    sql`from order_keys k where k.store_id = ${storeId} and k.key = ${key}`;
  return {
    matches,
    rows: (_, storeId, limit) =>
      allOf(
        sql`from (select k.number ${matches(_, storeId)} limit ${raw(String(limit))}) k
            join orders t on t.store_id = ${storeId} and t.number = k.number`,
        limit,
      ),
    condition: (storeId) =>
      sql`exists (select 1 from order_keys k
                  where k.store_id = ${storeId} and k.key = ${key} and k.number = t.number)`,
  };
};

/** Few orders are sorted, many are read by the index of the sort: a generic plan does not know which. */
export const plannedForValues = (page: Sql) => plannedEachTime(page);

/** Groups of statuses whose orders cost nothing any more. */
const closedStatuses = (storeId: string) =>
  sql`(select s.id from order_statuses s where s.store_id = ${storeId} and s.status_group in ('cancelled', 'returned'))`;

/** Orders that are not paid in full, as the condition of their index. */
export const notPaid = sql`t.paid_amount < t.total_amount`;
export const isOpen = (storeId: string) => sql`t.status_id not in ${closedStatuses(storeId)}`;
export const dueRows = ({ indexedBy }: Dialect) => sql`orders t ${indexedBy('orders_due')}`;

export const ofSource = (source: string) => sql`t.source = ${source}`;
export const ofStatuses = (db: Queryable, statuses: readonly { id: string }[]) =>
  sql`t.status_id in ${inList(
    db,
    statuses.map(({ id }) => id),
    'uuid',
  )}`;
export const ofCustomer = (customerId: string) => sql`t.customer_id = ${customerId}`;
