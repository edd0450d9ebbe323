import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderItem } from '@store-sales/contract';
import type { Database, Transaction } from '../db/database.ts';
import { hasMark, ORDERS_INDEXED_MARK, setMark } from '../db/migrate.ts';
import { readDocument } from './document.ts';
import * as queries from './search.queries.ts';
import { type SearchedOrder, searchTerms } from './search-terms.ts';

const BATCH_SIZE = 100;
/** Half of the time is left to the requests. */
const BATCH_PAUSE_MS = 20;

/** Indexes an order in the transaction that writes it. */
export const indexOrder = (
  tx: Transaction,
  storeId: string,
  order: SearchedOrder,
  items: readonly Pick<OrderItem, 'sku' | 'name'>[],
) => queries.putTerms(tx, storeId, order.number, searchTerms(order, items));

interface IndexOptions {
  batchSize?: number;
  pauseMs?: number;
  signal?: AbortSignal;
}

/**
 * Indexes the orders of older programs, which did not. Reads all orders changed since the last time, in the order of their
 * changes, and writes what differs. Other processes may do the same: each takes the next batch.
 */
export async function indexChangedOrders(
  db: Database,
  { batchSize = BATCH_SIZE, pauseMs = BATCH_PAUSE_MS, signal }: IndexOptions = {},
) {
  for (const { store_id: storeId } of await queries.changedStores(db))
    while (!signal?.aborted && (await indexBatch(db, storeId, batchSize))) await sleep(pauseMs);
}

/** Returns whether there may be more. */
const indexBatch = (db: Database, storeId: string, batchSize: number) =>
  db.transaction(
    async (tx) => {
      const orders = await queries.changedOrders(tx, storeId, await queries.lockPosition(tx, storeId), batchSize);
      const last = orders.at(-1);
      if (!last) return false;
      await Promise.all(
        orders.map(async (stored) => {
          const order = readDocument(stored);
          const terms = searchTerms(order, JSON.parse(stored.items));
          if (!(await queries.hasTerms(tx, storeId, order.number, terms)))
            queries.putTerms(tx, storeId, order.number, terms);
        }),
      );
      await queries.savePosition(tx, storeId, last);
      return orders.length === batchSize;
    },
    { storeId, isLazy: true, isLong: true },
  );

/**
 * Runs at the start, until it has read all orders once. Programs that do not index their orders cannot start on this schema
 * (migration 025 is breaking), so there is nothing to do after that.
 */
export async function indexEarlierOrders(db: Database, signal: AbortSignal) {
  if (await hasMark(db, ORDERS_INDEXED_MARK)) return;
  await indexChangedOrders(db, { signal });
  if (!signal.aborted) await setMark(db, ORDERS_INDEXED_MARK);
}
