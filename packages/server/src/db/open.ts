import { join } from 'node:path';
import type { Database } from './database.ts';
import { openPostgres, type PostgresLimits } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

/** Where the embedded database lies. */
export const databaseFile = (dataDir: string) => join(dataDir, 'store-sales.db');

export const openDatabase = ({
  databaseUrl,
  dataDir,
  limits,
}: {
  databaseUrl?: string | undefined;
  dataDir: string;
  /** Other time limits than usual, for tests. */
  limits?: Partial<PostgresLimits> | undefined;
}): Database => (databaseUrl ? openPostgres(databaseUrl, limits) : openSqlite(databaseFile(dataDir)));
