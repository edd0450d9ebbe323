import type { Queryable } from '../db/database.ts';
import type { Move } from '../references/moving.ts';
import * as queries from './count-orders.queries.ts';

/** A count that a person waits for ends here, so that it comes at once whatever the store holds. */
export const COUNT_LIMIT = 10_000;

/** How many orders are in a status, up to the limit. */
export async function countOrders(db: Queryable, status: Pick<Move, 'storeId' | 'field' | 'from'>) {
  const found = await queries.countUpTo(db, status, COUNT_LIMIT + 1);
  return { count: Math.min(found, COUNT_LIMIT), isMore: found > COUNT_LIMIT };
}
