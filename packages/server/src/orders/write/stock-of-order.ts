import type { StatusGroup } from '@store-sales/contract';
import type { NamedProducts } from '../../catalog/named-products.ts';
import type { Queryable } from '../../db/database.ts';
import { readStock, type StockFacts, type StockLedger, trackedOf } from '../../stock/ledger.ts';
import * as queries from '../orders.queries.ts';
import type { Warehouses } from './order-rows.queries.ts';

/** An order in one of these groups holds no goods. */
const CLOSED: ReadonlySet<StatusGroup | ''> = new Set<StatusGroup>(['cancelled', 'returned']);

/** What a change of an order does to the stock. */
export interface StockOfOrder {
  lines: readonly queries.StockedLine[];
  facts: StockFacts;
  wasClosed: boolean;
  isClosed: boolean;
}

/** Reads what a change needs; undefined if it does not touch the stock. */
export async function readStockOfOrder(
  tx: Queryable,
  storeId: string,
  order: queries.CurrentOrder,
  after: StatusGroup | '',
  changed: { hasItems: boolean; products: NamedProducts },
): Promise<StockOfOrder | undefined> {
  const [wasClosed, isClosed] = [CLOSED.has(order.status_group), CLOSED.has(after)];
  if (wasClosed === isClosed && (!changed.hasItems || isClosed)) return undefined;
  const lines = await queries.linesOf(tx, storeId, order.id);
  const productIds = [...lines.map(({ product_id }) => product_id), ...trackedOf(changed.products)];
  return { lines, facts: await readStock(tx, storeId, productIds), wasClosed, isClosed };
}

interface LineAfter {
  id: string | undefined;
  productId: string;
  quantity: number;
}

/**
 * Takes what the order gets, and puts back what it no longer has: all of it if the order is closed now, the difference if
 * a line has changed. A line that was sold before its product was tracked puts nothing back.
 */
export function moveStock(
  ledger: StockLedger,
  { lines, wasClosed, isClosed }: StockOfOrder,
  after: readonly LineAfter[],
): Warehouses {
  const before = new Map(lines.map((line) => [line.id, line]));
  const kept = new Map(after.map((line) => [line.id, line]));
  for (const { id, product_id, quantity, warehouse_id } of lines) {
    if (warehouse_id === null) continue;
    const left = isClosed ? 0 : (kept.get(id)?.quantity ?? 0);
    if (left !== quantity) ledger.add(product_id, warehouse_id, quantity - left);
  }
  return after.map(({ id, productId, quantity }) => {
    if (isClosed) return null;
    const old = id === undefined ? undefined : before.get(id);
    return old && !wasClosed ? old.warehouse_id : ledger.take(productId, quantity);
  });
}
