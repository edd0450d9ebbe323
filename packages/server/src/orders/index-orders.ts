import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderItem } from '@store-sales/contract';
import type { Database, Transaction } from '../db/database.ts';
import { aliveNodesBelow } from '../db/nodes.ts';
import { readDocument } from './document.ts';
import * as queries from './search.queries.ts';
import { type SearchedOrder, searchTerms } from './search-terms.ts';

/** The schema version of the first program that indexes orders when it writes them. */
const INDEXING_VERSION = 15;
const BATCH_SIZE = 100;
/** Half of the time is left to the requests. */
const BATCH_PAUSE_MS = 20;
/** Until older nodes are gone. */
const REPEAT_MS = 30_000;

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
 * Indexes orders that older programs wrote: those from before the migration, and those of older nodes during a rolling
 * upgrade. Reads all orders changed since the last time, in the order of their changes, and writes what differs. Other
 * processes may do the same: each takes the next batch.
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

/** Runs at the start, and again while nodes of older versions write orders. */
export async function keepOrdersIndexed(db: Database, signal: AbortSignal) {
  for (let hasOlderNodes = true; hasOlderNodes && !signal.aborted; ) {
    hasOlderNodes = (await aliveNodesBelow(db, INDEXING_VERSION)).length > 0;
    await indexChangedOrders(db, { signal });
    if (hasOlderNodes) await sleep(REPEAT_MS, undefined, { signal }).catch(() => {});
  }
}
