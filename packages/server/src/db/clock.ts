import type { ClockRequest, Queryable, Tick, Transaction } from './database.ts';
import { sql } from './sql.ts';

/**
 * Allocates the next change numbers of the store. The row stays locked until the commit, so numbers are in commit
 * order, which times are not: see docs/decisions/change-number.md. Call it once in a transaction, after all other
 * locks, and store `seq` and `at` in every synchronized row that changes.
 */
export const tick = (
  tx: Transaction,
  storeId: string,
  now: number,
  { count = 1, orders = 0 }: { count?: number; orders?: number } = {},
): Promise<Tick> => tx.advanceClock({ storeId, now, count, orders });

/** For the engines. */
export async function advanceClock(tx: Queryable, { storeId, now, count, orders }: ClockRequest): Promise<Tick> {
  const clock = await tx.one<{ seq: number; ts: number; last_number: number }>(
    sql`update store_clocks
        set seq = seq + ${count}, ts = ${tx.dialect.greatest(sql`ts`, sql`${now}`)}, last_number = last_number + ${orders}
        where store_id = ${storeId}
        returning seq, ts, last_number`,
  );
  if (!clock) throw new Error(`store ${storeId} has no clock`);
  return { seq: clock.seq, at: clock.ts, number: clock.last_number };
}
