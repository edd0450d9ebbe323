import type { Dialect } from './dialect.ts';
import { empty, type Sql } from './sql.ts';

/** Rows for one statement. */
export interface StoreRows<Row> {
  rows: readonly Row[];
  /** See `Dialect.atStore`. */
  at(column: string): Sql;
}

/**
 * Rows of several stores as one part; in a distributed database, where a statement on the rows of several servers is slow
 * or not possible, as one part for each store.
 */
export function byStore<Row extends { store_id: string }>(dialect: Dialect, rows: readonly Row[]): StoreRows<Row>[] {
  if (!rows.length) return [];
  if (!dialect.isDistributed) return [{ rows, at: () => empty }];
  // Sorted, so that two nodes lock the rows of stores in the same order.
  const stores = [...new Set(rows.map(({ store_id }) => store_id))].sort();
  return stores.map((id) => ({
    rows: rows.filter(({ store_id }) => store_id === id),
    at: (column) => dialect.atStore(column, id),
  }));
}

/** The results of all parts, whose statements are sent together. */
export const ofStores = async <Row, Result>(
  parts: readonly StoreRows<Row>[],
  read: (part: StoreRows<Row>) => Promise<Result[]>,
): Promise<Result[]> => (await Promise.all(parts.map(read))).flat();
