import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadConfig, secretFile, variables } from '../config.ts';
import { copyToPostgres, locationOf } from '../db/installation/copy-to-postgres.ts';
import { checkSecretKeys } from '../db/installation/secret-keys.ts';
import { migrate } from '../db/migrations/migrate.ts';
import { databaseFile, openDatabase } from '../db/open.ts';
import { ConfigError, DomainError } from '../domain-error.ts';
import { keyId } from '../secrets.ts';
import { print, progressBar, UsageError } from './output.ts';
import { reportProgress } from './session.ts';

export async function copy({ to, keep = false, json }: { to: string; keep?: boolean; json?: boolean }) {
  const { DATABASE_URL, DATA_DIR, SECRET_KEY, isSecretInFile } = loadConfig();
  if (DATABASE_URL)
    throw new DomainError('invalid_body', 'copy reads the SQLite database in DATA_DIR: unset DATABASE_URL first.');
  const url = targetUrl(to);
  const file = databaseFile(DATA_DIR);
  if (!existsSync(file)) throw new DomainError('not_found', `There is no database in ${DATA_DIR}.`);
  const db = openDatabase({ dataDir: DATA_DIR });
  try {
    await migrate(db, { onProgress: reportProgress });
    await checkSecretKeys(db, SECRET_KEY, Date.now());
  } finally {
    await db.close();
  }
  const bar = progressBar('Copying', 1);
  try {
    const { copied, lockedMs } = await copyToPostgres({
      file,
      url,
      keep,
      keyIds: SECRET_KEY.map(keyId),
      onProgress(done, total) {
        bar?.setTotal(total);
        bar?.update(done);
      },
    });
    bar?.stop();
    const secretKeyFile = isSecretInFile ? resolve(secretFile(DATA_DIR)) : null;
    const result = { to: locationOf(url), isMoved: !keep, secondsWithoutWrites: Math.round(lockedMs / 100) / 10 };
    if (json) return print({ ...result, copied, secretKeyFile }, json);
    print(
      { ...result, rows: Object.values(copied).reduce((sum, count) => sum + count, 0), orders: copied.orders },
      json,
    );
    console.log(
      `\nOn the new nodes, set DATABASE_URL, and SECRET_KEY to ${secretKeyFile ? `the key in ${secretKeyFile}` : 'the same value as here'}.`,
    );
    console.log(keep ? 'This installation stays in service.' : 'This installation can no longer be served.');
  } finally {
    bar?.stop();
  }
}

function targetUrl(to: string): string {
  try {
    return variables.DATABASE_URL.read(to);
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(`--to ${error.message}`);
    throw error;
  }
}
