import type { Dialect } from './dialect.ts';
import type { Sql } from './sql.ts';

/** What both engines can do. Truth values are booleans, instants are milliseconds since 1970. */
export interface Queryable {
  readonly dialect: Dialect;
  all<Row>(query: Sql): Promise<Row[]>;
  one<Row>(query: Sql): Promise<Row | undefined>;
  /** Runs a change and tells how many rows it touched. */
  run(query: Sql): Promise<number>;
}

/**
 * Statements run in the order they are given, and may be given together (`Promise.all`): where the engine is a
 * server, they then share one round trip.
 */
export interface Transaction extends Queryable {
  /**
   * Runs a change without waiting for it. Should it fail, the transaction fails with its error. `onDone` is told
   * how many rows it touched, before the commit.
   */
  send(query: Sql, onDone?: (count: number) => void): void;
  /** Runs after the commit, not at all after a rollback. */
  onCommit(action: () => void): void;
  /**
   * Holds these names in this store until the transaction ends: of two that want the same, one waits.
   * Call it at most once in a transaction, with all the names, before the store's clock is taken.
   */
  lock(storeId: string, names: readonly string[]): Promise<void>;
}

export interface TransactionOptions {
  /**
   * The commit does not wait for the disk. Whole and in order all the same, but a power failure within the second
   * may undo it: for bookkeeping that can be done over, never for what somebody was told is done.
   */
  isLazy?: boolean;
  /** It takes more than a few milliseconds: no other shares its commit, and its statements have a larger time limit. */
  isLong?: boolean;
}

export interface Database extends Queryable {
  /**
   * Differs from before once anybody, in any process, has committed anything: what was read under the same number
   * can be used again and is never stale. Undefined where the engine cannot tell faster than it reads.
   */
  version(): number | undefined;
  /** For reads of a few rows by an index, which are many: they share what they cost. A slow one would hold up others. */
  fastReads: Queryable;
  /**
   * Runs the work in one transaction at READ COMMITTED or better: all of it, or nothing. The work may be
   * run again when the engine asks for it (a deadlock, a busy file), so it changes nothing but the database.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
  /** Runs the statements of a migration in one transaction, without a time limit. */
  script(work: (exec: (text: string) => Promise<void>, tx: Queryable) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** A transaction in the place of a database: what would begin one of its own takes part in this one. */
export const within = (tx: Transaction): Database => ({
  ...tx,
  version: () => undefined,
  fastReads: tx,
  transaction: (work) => work(tx),
  script: () => Promise.reject(new Error('a script wants a transaction of its own')),
  close: async () => {},
});

/**
 * Whether a transaction failed because a value that must be unique is there already. To be asked outside of it:
 * inside, PostgreSQL answers nothing more.
 */
export const isTaken = (db: Queryable, error: unknown) =>
  (error as { code?: unknown } | undefined)?.code === db.dialect.uniqueViolation;

/** The engine cannot be reached, is too busy, or its disk fails: nothing was changed, the same request may work later. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** The engine went away while it was told to commit: whether it did, nobody knows before it is back. */
export class OutcomeUnknown extends DatabaseUnavailable {
  override name = 'OutcomeUnknown';
}
