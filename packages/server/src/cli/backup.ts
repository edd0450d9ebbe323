import { existsSync } from 'node:fs';
import { type Config, loadConfig, secretFile, secretLines } from '../config.ts';
import { versionOf } from '../db/migrate.ts';
import { databaseFile, openDatabase } from '../db/open.ts';
import { requireFitting } from '../db/secret-keys.ts';
import { backupTo, canRestoreInto, restoreFrom } from '../db/sqlite/backup.ts';
import { makePrivateDir } from '../db/sqlite/private-files.ts';
import { Refusal } from '../refusal.ts';
import { print } from './output.ts';

type Json = { json?: boolean };

export async function backup(file: string, { json }: Json) {
  const config = loadConfig();
  embeddedOnly(config.DATABASE_URL);
  const source = databaseFile(config.DATA_DIR);
  if (!existsSync(source)) throw new Refusal('not_found', `There is no database in ${config.DATA_DIR}.`);
  await requireFittingKeys(config);
  print({ file, ...backupTo(file, source, secretLines(config.SECRET_KEY).trimEnd()) }, json);
}

export async function restore(file: string, { json }: Json) {
  // A secret of its own would be made if there were none; the backup brings it.
  const config = loadConfig({ SECRET_KEY: 'the backup brings its own' });
  embeddedOnly(config.DATABASE_URL);
  if (!existsSync(file)) throw new Refusal('not_found', `There is no file ${file}.`);
  const target = [databaseFile(config.DATA_DIR), secretFile(config.DATA_DIR)] as const;
  if (!canRestoreInto(config.DATA_DIR, ...target))
    throw new Refusal('name_taken', `${config.DATA_DIR} is not empty; restore needs an empty DATA_DIR.`);
  makePrivateDir(config.DATA_DIR);
  print({ file, ...restoreFrom(file, ...target) }, json);
}

/** A backup with another key than the database's would be of no use. */
async function requireFittingKeys({ DATA_DIR, SECRET_KEY }: Config) {
  const db = openDatabase({ dataDir: DATA_DIR });
  try {
    await requireFitting(db, SECRET_KEY, await versionOf(db));
  } finally {
    await db.close();
  }
}

function embeddedOnly(databaseUrl: string | undefined) {
  if (databaseUrl)
    throw new Refusal(
      'invalid_body',
      'This is for the embedded database; with DATABASE_URL use pg_dump and pg_restore.',
    );
}
