import type { Queryable } from '../db/database.ts';
import type { Move } from '../references/moving.ts';
import * as queries from './count-orders.queries.ts';

/** Counts stop here, so that they are fast in a store of any size. */
export const COUNT_LIMIT = 10_000;

/** Number of orders in a status, up to the limit. */
export async function countOrders(db: Queryable, status: Pick<Move, 'storeId' | 'field' | 'from'>) {
  const found = await queries.countUpTo(db, status, COUNT_LIMIT + 1);
  return { count: Math.min(found, COUNT_LIMIT), isMore: found > COUNT_LIMIT };
}
