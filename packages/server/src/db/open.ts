import { join } from 'node:path';
import type { Database } from './database.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

/** Where the embedded database lies. */
export const databaseFile = (dataDir: string) => join(dataDir, 'store-sales.db');

export const openDatabase = ({
  databaseUrl,
  dataDir,
  isMapped,
}: {
  databaseUrl?: string | undefined;
  dataDir: string;
  /** Whether an embedded database is read through memory: fast for who stays, and counted as memory of the process. */
  isMapped?: boolean;
}): Database =>
  databaseUrl
    ? openPostgres(databaseUrl)
    : openSqlite(databaseFile(dataDir), isMapped === undefined ? {} : { isMapped });
