import type { OrderCounts, OrderCountsQuery } from '@store-sales/contract/console';
import type { Queryable } from '../db/database.ts';
import { endOfDay, startOfDay } from '../instant.ts';
import * as queries from './count.queries.ts';
import type { StoreZone } from './find-orders.ts';
import { statusId } from './list-orders.ts';
import { lastNumber } from './orders.queries.ts';

/** Counting stops here, so that the time does not grow with the store. */
const MAX_COUNT = 10_000;
/** A store with more statuses than this counts each of them less far. */
const FEW_STATUSES = 20;
const MIN_COUNT = 1000;

/** Orders by status, each counted up to a limit. */
export async function countOrders(db: Queryable, store: StoreZone, query: OrderCountsQuery): Promise<OrderCounts> {
  const filters = {
    paymentStatusId: await statusId(db, 'paymentStatus', store.id, query.payment),
    from: query.from === undefined ? undefined : startOfDay(query.from, store.timezone),
    to: query.to === undefined ? undefined : endOfDay(query.to, store.timezone),
  };
  const limit = (await queries.countStatuses(db, store.id)) > FEW_STATUSES ? MIN_COUNT : MAX_COUNT;
  const found = await queries.countByStatus(db, store.id, filters, limit + 1);
  const counts = found.map(({ id, orders }) => ({ id, count: Math.min(orders, limit), isMore: orders > limit }));
  const sum = counts.reduce((total, { count }) => total + count, 0);
  const isMore = counts.some((status) => status.isMore);
  // Orders are numbered without gaps and never deleted, so the last number is their count.
  const isAll = isMore && Object.values(query).every((value) => value === undefined);
  const all = isAll ? { count: await lastNumber(db, store.id), isMore: false } : { count: sum, isMore };
  return { all, statuses: counts };
}
