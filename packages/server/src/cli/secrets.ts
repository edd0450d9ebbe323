import { writeFileSync } from 'node:fs';
import { loadConfig, newSecretKey, secretFile, secretLines } from '../config.ts';
import { databaseFile } from '../db/open.ts';
import { rotateSecrets } from '../db/secret-keys.ts';
import { requireUnused } from '../db/sqlite/open-sqlite.ts';
import { publishFile } from '../db/sqlite/private-files.ts';
import { Refusal } from '../refusal.ts';
import { newSecret } from '../webhooks/endpoints/endpoints.ts';
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

/** Puts a new key in front of those in `secret.key`; a server that runs would not know it. */
function addKeyToFile() {
  const { DATABASE_URL, DATA_DIR, SECRET_KEY, isSecretInFile } = loadConfig();
  if (DATABASE_URL || !isSecretInFile)
    throw new Refusal(
      'invalid_body',
      '--new is for the embedded database with its own secret.key; here, put the new key in front in SECRET_KEY.',
    );
  requireUnused(databaseFile(DATA_DIR));
  publishFile(secretFile(DATA_DIR), (draft) => writeFileSync(draft, secretLines([newSecretKey(), ...SECRET_KEY])));
}
