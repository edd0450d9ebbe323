import type { OrderCounts, OrderCountsQuery } from '@store-sales/contract/console';
import type { Queryable } from '../../db/database.ts';
import { endOfDay, startOfDay } from '../../time/instant.ts';
import { lastNumber } from '../orders.queries.ts';
import * as queries from './count.queries.ts';
import type { StoreZone } from './find-orders.ts';
import { statusFilters } from './list-orders.ts';

/** Counting stops here, so that the time does not grow with the store. */
const MAX_COUNT = 10_000;
/** A store with more statuses than this counts each of them less far. */
const FEW_STATUSES = 20;
const MIN_COUNT = 1000;

/** Orders by status and the sum of their totals, each counted up to a limit. */
export async function countOrders(db: Queryable, store: StoreZone, query: OrderCountsQuery): Promise<OrderCounts> {
  const { paymentStatusId } = await statusFilters(db, store.id, undefined, query.payment);
  const filters = {
    paymentStatusId,
    from: query.from === undefined ? undefined : startOfDay(query.from, store.timezone),
    to: query.to === undefined ? undefined : endOfDay(query.to, store.timezone),
  };
  const limit = (await queries.countStatuses(db, store.id)) > FEW_STATUSES ? MIN_COUNT : MAX_COUNT;
  const found = await queries.countByStatus(db, store.id, filters, limit + 1);
  const statuses = found.map(({ id, count, sum }) => {
    const isMore = count > limit;
    return { id, count: Math.min(count, limit), isMore, sum, isSumMore: isMore };
  });
  const isMore = statuses.some((status) => status.isMore);
  const all = { count: added(statuses, 'count'), isMore, sum: added(statuses, 'sum'), isSumMore: isMore };
  // Orders are numbered without gaps and never deleted, so the last number is their count.
  if (isMore && Object.values(query).every((value) => value === undefined))
    Object.assign(all, { count: await lastNumber(db, store.id), isMore: false });
  return { all, statuses };
}

const added = (counts: readonly { count: number; sum: number }[], of: 'count' | 'sum') =>
  counts.reduce((total, count) => total + count[of], 0);
