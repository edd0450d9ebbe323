import type { StoreClock } from '../clock/store-clock.ts';
import type { Dialect } from '../dialect.ts';
import type { Queryable } from '../queryable.ts';
import type { Sql } from '../sql.ts';

/**
 * The tables that plans write, in the order in which they are written, however many plans share a transaction. A table
 * comes after those that its rows refer to, and deliveries, which are selected from events, after these.
 */
export const tableOrder = [
  'customers',
  'customer_terms',
  'promo_codes',
  'orders',
  'order_lines',
  'order_search',
  'order_keys',
  'stock',
  'stock_movements',
  'products',
  'shop_orders',
  'events',
  'deliveries',
  'mails',
  'idempotency_keys',
] as const;

export type TableName = (typeof tableOrder)[number];

/** A table that plans insert rows into: those of all plans of a transaction together, best with one statement. */
export interface RowTable<Row> {
  name: TableName;
  insert(dialect: Dialect, rows: readonly Row[]): Sql | readonly Sql[];
  /** Called after the commit with the number of rows. */
  onCommit?(count: number): void;
}

/** New rows, or statements that change rows; within a table, the statements run first. */
export type Write =
  | { table: TableName; statement(dialect: Dialect): Sql | readonly Sql[] }
  | { table: TableName; into: RowTable<never>; rows: readonly unknown[] };

export const insert = <Row>(into: RowTable<Row>, rows: readonly Row[]): Write => ({
  table: into.name,
  into: into as RowTable<never>,
  rows,
});

export const change = (table: TableName, statement: (dialect: Dialect) => Sql | readonly Sql[]): Write => ({
  table,
  statement,
});

/** What a plan does: nothing, if it writes nothing. */
export interface Change<Result> {
  writes: readonly Write[];
  result: Result;
}

/**
 * A change of one store. Plans that wait at the same time share a transaction, in which all of them read first. From the
 * first read to the commit the store's clock is locked, so that no other change of the store comes in between, on any
 * node.
 */
export interface WritePlan<Facts, Result> {
  storeId: string;
  now: number;
  /**
   * What the plan depends on and others may change: plans that share a key never share a transaction. One whose keys are
   * unknown before it has read has a transaction of its own.
   */
  keys: readonly string[] | 'unknown';
  /** Reads what the change depends on, best in one round trip. Throws if it is rejected. */
  read(tx: Queryable): Promise<Facts>;
  /** Computes the change, without I/O. Throws if it is rejected. */
  apply(facts: Facts, clock: StoreClock): Change<Result>;
}

/** Infers the facts of a plan from what it reads. */
export const writePlan = <Facts, Result>(plan: WritePlan<Facts, Result>) => plan;
