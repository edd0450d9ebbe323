import { existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { DomainError } from '../../domain-error.ts';
import { makeDatabasePrivate } from './private-files.ts';

/** A schema version that no program has, so that programs of earlier releases refuse the database too. */
export const MOVED_VERSION = 1_000_000;

/** How long `copy` waits for a transaction of another process. */
const LOCK_TIMEOUT_MS = 15_000;

/** It stays after the copy: another process may be about to lock it. */
const lockFile = (file: string) => `${file}-copying`;

export type LockedDatabase = Sqlite.Database;

/**
 * Locks the database for a copy, until the connection is closed or the process ends in any way: nobody else writes, and
 * everybody can read. The lock on the second file tells other processes that this is a copy and not a short transaction.
 */
export function lockForCopy(file: string): LockedDatabase {
  makeDatabasePrivate(lockFile(file));
  const database = new Sqlite(file, { timeout: LOCK_TIMEOUT_MS });
  try {
    database.prepare('attach ? as copying').run(lockFile(file));
    // Keeps readers out of the second file only, as the first one has a write-ahead log.
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if (isBusy(error)) throw new DomainError('unavailable', 'Another process is copying or migrating the database.');
    throw error;
  }
  return database;
}

/** Whether a process holds the lock of a copy. A lookup takes a shared lock only, so lookups do not see each other. */
export function isBeingCopied(file: string): boolean {
  if (!existsSync(lockFile(file))) return false;
  const marker = new Sqlite(lockFile(file), { timeout: 0 });
  try {
    marker.exec('select 1 from sqlite_schema');
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    marker.close();
  }
}

/** Marks the database as moved, in the open transaction. `user_version` is for writers: it takes a microsecond to read. */
export function markMoved(database: LockedDatabase, to: string, now: number) {
  database
    .prepare('insert into schema_migrations (version, name, applied_at, lowest_version) values (?, ?, ?, ?)')
    .run(MOVED_VERSION, to, now, MOVED_VERSION);
  database.pragma('user_version = 1');
}

/** Reads where the database has moved to, undefined if it has not. */
export function moveOf(database: Sqlite.Database): () => string | undefined {
  const version = database.prepare('pragma user_version').pluck();
  return () =>
    version.get() === 0
      ? undefined
      : (database.prepare('select name from schema_migrations where version = ?').pluck().get(MOVED_VERSION) as string);
}

export const isBusy = (error: unknown) =>
  error instanceof Sqlite.SqliteError && (error.code === 'SQLITE_BUSY' || error.code === 'SQLITE_BUSY_SNAPSHOT');
