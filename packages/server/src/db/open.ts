import { join } from 'node:path';
import type { Database } from './database.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

/** Where the embedded database lies. */
export const databaseFile = (dataDir: string) => join(dataDir, 'store-sales.db');

export const openDatabase = ({
  databaseUrl,
  dataDir,
}: {
  databaseUrl?: string | undefined;
  dataDir: string;
}): Database => (databaseUrl ? openPostgres(databaseUrl) : openSqlite(databaseFile(dataDir)));
