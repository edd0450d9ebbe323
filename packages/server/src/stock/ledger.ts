import type { StoreClock } from '../db/clock/store-clock.ts';
import type { Queryable } from '../db/database.ts';
import { insert, type Write } from '../db/write/plan.ts';
import * as queries from './stock.queries.ts';

/** The stock that a change may touch, as it was read: rows by product, and the warehouses in their order. */
export interface StockFacts {
  quantities: readonly queries.QuantityRow[];
  warehouses: readonly queries.WarehouseRow[];
}

/** The warehouses of a store in the order in which orders take from them. */
export const readWarehouses = queries.warehousesOf;

export const noStock: StockFacts = { quantities: [], warehouses: [] };

/** Reads the stock of these products; nothing without any. */
export async function readStock(tx: Queryable, storeId: string, productIds: Iterable<string>): Promise<StockFacts> {
  const ids = [...new Set(productIds)];
  if (!ids.length) return noStock;
  const [quantities, warehouses] = await Promise.all([
    queries.quantitiesOf(tx, storeId, ids),
    queries.warehousesOf(tx, storeId),
  ]);
  return { quantities, warehouses };
}

/** The products that have a stock. */
export const trackedOf = ({ all }: { all: readonly { id: string; stock: number | null }[] }) =>
  all.filter(({ stock }) => stock !== null).map(({ id }) => id);

const keyOf = (productId: string, warehouseId: string) => `stock ${productId} ${warehouseId}`;

/** The stock of some products within one plan, and what the plan changes of it. */
export class StockLedger {
  private readonly quantities = new Map<string, Map<string, number>>();
  private readonly active: string[];
  private readonly movements: { productId: string; warehouseId: string; before: number; after: number }[] = [];

  constructor(
    { quantities, warehouses }: StockFacts,
    private readonly clock: StoreClock,
  ) {
    for (const { product_id, warehouse_id, quantity } of quantities)
      this.quantitiesOf(product_id).set(warehouse_id, quantity);
    for (const [productId, known] of this.quantities)
      for (const { id } of warehouses) {
        const written = clock.written.get(keyOf(productId, id));
        if (written !== undefined) known.set(id, written);
      }
    this.active = warehouses.filter(({ is_active }) => is_active).map(({ id }) => id);
  }

  isTracked(productId: string): boolean {
    return this.quantitiesOf(productId).size > 0;
  }

  quantity(productId: string, warehouseId: string): number {
    return this.quantitiesOf(productId).get(warehouseId) ?? 0;
  }

  /** In all active warehouses. */
  total(productId: string): number {
    return this.active.reduce((sum, id) => sum + this.quantity(productId, id), 0);
  }

  /** The warehouse that movements without one go to. */
  get firstWarehouse(): string | undefined {
    return this.active[0];
  }

  /**
   * Takes goods from the first warehouse that has all of them, else from the first one, below zero if need be. Returns
   * the warehouse; null if the product has no stock to take from.
   */
  take(productId: string, quantity: number): string | null {
    if (!this.isTracked(productId)) return null;
    const from = this.active.find((id) => this.quantity(productId, id) >= quantity) ?? this.firstWarehouse;
    if (from === undefined) return null;
    this.add(productId, from, -quantity);
    return from;
  }

  add(productId: string, warehouseId: string, change: number) {
    this.set(productId, warehouseId, this.quantity(productId, warehouseId) + change);
  }

  /** A quantity that is the same is recorded only if it makes the product tracked there. */
  set(productId: string, warehouseId: string, after: number) {
    const quantities = this.quantitiesOf(productId);
    const before = this.quantity(productId, warehouseId);
    if (before === after && quantities.has(warehouseId)) return;
    quantities.set(warehouseId, after);
    this.clock.written.set(keyOf(productId, warehouseId), after);
    this.movements.push({ productId, warehouseId, before, after });
  }

  /** What is to be written. Each product whose stock changes is a change that clients follow. */
  writes(storeId: string, { kind, orderId, actor }: queries.Movement): Write[] {
    if (!this.movements.length) return [];
    const { time } = this.clock;
    const productIds = [...new Set(this.movements.map(({ productId }) => productId))];
    const numbers = new Map(productIds.map((id) => [id, this.clock.nextSeq()]));
    const seqOf = (productId: string) => numbers.get(productId) as number;
    return [
      insert(
        queries.quantityRows,
        this.movements.map(({ productId, warehouseId, after }) => ({
          store_id: storeId,
          product_id: productId,
          warehouse_id: warehouseId,
          quantity: after,
        })),
      ),
      insert(
        queries.movementRows,
        this.movements.map(({ productId, warehouseId, before, after }, position) => ({
          store_id: storeId,
          product_id: productId,
          seq: seqOf(productId),
          position,
          warehouse_id: warehouseId,
          quantity_before: before,
          quantity_after: after,
          kind,
          order_id: orderId,
          actor_kind: actor.kind,
          actor_id: actor.id,
          created_at: time,
        })),
      ),
      insert(
        queries.productStamps,
        productIds.map((id) => ({
          store_id: storeId,
          id,
          stock: this.total(id),
          seq: seqOf(id),
          at: time,
        })),
      ),
    ];
  }

  private quantitiesOf(productId: string): Map<string, number> {
    const known = this.quantities.get(productId) ?? new Map<string, number>();
    this.quantities.set(productId, known);
    return known;
  }
}
