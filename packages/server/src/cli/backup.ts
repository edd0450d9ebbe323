import { existsSync } from 'node:fs';
import { type Config, loadConfig, secretFile, secretLines } from '../config.ts';
import { requireMatchingKeys } from '../db/installation/secret-keys.ts';
import { databaseFile, openDatabase } from '../db/open.ts';
import { backupTo, canRestoreInto, restoreFrom } from '../db/sqlite/backup.ts';
import { makePrivateDir } from '../db/sqlite/private-files.ts';
import { DomainError } from '../domain-error.ts';
import { print } from './output.ts';

type Json = { json?: boolean };

export async function backup(file: string, { json }: Json) {
  const config = loadConfig();
  embeddedOnly(config.DATABASE_URL);
  const source = databaseFile(config.DATA_DIR);
  if (!existsSync(source)) throw new DomainError('not_found', `There is no database in ${config.DATA_DIR}.`);
  await requireKeysOfDatabase(config);
  print({ file, ...backupTo(file, source, secretLines(config.SECRET_KEY).trimEnd()) }, json);
}

export async function restore(file: string, { json }: Json) {
  // Given, so that no secret.key is generated: the backup contains it.
  const config = loadConfig({ SECRET_KEY: 'contained in the backup' });
  embeddedOnly(config.DATABASE_URL);
  if (!existsSync(file)) throw new DomainError('not_found', `There is no file ${file}.`);
  const target = [databaseFile(config.DATA_DIR), secretFile(config.DATA_DIR)] as const;
  if (!canRestoreInto(config.DATA_DIR, ...target))
    throw new DomainError('name_taken', `${config.DATA_DIR} is not empty; restore needs an empty DATA_DIR.`);
  makePrivateDir(config.DATA_DIR);
  print({ file, ...restoreFrom(file, ...target) }, json);
}

/** A backup with another key would be useless. */
async function requireKeysOfDatabase({ DATA_DIR, SECRET_KEY }: Config) {
  const db = openDatabase({ dataDir: DATA_DIR });
  try {
    await requireMatchingKeys(db, SECRET_KEY);
  } finally {
    await db.close();
  }
}

function embeddedOnly(databaseUrl: string | undefined) {
  if (databaseUrl)
    throw new DomainError('invalid_body', 'This command is for SQLite; with DATABASE_URL, use pg_dump and pg_restore.');
}
