import * as unfinished from '../db/batches/unfinished-changes.ts';
import type { Database } from '../db/database.ts';
import { firstUuidAt } from '../db/uuid.ts';
import { type Change, insert, writePlan } from '../db/write/plan.ts';
import * as queries from './stock.queries.ts';

export type Recount = unfinished.UnfinishedChange & { kind: 'warehouse' };

/**
 * A warehouse that was enabled or disabled changes the stock of all products that are in it. Changing 100,000 of them in
 * one transaction would block other stores on SQLite, and this one elsewhere, so they are changed in batches: each counts
 * the warehouses that are active by then, as orders in between do. The change was recorded with that of the warehouse,
 * and is resumed at the next start if this process dies.
 */
export async function recountWarehouse(db: Database, change: Recount): Promise<void> {
  for (let after: string | undefined = firstUuidAt(0); after !== undefined; )
    after = await db.write(recountBatch(change, after, db.dialect.ordersPerBatch));
  await unfinished.removeSame(db, change);
}

/** Returns the last product of the batch; undefined if there are no more. */
const recountBatch = ({ storeId, id: warehouseId, now }: Recount, after: string, limit: number) =>
  writePlan({
    storeId,
    now,
    keys: 'unknown',
    read: (tx) => queries.productsIn(tx, { storeId, warehouseId }, after, limit),
    apply(products, clock): Change<string | undefined> {
      const changed = products.filter(({ shown, stock }) => shown !== Number(stock));
      const stamps = changed.map(({ id, stock }) => ({
        store_id: storeId,
        id,
        stock: Number(stock),
        seq: clock.nextSeq(),
        at: clock.time,
      }));
      return {
        writes: stamps.length ? [insert(queries.productStamps, stamps)] : [],
        result: products.length < limit ? undefined : products.at(-1)?.id,
      };
    },
  });
