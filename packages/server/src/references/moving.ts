import type { Actor } from '../actor.ts';
import type { Database, Transaction } from '../db/database.ts';
import * as queries from './unfinished.queries.ts';

/** All orders of one status to another, as the first is disabled. */
export interface Move {
  storeId: string;
  field: 'status' | 'paymentStatus';
  /** Ids of the two statuses. */
  from: string;
  to: string;
  actor: Actor;
  now: number;
}

/** Handed in from outside: orders know the references, never the reverse. */
export interface Moving {
  /** All of them, in the transaction that disables the status; throws `TooMany` where that would take too long. */
  moveOrders(tx: Transaction, move: Move): Promise<void>;
  /** Some of them, ahead of it; how many. */
  moveSome(tx: Transaction, move: Move): Promise<number>;
}

export class TooMany extends Error {
  override name = 'TooMany';
  constructor(readonly move: Move) {
    super('more orders than one transaction should move');
  }
}

/**
 * Makes a change that may disable a status, however many orders it has. An engine with one writer would keep every
 * other store waiting while it moves very many, so there they go ahead, some at a time, with others' writes in
 * between; the last transaction moves what is left and disables the status. Until then it is active: no order is
 * ever in a disabled status. What was begun is noted first, and finished at the next start should this process die:
 * docs/decisions/moving-orders.md.
 */
export async function moveInBatches<Result>(
  db: Database,
  moving: Moving,
  change: queries.UnfinishedChange,
  apply: () => Promise<Result>,
): Promise<Result> {
  for (let isNoted = false; ; isNoted = true) {
    try {
      return await apply();
    } catch (error) {
      if (!(error instanceof TooMany)) {
        // Refused after all, and told so: it must not be made at the next start.
        if (isNoted) await queries.finish(db, change.storeId, change.id);
        throw error;
      }
      await db.transaction((tx) => queries.note(tx, change));
      while (await db.transaction((tx) => moving.moveSome(tx, error.move), { isLong: true }));
    }
  }
}
