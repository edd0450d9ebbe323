import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { lockClock, tick } from '../../db/clock/store-clock.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { recordMovedOrders } from '../../webhooks/outbox/outbox.ts';
import * as queries from './move-orders.queries.ts';

export type Move = queries.Move;

/** Moving all orders in one transaction would block other stores for too long. */
export class TooManyOrders extends Error {
  override name = 'TooManyOrders';
  constructor(readonly move: Move) {
    super('more orders than one transaction should move');
  }
}

const eventTypes = { status: 'order.status_changed', paymentStatus: 'order.payment_status_changed' } as const;

/**
 * Moves all orders of a status that is being disabled; each gets a new `updatedAt` and an event. The caller has locked
 * the store's clock, so no order can enter it.
 *
 * All work is done in SQL, in blocks with other requests in between; the orders are not loaded into memory.
 */
export async function moveOrders(tx: Transaction, move: Move): Promise<void> {
  const { maxRowsPerTransaction: max } = tx.dialect;
  const count = await queries.countUpTo(tx, move, max + 1);
  if (count > max) throw new TooManyOrders(move);
  await moveFirst(tx, move, count);
}

/** Moves one batch in its own transaction; returns its size. */
export async function moveBatch(tx: Transaction, move: Move): Promise<number> {
  await lockClock(tx, move.storeId);
  const count = await queries.countUpTo(tx, move, tx.dialect.ordersPerBatch);
  await moveFirst(tx, move, count);
  return count;
}

/** Moves `count` orders, the least recently changed first. */
async function moveFirst(tx: Transaction, move: Move, count: number): Promise<void> {
  if (!count) return;
  const { storeId, field, actor, now } = move;
  const details = { from: move.from, to: move.to };
  const { seq: last, at } = await tick(tx, storeId, now, { count });
  const limit = Math.min(count, tx.dialect.maxRowsPerStatement);
  for (let after = last - count; after < last; ) {
    const upTo = after + (await queries.moveFirst(tx, move, { after, at, limit }));
    if (upTo === after) throw new Error(`${last - after} of ${count} orders are gone`);
    await recordMovedOrders(tx, storeId, { type: eventTypes[field], after, upTo, at, actor, details, now });
    after = upTo;
    await yieldToEventLoop();
  }
}

/** Counts stop here, so that they are fast in a store of any size. */
export const COUNT_LIMIT = 10_000;

/** Number of orders in a status, up to the limit. */
export async function countOrders(db: Queryable, status: Pick<Move, 'storeId' | 'field' | 'from'>) {
  const found = await queries.countUpTo(db, status, COUNT_LIMIT + 1);
  return { count: Math.min(found, COUNT_LIMIT), isMore: found > COUNT_LIMIT };
}
