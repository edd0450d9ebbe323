import type { Queryable } from '../db/database.ts';
import { join, raw, sql } from '../db/sql.ts';

export interface NamedProduct {
  id: string;
  external_id: string | null;
  sku: string | null;
  name: string;
  price: number;
  is_active: boolean;
  /** In all active warehouses; null if the product has no stock. */
  stock: number | null;
}

/** Products by any of their keys, in one statement. */
export function findProducts(
  db: Queryable,
  storeId: string,
  given: { ids: readonly string[]; skus: readonly string[]; externalIds: readonly string[] },
) {
  const having = (column: string, values: readonly string[]) =>
    values.length
      ? [
          sql`${raw(column)} in (${join(
            values.map((value) => sql`${value}`),
            ', ',
          )})`,
        ]
      : [];
  const named = [...having('id', given.ids), ...having('sku', given.skus), ...having('external_id', given.externalIds)];
  return db.all<NamedProduct>(
    join(
      named.map(
        (name) =>
          sql`select id, external_id, sku, name, price, is_active, stock from products where store_id = ${storeId} and ${name}`,
      ),
      ' union ',
    ),
  );
}
