import type { Shortage } from '@store-sales/contract/console';
import type { Queryable } from '../../db/database.ts';
import * as queries from './stock.queries.ts';

/** What an order that is still to be sent has taken from warehouses which are below zero now. */
export async function shortagesOf(db: Queryable, storeId: string, orderId: string): Promise<Shortage[]> {
  const found = await queries.shortages(db, storeId, orderId);
  return found.map(({ product_id, ...shortage }) => ({ productId: product_id, ...shortage }));
}
