import type { StockChange, StockLine, StockQuantity } from '@store-sales/contract';
import type { MovementKind } from '@store-sales/contract/console';
import type { Actor } from '../actor.ts';
import { asUuid } from '../db/uuid.ts';
import { type Change, writePlan } from '../db/write/plan.ts';
import { FieldErrors } from '../domain-error.ts';
import { readStock, StockLedger } from '../stock/ledger.ts';
import { findNamed } from './named-products.ts';

export interface StockRequest {
  storeId: string;
  change: StockChange;
  /** The JSON pointer of a line. */
  pointerOf?(index: number): string;
  kind: MovementKind;
  actor: Actor;
  now: number;
}

/** Sets or changes quantities, all of them or none. */
export const changeStock = ({
  storeId,
  change: { lines },
  pointerOf = (index) => `/lines/${index}`,
  kind,
  actor,
  now,
}: StockRequest) =>
  writePlan({
    storeId,
    now,
    // Others that share the transaction would not see that a product has a stock from now on.
    keys: 'unknown',
    async read(tx) {
      const products = await findNamed(tx, storeId, lines);
      return {
        products,
        stock: await readStock(
          tx,
          storeId,
          products.all.map(({ id }) => id),
        ),
      };
    },
    apply({ products, stock }, clock): Change<StockQuantity[]> {
      const fieldErrors = new FieldErrors();
      const ledger = new StockLedger(stock, clock);
      const warehouses = new Set(stock.warehouses.map(({ id }) => id));
      const seen = new Set<string>();
      const changed = lines.map((line, index): StockQuantity => {
        const at = pointerOf(index);
        const [field, product] = products.of(line);
        if (!product) fieldErrors.add(`${at}/${field}`, 'not_found', 'does not match any product of this store');
        const pointer = `${at}/warehouseId`;
        const warehouseId = line.warehouseId === undefined ? ledger.firstWarehouse : asUuid(line.warehouseId);
        if (line.warehouseId === undefined && !warehouseId && product)
          fieldErrors.add(pointer, 'required', 'is required, because the store has no active warehouse');
        else if (warehouseId && product && !warehouses.has(warehouseId))
          fieldErrors.add(pointer, 'not_found', 'does not match any warehouse of this store');
        if (!product || !warehouseId) return noQuantity;
        const place = `${product.id} ${warehouseId}`;
        if (seen.has(place)) fieldErrors.add(at, 'repeated', 'names a product and warehouse of an earlier line');
        seen.add(place);
        const quantity = quantityAfter(line, ledger.quantity(product.id, warehouseId));
        if (!Number.isSafeInteger(quantity))
          fieldErrors.add(`${at}/change`, 'overflow', 'must not lead to a quantity beyond 2^53 − 1');
        ledger.set(product.id, warehouseId, quantity);
        return { productId: product.id, warehouseId, quantity };
      });
      fieldErrors.throwIfAny();
      return { writes: ledger.writes(storeId, { kind, orderId: null, actor }), result: changed };
    },
  });

const noQuantity: StockQuantity = { productId: '', warehouseId: '', quantity: 0 };

const quantityAfter = ({ quantity, change = 0 }: StockLine, current: number) => quantity ?? current + change;
