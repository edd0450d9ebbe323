import type { Transaction } from './database.ts';
import { sql } from './sql.ts';

export interface Tick {
  /** The last of the numbers taken: a block of `count` ends here. */
  seq: number;
  /** When the change counts as made: never earlier than any change of the store before it. */
  at: number;
  /** Number for a new order, where one was asked for. */
  number: number;
}

/**
 * Takes the next change numbers of the store. The row stays locked to the commit, so the order of numbers is
 * the order of commits, which time alone is not: see docs/decisions/change-number.md. Call it last of all
 * locks, once in a transaction, and stamp `seq` and `at` on every synchronized row that changes.
 */
export async function tick(
  tx: Transaction,
  storeId: string,
  now: number,
  { count = 1, orders = 0 }: { count?: number; orders?: number } = {},
): Promise<Tick> {
  const clock = await tx.one<{ seq: number; ts: number; last_number: number }>(
    sql`update store_clocks
        set seq = seq + ${count}, ts = ${tx.dialect.greatest(sql`ts`, sql`${now}`)}, last_number = last_number + ${orders}
        where store_id = ${storeId}
        returning seq, ts, last_number`,
  );
  if (!clock) throw new Error(`store ${storeId} has no clock`);
  return { seq: clock.seq, at: clock.ts, number: clock.last_number };
}
