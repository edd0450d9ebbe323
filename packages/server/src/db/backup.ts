import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { Refusal } from '../refusal.ts';
import { refuseNewer, SCHEMA_VERSION, type Schema } from './migrate.ts';

/** Holds the secret of the installation inside a backup: one file is enough to come back. */
const SECRET_TABLE = 'backup_secret';

/**
 * Copies the database as it is at one moment, while others go on writing: the copy is made inside one read
 * transaction, and appears under its name only when it is whole and on the disk.
 */
export function backupTo(file: string, databaseFile: string, secretKey: string): { orders: number } {
  if (existsSync(file)) throw new Refusal('name_taken', `${file} exists already.`);
  const draft = `${file}.part`;
  rmSync(draft, { force: true });
  const source = new Sqlite(databaseFile);
  try {
    source.prepare('vacuum into ?').run(draft);
  } finally {
    source.close();
  }
  const copy = new Sqlite(draft);
  try {
    copy.exec(`create table ${SECRET_TABLE} (secret text not null) strict`);
    copy.prepare(`insert into ${SECRET_TABLE} (secret) values (?)`).run(secretKey);
    return copy.prepare('select count(*) as orders from orders').get() as { orders: number };
  } finally {
    copy.close();
    settle(draft, file);
  }
}

/** Puts a backup in the place of a database that is not there yet, and returns the secret that belongs to it. */
export function restoreFrom(file: string, databaseFile: string): { orders: number; secret: string } {
  if (existsSync(databaseFile))
    throw new Refusal('name_taken', `${databaseFile} exists already; restore wants an empty DATA_DIR.`);
  const draft = `${databaseFile}.part`;
  copyFileSync(file, draft);
  try {
    const copy = new Sqlite(draft);
    try {
      const found = examine(copy, file);
      copy.exec(`drop table ${SECRET_TABLE}`);
      return found;
    } finally {
      copy.close();
    }
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    if (existsSync(draft)) settle(draft, databaseFile);
  }
}

function examine(copy: Sqlite.Database, file: string) {
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
      throw new Refusal('invalid_body', `${file} is not a backup of Store Sales, or it is damaged.`);
    throw error;
  }
}

/** On the disk first, then under its name. */
function settle(draft: string, file: string) {
  const handle = openSync(draft, 'r+');
  fsyncSync(handle);
  closeSync(handle);
  renameSync(draft, file);
}
