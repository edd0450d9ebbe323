import type { Queryable, Transaction } from './queryable.ts';
import type { Sql } from './sql.ts';
import type { WritePlan } from './write/plan.ts';
import { runPlan } from './write/run-plans.ts';

export type { Queryable, Sql, Transaction };

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
}

export interface Database extends Queryable {
  /**
   * Changes with every commit of any process, so what was read under the same version is not stale. Undefined where
   * checking would cost as much as reading.
   */
  version(): number | undefined;
  /** For frequent indexed reads of a few rows, which are batched on shared connections: a slow one delays the others. */
  fastReads: Queryable;
  /** Runs a change of a store, together with others that wait at the same time. */
  write<Facts, Result>(plan: WritePlan<Facts, Result>): Promise<Result>;
  /**
   * Runs the work in one transaction at READ COMMITTED or stricter. The work may be run again (after a deadlock or a
   * serialization failure), so it must have no side effects outside of the database.
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
  write: (plan) => runPlan(tx, plan),
  transaction: (work) => work(tx),
  script: () => Promise.reject(new Error('a script cannot run inside a transaction')),
  close: async () => {},
});

/**
 * The columns of the unique constraint that a transaction failed on, such as `orders.external_id`; none if it failed
 * otherwise. Call it outside of the transaction: PostgreSQL accepts no further statements inside a failed one.
 */
export function takenColumns(error: unknown): string[] {
  const { code, message = '', table = '', detail = '' } = (error ?? {}) as Record<string, string | undefined>;
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
    return message.replace(/^.*failed: /, '').split(', ');
  if (code !== '23505') return [];
  // A shard of a distributed table has a number at the end of its name.
  const columns = /^Key \(([^)]*)\)=/.exec(detail)?.[1]?.split(', ') ?? [];
  return columns.map((column) => `${table.replace(/_\d+$/, '')}.${column}`);
}

export const isTaken = (error: unknown, column: `${string}.${string}`) => takenColumns(error).includes(column);

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
