import type { Queryable } from '../../db/database.ts';
import type { Dialect } from '../../db/dialect.ts';
import { all, raw, sql } from '../../db/sql.ts';
import { countAndSum, readCountAndSum } from '../sales/sales.queries.ts';

export interface CountFilters {
  paymentStatusId: string | undefined;
  from: number | undefined;
  to: number | undefined;
}

/** Counts the orders of each status and adds up their totals, up to a limit, from an index alone. */
export function countStatement(
  { indexedBy }: Dialect,
  storeId: string,
  { paymentStatusId, from, to }: CountFilters,
  limit: number,
) {
  const conditions = all([
    sql`t.store_id = ${storeId}`,
    sql`t.status_id = s.id`,
    ...(paymentStatusId === undefined ? [] : [sql`t.payment_status_id = ${paymentStatusId}`]),
    ...(from === undefined ? [] : [sql`t.created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`t.created_at <= ${to}`]),
  ]);
  const index = indexedBy(paymentStatusId === undefined ? 'orders_status_created' : 'orders_status_payment_created');
  return sql`select s.id, (select ${countAndSum('total_amount')} from (select t.total_amount from orders t ${index} where ${conditions}
                                                       limit ${raw(String(limit))}) counted) as counted
             from order_statuses s where s.store_id = ${storeId} order by s.id`;
}

export async function countByStatus(db: Queryable, storeId: string, filters: CountFilters, limit: number) {
  const found = await db.all<{ id: string; counted: string }>(countStatement(db.dialect, storeId, filters, limit));
  return found.map(({ id, counted }) => ({ id, ...readCountAndSum(counted) }));
}

export const countStatuses = async (db: Queryable, storeId: string) =>
  (await db.one<{ count: number }>(sql`select count(*) as count from order_statuses where store_id = ${storeId}`))
    ?.count ?? 0;
