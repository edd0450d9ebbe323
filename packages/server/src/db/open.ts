import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../refusal.ts';
import type { Database } from './database.ts';
import { openPostgres, type PostgresLimits } from './postgres/open-postgres.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { draftOf } from './sqlite/private-files.ts';

/** Where the embedded database lies. */
export const databaseFile = (dataDir: string) => join(dataDir, 'store-sales.db');

export function openDatabase({
  databaseUrl,
  dataDir,
  limits,
}: {
  databaseUrl?: string | undefined;
  dataDir: string;
  /** Other time limits than usual, for tests. */
  limits?: Partial<PostgresLimits> | undefined;
}): Database {
  if (databaseUrl) return openPostgres(databaseUrl, limits);
  const file = databaseFile(dataDir);
  if (!existsSync(file) && existsSync(draftOf(file)))
    throw new Refusal('unavailable', `A restore into ${dataDir} was interrupted; run store-sales restore again.`);
  return openSqlite(file);
}
