import type { Transaction } from '../../db/database.ts';
import { addStore } from '../read/search.queries.ts';
import { addSystemStatuses } from '../statuses/seed.ts';

/** What the orders of a new store need. */
export async function setUpOrders(tx: Transaction, storeId: string, now: number) {
  await addSystemStatuses(tx, storeId, now);
  await addStore(tx, storeId);
}
