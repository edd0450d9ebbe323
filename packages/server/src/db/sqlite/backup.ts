import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { DomainError } from '../../domain-error.ts';
import { refuseNewer, SCHEMA_VERSION, type Schema } from '../migrations/migrate.ts';
import { copyContent, draftOf, publishFile } from './private-files.ts';

/** Contains the secret key, so that the backup file is enough for a restore. */
const SECRET_TABLE = 'backup_secret';

/** Copies the database in one read transaction, while others write. */
export function backupTo(file: string, databaseFile: string, secret: string): { orders: number } {
  if (existsSync(file)) throw new DomainError('name_taken', `${file} already exists.`);
  return publishFile(file, (draft) => {
    inDatabase(databaseFile, (source) => source.prepare('vacuum into ?').run(draft));
    return inDatabase(draft, (copy) => {
      copy.exec(`create table ${SECRET_TABLE} (secret text not null) strict`);
      copy.prepare(`insert into ${SECRET_TABLE} (secret) values (?)`).run(secret);
      return copy.prepare('select count(*) as orders from orders').get() as { orders: number };
    });
  });
}

/**
 * Restores a backup into a directory without a database. The database file gets its name last, after the secret, so a
 * killed restore leaves no database and can be started again.
 */
export function restoreFrom(file: string, databaseFile: string, secretFile: string): { orders: number } {
  try {
    return publishFile(databaseFile, (draft) => {
      copyContent(file, draft);
      const { orders, secret } = inDatabase(draft, (copy) => {
        const found = readBackup(copy, file);
        copy.exec(`drop table ${SECRET_TABLE}`);
        return found;
      });
      publishFile(secretFile, (draft) => writeFileSync(draft, `${secret}\n`));
      return { orders };
    });
  } catch (error) {
    rmSync(secretFile, { force: true });
    throw error;
  }
}

/** Whether the directory is empty, except for files of a killed restore. */
export function canRestoreInto(dir: string, databaseFile: string, secretFile: string): boolean {
  if (!existsSync(dir)) return true;
  const draft = draftOf(databaseFile);
  const leftovers = [draft, `${draft}-journal`, draftOf(secretFile), ...(existsSync(draft) ? [secretFile] : [])];
  return readdirSync(dir).every((name) => leftovers.includes(join(dir, name)));
}

function inDatabase<Result>(file: string, work: (database: Sqlite.Database) => Result): Result {
  const database = new Sqlite(file);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function readBackup(copy: Sqlite.Database, file: string) {
  try {
    if (copy.pragma('integrity_check', { simple: true }) !== 'ok') throw new Error('damaged');
    const { version } = copy.prepare('select max(version) as version from schema_migrations').get() as {
      version: number;
    };
    if (version > SCHEMA_VERSION)
      refuseNewer(
        copy
          .prepare('select max(version) as version, coalesce(max(lowest_version), 0) as lowest from schema_migrations')
          .get() as Schema,
      );
    const { secret } = copy.prepare(`select secret from ${SECRET_TABLE}`).get() as { secret: string };
    const { orders } = copy.prepare('select count(*) as orders from orders').get() as { orders: number };
    return { secret, orders };
  } catch (error) {
    if (error instanceof Sqlite.SqliteError || (error as Error).message === 'damaged')
      throw new DomainError('invalid_body', `${file} is not a Store Sales backup, or it is damaged.`);
    throw error;
  }
}
