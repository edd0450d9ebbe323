import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../domain-error.ts';
import { type Database, DatabaseMoving, DatabaseUnavailable, type Queryable, type Transaction } from '../database.ts';
import { sqlite as dialect } from '../dialect.ts';
import type { Sql } from '../sql.ts';
import type { TableName } from '../write/plan.ts';
import { runPlan } from '../write/run-plans.ts';
import { type GroupCommitOptions, groupCommit } from './group-commit.ts';
import { isBeingCopied, isBusy, moveOf } from './moving.ts';
import { makeDatabasePrivate, makePrivateDir } from './private-files.ts';

/** Maximum prepared statements per connection. */
const MAX_STATEMENTS = 1000;

/** How long a transaction waits for the lock of another process. */
const BUSY_LIMIT_MS = 15_000;

interface Prepared {
  statement: Sqlite.Statement;
  /** Result columns named `is_*`: stored as 0 and 1, returned as booleans. */
  booleanColumns: string[];
}

/** One connection with its prepared statements. */
class Connection implements Queryable {
  readonly dialect = dialect;
  readonly raw: Sqlite.Database;
  private readonly byTemplate = new WeakMap<readonly string[], Prepared>();
  private readonly byText = new LRUCache<string, Prepared>({ max: MAX_STATEMENTS });

  constructor(file: string) {
    this.raw = new Sqlite(file);
    this.raw.pragma('journal_mode = WAL');
    this.raw.pragma('synchronous = FULL');
    this.raw.pragma('foreign_keys = ON');
    this.raw.pragma('cache_size = -32000');
  }

  private prepare(query: Sql): Prepared {
    const known = this.byTemplate.get(query.parts);
    if (known) return known;
    const text = query.text(() => '?');
    let prepared = this.byText.get(text);
    if (!prepared) {
      const statement = this.raw.prepare(text);
      const columns = statement.reader ? statement.columns().map((column) => column.name) : [];
      prepared = { statement, booleanColumns: columns.filter((name) => name.startsWith('is_')) };
      this.byText.set(text, prepared);
    }
    if (Object.isFrozen(query.parts)) this.byTemplate.set(query.parts, prepared);
    return prepared;
  }

  async all<Row>(query: Sql): Promise<Row[]> {
    const { statement, booleanColumns } = this.prepare(query);
    const found = wrapErrors(() => statement.all(...query.values.map(bindable)) as Record<string, unknown>[]);
    if (booleanColumns.length) for (const row of found) convertBooleans(row, booleanColumns);
    return found as Row[];
  }

  async one<Row>(query: Sql): Promise<Row | undefined> {
    const { statement, booleanColumns } = this.prepare(query);
    const row = wrapErrors(() => statement.get(...query.values.map(bindable)) as Record<string, unknown> | undefined);
    if (row && booleanColumns.length) convertBooleans(row, booleanColumns);
    return row as Row | undefined;
  }

  async run(query: Sql): Promise<number> {
    return this.runNow(query);
  }

  runNow(query: Sql): number {
    const { statement } = this.prepare(query);
    return wrapErrors(() => statement.run(...query.values.map(bindable)).changes);
  }
}

const bindable = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value);

function convertBooleans(row: Record<string, unknown>, names: string[]) {
  for (const name of names) if (row[name] !== null) row[name] = row[name] === 1;
}

/**
 * The embedded engine. Reads use one connection and transactions another, one at a time (group-commit.ts), so a read
 * never sees an uncommitted transaction of this process. Other processes are excluded by the file lock, which is polled
 * without blocking the event loop.
 */
export function openSqlite(file: string, options: GroupCommitOptions = {}): Database {
  makePrivateDir(dirname(file));
  makeDatabasePrivate(file);
  const reader = new Connection(file);
  reader.raw.pragma('busy_timeout = 5000');
  // A write outside of the queue would wait for the writer of the same process, and block the process meanwhile.
  reader.raw.pragma('query_only = on');
  const writer = new Connection(file);
  writer.raw.pragma('busy_timeout = 0');

  const movedTo = moveOf(writer.raw);

  async function begin() {
    await takeLock();
    const place = movedTo();
    if (place === undefined) return;
    writer.raw.exec('rollback');
    throw new DatabaseMoving(place);
  }

  async function takeLock() {
    const deadline = Date.now() + BUSY_LIMIT_MS;
    for (let pause = 1; ; pause = Math.min(pause * 2, 16)) {
      try {
        writer.raw.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error)) throw asUnavailable(error);
        // It holds the lock for minutes: waiting for it would use up the limits of concurrent requests.
        if (isBeingCopied(file)) throw new DatabaseMoving();
        if (Date.now() > deadline) throw new DatabaseUnavailable('the database file is locked', { cause: error });
        await sleep(pause * Math.random());
      }
    }
  }

  const { enqueue, addLastWrite, idle } = groupCommit(
    {
      begin,
      exec: (text) => wrapErrors(() => writer.raw.exec(text)),
      isOpen: () => writer.raw.inTransaction,
    },
    options,
  );

  const transactionOn = (actions: (() => void)[]): Transaction => ({
    dialect,
    all: (query) => writer.all(query),
    one: (query) => writer.one(query),
    run: (query) => writer.run(query),
    onCommit: (action) => actions.push(action),
    // SQLite has a single writer, so every transaction is already exclusive.
    lock: async () => {},
  });

  const version = reader.raw.prepare('pragma data_version').pluck();

  return {
    dialect,
    version: () => version.get() as number,
    fastReads: reader,
    all: (query) => reader.all(query),
    one: (query) => reader.one(query),
    run: (query) => enqueue(() => writer.run(query)),
    async write(plan) {
      const actions: (() => void)[] = [];
      const tx = transactionOn(actions);
      const runWrite = async (statement: Sql, table: TableName) => {
        // FTS5 writes its index to the database at each savepoint, so its rows are left for the end of the batch.
        if (table !== 'order_search') return writer.runNow(statement);
        addLastWrite(() => writer.runNow(statement));
        return 1;
      };
      const result = await enqueue(() => runPlan(tx, plan, runWrite), { storeId: plan.storeId });
      for (const action of actions) action();
      return result;
    },
    async transaction(work, options) {
      const actions: (() => void)[] = [];
      const result = await enqueue(() => work(transactionOn(actions)), options);
      for (const action of actions) action();
      return result;
    },
    async script(work) {
      for (;;) {
        try {
          return await enqueue(() => work(async (text) => void writer.raw.exec(text), writer), { isLong: true });
        } catch (error) {
          // A migration of another process may hold the lock for any length of time.
          if (!(error instanceof DatabaseUnavailable && isBusy(error.cause))) throw error;
        }
      }
    },
    async close() {
      await idle();
      reader.raw.close();
      writer.raw.close();
    },
  };
}

/** Throws if another process has the database open. */
export function requireUnused(file: string) {
  if (!existsSync(file)) return;
  const database = new Sqlite(file);
  try {
    // In WAL mode, EXCLUSIVE locking fails while any other connection has the file open.
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('busy_timeout = 0');
    database.exec('begin exclusive; rollback');
  } catch (error) {
    if (isBusy(error)) throw new DomainError('unavailable', 'The database is in use; stop the service first.');
    throw error;
  } finally {
    database.close();
  }
}

function wrapErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** The disk is full, read-only or failing: the statement had no effect and may be retried later. */
function asUnavailable(error: unknown): unknown {
  const isDiskError = error instanceof Sqlite.SqliteError && /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(error.code);
  return isDiskError ? new DatabaseUnavailable(`${error.message} (${error.code})`, { cause: error }) : error;
}
