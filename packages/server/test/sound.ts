import { expect } from 'vitest';
import { check } from '../src/check/check.ts';
import type { Database } from '../src/db/database.ts';
import { SCHEMA_VERSION, versionOf } from '../src/db/migrations/migrate.ts';
import { openDatabase } from '../src/db/open.ts';
import { sql } from '../src/db/sql.ts';
import { MOVED_VERSION } from '../src/db/sqlite/moving.ts';

/** Orders of before need no events: tests insert many with the times of 1970. */
export const EVENTS_SINCE = Date.parse('2020-01-01');

/** Expects that a database breaks no promise, except for kinds of damage that a test does on purpose. */
export async function expectSound(
  db: Database,
  deliveriesSince: number,
  eventsSince = EVENTS_SINCE,
  damages: readonly string[] = [],
) {
  const { problems } = await check(db, { eventsSince: Math.max(EVENTS_SINCE, eventsSince), deliveriesSince });
  expect(problems.filter(({ kind }) => !damages.includes(kind))).toEqual([]);
}

/** The same for a database that other processes have used until now, if it has tables. */
export async function checkDatabase(
  { DATABASE_URL, DATA_DIR }: { DATABASE_URL?: string; DATA_DIR: string },
  damages: readonly string[] | undefined,
) {
  const db = openDatabase({ databaseUrl: DATABASE_URL, dataDir: DATA_DIR });
  try {
    if (await hasTables(db)) await expectSound(db, EVENTS_SINCE, EVENTS_SINCE, damages);
  } finally {
    await db.close();
  }
}

/** Also of a later version, which a test of upgrades has added; not if the installation has moved. */
async function hasTables(db: Database) {
  const tables = await db.all<{ name: string }>(
    db.dialect.engine === 'sqlite'
      ? sql`select name from sqlite_schema where name = 'schema_migrations'`
      : sql`select tablename as name from pg_tables where tablename = 'schema_migrations'`,
  );
  const version = tables.length ? await versionOf(db) : 0;
  return version >= SCHEMA_VERSION && version !== MOVED_VERSION;
}
