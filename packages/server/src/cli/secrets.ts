import { writeFileSync } from 'node:fs';
import { loadConfig, newSecretKey, secretFile, secretLines } from '../config.ts';
import { rotateSecrets } from '../db/installation/secret-keys.ts';
import { databaseFile } from '../db/open.ts';
import { requireUnused } from '../db/sqlite/open-sqlite.ts';
import { publishFile } from '../db/sqlite/private-files.ts';
import { DomainError } from '../domain-error.ts';
import { newSecret } from '../webhooks/endpoints/rotate-secret.ts';
import { print } from './output.ts';
import { withDatabase } from './session.ts';

interface Options {
  new?: boolean;
  replaceUnreadable?: boolean;
  json?: boolean;
}

export async function secretsRotate({ new: makeNew, replaceUnreadable, json }: Options) {
  if (makeNew) addKeyToFile();
  await withDatabase(async ({ config, db, now }) =>
    print(await rotateSecrets(db, config.SECRET_KEY, now, replaceUnreadable ? newSecret : undefined), json),
  );
}

/** Adds a new first key to `secret.key`; a running server would not know it. */
function addKeyToFile() {
  const { DATABASE_URL, DATA_DIR, SECRET_KEY, isSecretInFile } = loadConfig();
  if (DATABASE_URL || !isSecretInFile)
    throw new DomainError(
      'invalid_body',
      '--new needs a SQLite database with a secret.key file; here, add the new key at the front of SECRET_KEY.',
    );
  requireUnused(databaseFile(DATA_DIR));
  publishFile(secretFile(DATA_DIR), (draft) => writeFileSync(draft, secretLines([newSecretKey(), ...SECRET_KEY])));
}
