import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DomainError } from '../domain-error.ts';
import type { Database } from './database.ts';
import { openPostgres, type PostgresOptions } from './postgres/open-postgres.ts';
import type { GroupCommitOptions } from './sqlite/group-commit.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { draftOf } from './sqlite/private-files.ts';

/** The file of the embedded database. */
export const databaseFile = (dataDir: string) => join(dataDir, 'store-sales.db');

interface OpenOptions extends PostgresOptions, Pick<GroupCommitOptions, 'yieldToOthers'> {
  /** SQLite in `dataDir` without it. */
  databaseUrl?: string | undefined;
  dataDir: string;
}

export function openDatabase({ databaseUrl, dataDir, yieldToOthers, ...options }: OpenOptions): Database {
  if (databaseUrl) return openPostgres(databaseUrl, options);
  const file = databaseFile(dataDir);
  if (!existsSync(file) && existsSync(draftOf(file)))
    throw new DomainError('unavailable', `A restore into ${dataDir} was interrupted; run store-sales restore again.`);
  return openSqlite(file, yieldToOthers && { yieldToOthers });
}
