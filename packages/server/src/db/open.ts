import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DomainError } from '../domain-error.ts';
import type { Database } from './database.ts';
import { openPostgres, type PostgresOptions } from './postgres/open-postgres.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { draftOf } from './sqlite/private-files.ts';

/** The file of the embedded database. */
export const databaseFile = (dataDir: string) => join(dataDir, 'store-sales.db');

export function openDatabase({
  databaseUrl,
  dataDir,
  ...options
}: PostgresOptions & { databaseUrl?: string | undefined; dataDir: string }): Database {
  if (databaseUrl) return openPostgres(databaseUrl, options);
  const file = databaseFile(dataDir);
  if (!existsSync(file) && existsSync(draftOf(file)))
    throw new DomainError('unavailable', `A restore into ${dataDir} was interrupted; run store-sales restore again.`);
  return openSqlite(file);
}
