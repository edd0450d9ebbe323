import type { Dialect } from './dialect.ts';
import type { Sql } from './sql.ts';

/** Implemented by both engines. Instants are milliseconds since 1970. */
export interface Queryable {
  readonly dialect: Dialect;
  all<Row>(query: Sql): Promise<Row[]>;
  one<Row>(query: Sql): Promise<Row | undefined>;
  /** Runs a write and returns the number of affected rows. */
  run(query: Sql): Promise<number>;
}

/**
 * Statements run in the order of the calls. On PostgreSQL, statements issued together (`Promise.all`) are pipelined in
 * one round trip.
 */
export interface Transaction extends Queryable {
  /** Runs after the commit; not run after a rollback. */
  onCommit(action: () => void): void;
  /**
   * Takes exclusive locks on these names in this store until the transaction ends. To avoid deadlocks, call it at most
   * once in a transaction, with all the names, before the store's clock is locked.
   */
  lock(storeId: string, names: readonly string[]): Promise<void>;
}
