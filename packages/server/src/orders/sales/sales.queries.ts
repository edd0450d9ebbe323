import type { Queryable } from '../../db/database.ts';
import type { Dialect } from '../../db/dialect.ts';
import { raw, sql } from '../../db/sql.ts';

/**
 * A sum of amounts as a floating-point number: exact up to 2^53, like a single amount, and rounded beyond. On SQLite an
 * integer sum fails beyond 2^63.
 */
const amountSum = (column: string) => raw(`sum(cast(${column} as double precision))`);

const MILLION = 1_000_000;

/**
 * The number of rows and the sum of their amounts as one text, because two subqueries would read the rows twice. The sum
 * is in two parts, because an integer sum fails beyond 2^63 on SQLite.
 */
export const countAndSum = (column: string) =>
  raw(`count(*) || ' ' || coalesce(sum(${column} / ${MILLION}), 0) || ' ' || coalesce(sum(${column} % ${MILLION}), 0)`);

export function readCountAndSum(text: string) {
  const [count = 0, millions = 0, rest = 0] = text.split(' ').map(Number);
  return { count, sum: millions * MILLION + rest };
}

/** What orders that are not paid in full still cost, of at most so many of the newest, from an index alone. */
export const dueStatement = ({ indexedBy }: Dialect, storeId: string, limit: number) =>
  sql`with newest as materialized (
        select t.status_id, t.total_amount - t.paid_amount as due from orders t ${indexedBy('orders_due')}
        where t.store_id = ${storeId} and t.paid_amount < t.total_amount
        order by t.created_at desc, t.number desc limit ${raw(String(limit))})
      select (select count(*) from newest) as seen,
        (select ${countAndSum('n.due')} from newest n
         where n.status_id not in (select s.id from order_statuses s
                                   where s.store_id = ${storeId} and s.status_group in ('cancelled', 'returned'))) as open`;

export async function sumDue(db: Queryable, storeId: string, limit: number) {
  const found = await db.one<{ seen: number; open: string }>(dueStatement(db.dialect, storeId, limit));
  return { seen: Number(found?.seen ?? 0), ...readCountAndSum(found?.open ?? '') };
}

export interface StatusSum {
  status_id: string;
  orders: number;
  revenue: number;
}

export interface StatusDay {
  status_id: string;
  from: number;
  to: number;
}

/**
 * Orders of each status created in each of these days, summed. Each is one range of the covering index by status, so
 * the orders themselves are not read. A join instead of the subquery would sort all orders to group them.
 */
export async function sumDays(db: Queryable, storeId: string, days: readonly StatusDay[]) {
  const rows = await db.all<{ status_id: string; day_at: number; sums: string }>(
    sql`select x.status_id, x.day_at,
               (select ${countAndSum('o.total_amount')} from orders o
                where o.store_id = ${storeId} and o.status_id = x.status_id
                  and o.created_at >= x.day_at and o.created_at < x.end_at) as sums
        from ${db.dialect.records(
          'x',
          { status_id: 'uuid', day_at: 'instant', end_at: 'instant' },
          days.map(({ status_id, from, to }) => ({ status_id, day_at: from, end_at: to })),
        )}`,
  );
  return rows.map(({ status_id, day_at, sums }): StatusSum & { day_at: number } => {
    const { count, sum } = readCountAndSum(sums);
    return { status_id, day_at: Number(day_at), orders: count, revenue: sum };
  });
}

export const clockOf = (db: Queryable, storeId: string) =>
  db.one<{ seq: number; ts: number; last_number: number }>(
    sql`select seq, ts, last_number from store_clocks where store_id = ${storeId}`,
  );

/** Stores with at least this many orders, largest first. */
export const largeStores = (db: Queryable, atLeast: number, limit: number) =>
  db.all<{ id: string; timezone: string }>(
    sql`select s.id, s.timezone from store_clocks c join stores s on s.id = c.store_id
        where c.last_number >= ${atLeast} and s.is_active order by c.last_number desc limit ${limit}`,
  );

export const statusesOf = (db: Queryable, storeId: string) =>
  db.all<{ id: string; group: string }>(
    sql`select id, status_group as "group" from order_statuses where store_id = ${storeId}`,
  );

/** The orders changed since, at most `limit`. */
export const changedSince = (db: Queryable, storeId: string, { seq, ts }: { seq: number; ts: number }, limit: number) =>
  db.all<{ created_at: number }>(
    sql`select created_at from orders where store_id = ${storeId} and updated_at >= ${ts} and seq > ${seq}
        order by updated_at, seq limit ${limit}`,
  );

/** The newest orders of a customer, by status. */
export const sumCustomer = (db: Queryable, storeId: string, customerId: string, limit: number) =>
  db.all<StatusSum>(
    sql`select status_id, count(*) as orders, ${amountSum('total_amount')} as revenue
        from (select status_id, total_amount from orders where store_id = ${storeId} and customer_id = ${customerId}
              order by created_at desc, number desc limit ${limit}) newest
        group by status_id`,
  );

/** Whether a customer has more than `count` orders. */
export const hasMoreOrders = async (db: Queryable, storeId: string, customerId: string, count: number) =>
  (await db.one(
    sql`select 1 as found from orders where store_id = ${storeId} and customer_id = ${customerId}
        order by created_at desc, number desc limit 1 offset ${count}`,
  )) !== undefined;

export interface ProductSum {
  product_id: string;
  quantity: number;
  revenue: number;
}

/**
 * Lines of a day's orders by product, without the orders that have an excluded status. Order ids start with their time,
 * and order lines are keyed by order id, so the orders themselves are not read.
 */
export const sumProducts = (
  db: Queryable,
  storeId: string,
  day: { from: number; to: number },
  orderIds: { from: string; to: string },
  excludedStatusIds: readonly string[],
) =>
  db.all<ProductSum>(
    sql`select product_id, sum(quantity) as quantity, ${amountSum('line_total')} as revenue from order_lines
        where store_id = ${storeId} and order_id >= ${orderIds.from} and order_id < ${orderIds.to}
          and order_id not in (
            select o.id from ${db.dialect.records(
              'x',
              { status_id: 'uuid' },
              excludedStatusIds.map((status_id) => ({ status_id })),
            )} join orders o on o.store_id = ${storeId} and o.status_id = x.status_id
                 and o.created_at >= ${day.from} and o.created_at < ${day.to})
        group by product_id`,
  );

export const productNames = (db: Queryable, storeId: string, ids: readonly string[]) =>
  db.all<{ id: string; name: string; sku: string | null }>(
    sql`select p.id, p.name, p.sku from ${db.dialect.records(
      'x',
      { id: 'uuid' },
      ids.map((id) => ({ id })),
    )} join products p on p.store_id = ${storeId} and p.id = x.id`,
  );
