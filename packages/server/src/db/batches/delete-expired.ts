import type { Database, Queryable, Transaction } from '../database.ts';

/** How far to go on with work that is done in batches. */
export interface Batches {
  /** Asked after each batch; the rest is left to the next time. */
  isOver?: () => boolean;
  batchSize?: number;
}

/** Rows of a store that have expired. */
export interface Expired {
  isAny(db: Queryable): Promise<boolean>;
  /** Deletes up to `limit` of them, and returns their number. */
  deleteSome(tx: Transaction, limit: number): Promise<number>;
}

/** Deletes expired rows of a store, a batch in a transaction, and returns their number. */
export async function deleteExpired(
  db: Database,
  storeId: string,
  { isAny, deleteSome }: Expired,
  { isOver = () => false, batchSize = db.dialect.deletesPerBatch }: Batches = {},
): Promise<number> {
  // Outside of a transaction, because few stores have expired rows.
  if (!(await isAny(db))) return 0;
  for (let deleted = 0; ; ) {
    const count = await db.transaction((tx) => deleteSome(tx, batchSize), { storeId, isLazy: true });
    deleted += count;
    if (count < batchSize || isOver()) return deleted;
  }
}
