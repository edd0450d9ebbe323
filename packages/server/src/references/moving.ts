import type { Actor } from '../actor.ts';
import type { Database, Transaction } from '../db/database.ts';
import * as queries from './unfinished.queries.ts';

/** Moves all orders from one status to another when the first is disabled. */
export interface Move {
  storeId: string;
  field: 'status' | 'paymentStatus';
  /** Status ids. */
  from: string;
  to: string;
  actor: Actor;
  now: number;
}

/** Injected, because `orders` depends on `references` and not the reverse. */
export interface OrderMover {
  /** Moves all orders in the transaction that disables the status; throws `TooManyOrders` if that would take too long. */
  moveOrders(tx: Transaction, move: Move): Promise<void>;
  /** Moves one batch in advance; returns its size. */
  moveBatch(tx: Transaction, move: Move): Promise<number>;
}

export class TooManyOrders extends Error {
  override name = 'TooManyOrders';
  constructor(readonly move: Move) {
    super('more orders than one transaction should move');
  }
}

/**
 * Applies a change that may disable a status with any number of orders. On an engine with one writer, moving very many
 * orders would block all other stores, so they are moved in batches first, with other writes in between; the last
 * transaction moves the rest and disables the status. Until then the status stays active, so no order is ever in a
 * disabled status. The change is recorded first, and resumed at the next start if this process dies:
 * docs/decisions/moving-orders.md.
 */
export async function moveInBatches<Result>(
  db: Database,
  moving: OrderMover,
  change: queries.UnfinishedChange,
  apply: () => Promise<Result>,
): Promise<Result> {
  for (let isNoted = false; ; isNoted = true) {
    try {
      return await apply();
    } catch (error) {
      if (!(error instanceof TooManyOrders)) {
        // The caller gets the error, so the change must not be resumed at the next start.
        if (isNoted) await queries.finish(db, change.storeId, change.id);
        throw error;
      }
      await db.transaction((tx) => queries.note(tx, change));
      while (await db.transaction((tx) => moving.moveBatch(tx, error.move), { isLong: true, storeId: change.storeId }));
    }
  }
}
