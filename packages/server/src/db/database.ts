import type { Dialect } from './dialect.ts';
import type { Sql } from './sql.ts';

export type { Sql };

/** Implemented by both engines. Instants are milliseconds since 1970. */
export interface Queryable {
  readonly dialect: Dialect;
  all<Row>(query: Sql): Promise<Row[]>;
  one<Row>(query: Sql): Promise<Row | undefined>;
  /** Runs a write and returns the number of affected rows. */
  run(query: Sql): Promise<number>;
}

/** Change numbers of a store, with the time of the change. */
export interface Tick {
  /** The last of `count` consecutive numbers. */
  seq: number;
  /** The time of the change: never earlier than an earlier change of the store. */
  at: number;
  /** The last order number. */
  number: number;
}

/** Inserts the rows of one write with `few`, and those of many with `many`, whose text does not depend on their number. */
export interface RowsStatement<Row> {
  few(dialect: Dialect, rows: readonly Row[]): Sql;
  many(dialect: Dialect, rows: readonly Row[]): Sql;
}

/** For `tick` in clock.ts. */
export interface ClockRequest {
  storeId: string;
  now: number;
  /** How many change numbers and order numbers to take. */
  count: number;
  orders: number;
}

/**
 * Statements run in the order of the calls. On PostgreSQL, statements issued together (`Promise.all`) are pipelined in
 * one round trip.
 */
export interface Transaction extends Queryable {
  /**
   * Runs a write without waiting for it. If it fails, the transaction fails with its error. `onDone` receives the
   * number of affected rows before the commit.
   */
  send(query: Sql, onDone?: (count: number) => void): void;
  /**
   * Like `send`, for a statement that inserts rows: those of all members of a group are inserted by one statement, after
   * what they send otherwise. `onDone` then gets the number of all these rows.
   */
  sendRows<Row>(statement: RowsStatement<Row>, rows: readonly Row[], onDone?: (count: number) => void): void;
  /**
   * Like `send`, but on SQLite after the other statements of all transactions that share the commit. For FTS5, which
   * writes its index to the database at each savepoint. A failure fails all these transactions, so it must not depend on
   * what a client sends.
   */
  sendLast(query: Sql): void;
  /** Runs after the commit; not run after a rollback. */
  onCommit(action: () => void): void;
  /**
   * Takes exclusive locks on these names in this store until the transaction ends.
   * To avoid deadlocks, call it at most once in a transaction, with all the names, before `tick`.
   */
  lock(storeId: string, names: readonly string[]): Promise<void>;
  /**
   * For transactions with `group`: no other of the same group goes on with this name. Row locks do not keep them apart,
   * as all of them are one transaction for the database. Call it before `tick`.
   */
  claim(name: string): void;
  /** See `tick` in clock.ts. */
  advanceClock(request: ClockRequest): Promise<Tick>;
}

export interface TransactionOptions {
  /**
   * The commit does not wait for the disk. It stays atomic and ordered, but a power failure within a second may lose
   * it: only for bookkeeping that can be repeated, never for writes that are acknowledged to a client.
   */
  isLazy?: boolean;
  /** Takes more than a few milliseconds: excluded from group commit, and its statements have a longer timeout. */
  isLong?: boolean;
  /** On SQLite, transactions queue for the only writer, round-robin between stores. */
  storeId?: string;
  /**
   * On PostgreSQL, it may share a transaction with others of its store (postgres/group-writes.ts) and is then interleaved
   * with them: it reads and locks before `tick`, writes after it, and calls `claim` for what it locks. Two with the same
   * key never share one.
   */
  group?: { key?: string | undefined };
}

export interface Database extends Queryable {
  /**
   * Changes with every commit of any process, so what was read under the same version is not stale. Undefined where
   * checking would cost as much as reading.
   */
  version(): number | undefined;
  /** For frequent indexed reads of a few rows, which are batched on shared connections: a slow one delays the others. */
  fastReads: Queryable;
  /**
   * Runs the work in one transaction at READ COMMITTED or stricter. The work may be run again (after a deadlock, a
   * serialization failure or `RunAgain`), so it must have no side effects outside of the database.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
  /** Runs the statements of a migration in one transaction, without a timeout. */
  script(work: (exec: (text: string) => Promise<void>, tx: Queryable) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Wraps a transaction as a database: nested transactions join it. */
export const within = (tx: Transaction): Database => ({
  ...tx,
  version: () => undefined,
  fastReads: tx,
  transaction: (work) => work(tx),
  script: () => Promise.reject(new Error('a script cannot run inside a transaction')),
  close: async () => {},
});

/**
 * Whether a transaction failed on a unique constraint. Check it outside of the transaction: PostgreSQL accepts no
 * further statements inside a failed one.
 */
export const isTaken = (db: Queryable, error: unknown) =>
  (error as { code?: unknown } | undefined)?.code === db.dialect.uniqueViolation;

/** Thrown by the work of a transaction: what it read has changed before it was locked, so run it again. */
export class RunAgain extends Error {
  override name = 'RunAgain';
}

/** The database is unreachable, too busy, or its disk fails: nothing was changed, and a retry may succeed. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** The database accepts no writes, because it is being copied to another one or has moved there. */
export class DatabaseMoving extends DatabaseUnavailable {
  override name = 'DatabaseMoving';
  /** Undefined while it is being copied. */
  readonly movedTo: string | undefined;

  constructor(movedTo?: string) {
    super(
      movedTo
        ? `this installation has moved to ${movedTo}: set DATABASE_URL to it, and SECRET_KEY to the key of this installation`
        : 'this installation is being copied to PostgreSQL, and accepts no changes until that is done',
    );
    this.movedTo = movedTo;
  }
}

/** The connection was lost during the commit, which may or may not have succeeded. */
export class OutcomeUnknown extends DatabaseUnavailable {
  override name = 'OutcomeUnknown';
}
