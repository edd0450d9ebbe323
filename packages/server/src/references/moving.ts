import type { Actor } from '../actor.ts';
import type { Transaction } from '../db/database.ts';

/** All orders of one status to another, in the transaction that disables the first. */
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
export type MoveOrders = (tx: Transaction, move: Move) => Promise<void>;
