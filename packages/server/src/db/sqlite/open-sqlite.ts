import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { Refusal } from '../../refusal.ts';
import { type Database, DatabaseUnavailable, type Queryable, type Transaction } from '../database.ts';
import { sqlite as dialect } from '../dialect.ts';
import type { Sql } from '../sql.ts';
import { turns } from './group-commit.ts';
import { makeDatabasePrivate, makePrivateDir } from './private-files.ts';

/** How long a transaction waits for another process to finish its own. */
const BUSY_LIMIT_MS = 15_000;

interface Prepared {
  statement: Sqlite.Statement;
  /** Result columns named `is_*`: stored as 0 and 1, shown as booleans. */
  truths: string[];
}

/** One connection with its prepared statements. */
class Connection implements Queryable {
  readonly dialect = dialect;
  readonly raw: Sqlite.Database;
  private readonly byTemplate = new WeakMap<readonly string[], Prepared>();
  private readonly byText = new Map<string, Prepared>();

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
      prepared = { statement, truths: columns.filter((name) => name.startsWith('is_')) };
      if (this.byText.size >= 1000) this.byText.clear();
      this.byText.set(text, prepared);
    }
    if (Object.isFrozen(query.parts)) this.byTemplate.set(query.parts, prepared);
    return prepared;
  }

  async all<Row>(query: Sql): Promise<Row[]> {
    const { statement, truths } = this.prepare(query);
    const found = tried(() => statement.all(...query.values.map(bindable)) as Record<string, unknown>[]);
    if (truths.length) for (const row of found) asTruths(row, truths);
    return found as Row[];
  }

  async one<Row>(query: Sql): Promise<Row | undefined> {
    const { statement, truths } = this.prepare(query);
    const row = tried(() => statement.get(...query.values.map(bindable)) as Record<string, unknown> | undefined);
    if (row && truths.length) asTruths(row, truths);
    return row as Row | undefined;
  }

  async run(query: Sql): Promise<number> {
    return this.runNow(query);
  }

  runNow(query: Sql): number {
    const { statement } = this.prepare(query);
    return tried(() => statement.run(...query.values.map(bindable)).changes);
  }
}

const bindable = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value);

function asTruths(row: Record<string, unknown>, names: string[]) {
  for (const name of names) if (row[name] !== null) row[name] = row[name] === 1;
}

/**
 * The embedded engine. Reads go to one connection, transactions in their turn (turns.ts) to a second, so a read
 * never sees half of a transaction of the same process; other processes are kept apart by the file's own lock,
 * waited for without blocking the event loop.
 */
export function openSqlite(file: string): Database {
  makePrivateDir(dirname(file));
  makeDatabasePrivate(file);
  const reader = new Connection(file);
  reader.raw.pragma('busy_timeout = 5000');
  const writer = new Connection(file);
  writer.raw.pragma('busy_timeout = 0');

  async function begin() {
    const deadline = Date.now() + BUSY_LIMIT_MS;
    for (let pause = 1; ; pause = Math.min(pause * 2, 16)) {
      try {
        writer.raw.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error)) throw explained(error);
        if (Date.now() > deadline) throw new DatabaseUnavailable('the database file is locked', { cause: error });
        await sleep(pause * Math.random());
      }
    }
  }

  const { inTurn, idle } = turns({
    begin,
    exec: (text) => tried(() => writer.raw.exec(text)),
    isOpen: () => writer.raw.inTransaction,
  });

  const version = reader.raw.prepare('pragma data_version').pluck();

  return {
    dialect,
    version: () => version.get() as number,
    fastReads: reader,
    all: (query) => reader.all(query),
    one: (query) => reader.one(query),
    run: (query) => inTurn(() => writer.run(query)),
    async transaction(work, options) {
      const actions: (() => void)[] = [];
      const tx: Transaction = {
        dialect,
        all: (query) => writer.all(query),
        one: (query) => writer.one(query),
        run: (query) => writer.run(query),
        send(query, onDone) {
          const count = writer.runNow(query);
          onDone?.(count);
        },
        onCommit: (action) => actions.push(action),
        // The file has one writer: whoever is here is alone already.
        lock: async () => {},
      };
      const result = await inTurn(() => work(tx), options);
      for (const action of actions) action();
      return result;
    },
    async script(work) {
      for (;;) {
        try {
          return await inTurn(() => work(async (text) => void writer.raw.exec(text), writer), { isLong: true });
        } catch (error) {
          // A migration of another process holds the file for as long as it takes.
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

/** Refuses while another process has the database open. */
export function requireUnused(file: string) {
  if (!existsSync(file)) return;
  const database = new Sqlite(file);
  try {
    // With a write-ahead log, a connection of this mode shares the file with no other.
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('busy_timeout = 0');
    database.exec('begin exclusive; rollback');
  } catch (error) {
    if (isBusy(error)) throw new Refusal('unavailable', 'The database is in use; stop the service first.');
    throw error;
  } finally {
    database.close();
  }
}

function tried<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw explained(error);
  }
}

/** A disk that is full, read-only or broken: the statement did nothing, and may work when the disk does. */
function explained(error: unknown): unknown {
  const isDisk = error instanceof Sqlite.SqliteError && /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(error.code);
  return isDisk ? new DatabaseUnavailable(`${error.message} (${error.code})`, { cause: error }) : error;
}

const isBusy = (error: unknown) =>
  error instanceof Sqlite.SqliteError && (error.code === 'SQLITE_BUSY' || error.code === 'SQLITE_BUSY_SNAPSHOT');
