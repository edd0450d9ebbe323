import { existsSync } from 'node:fs';
import { findStore } from '../accounts/stores.ts';
import { check } from '../check/check.ts';
import { loadConfig } from '../config.ts';
import { refuseNewer, SCHEMA_VERSION, schemaOf } from '../db/migrations/migrate.ts';
import { databaseFile, openDatabase } from '../db/open.ts';
import { DomainError } from '../domain-error.ts';
import { DAY, HOUR } from '../time/duration.ts';
import { eventsSince } from '../webhooks/events/prune.ts';
import { print, progressBar } from './output.ts';

/** Given to the configuration, which would generate the key of a new installation. */
const NO_SECRET = 'a check decrypts nothing';

/** Without migrations and secrets, as it only reads. */
export async function checkDatabase({ store, json }: { store?: string; json?: boolean }) {
  const config = loadConfig({ SECRET_KEY: NO_SECRET });
  if (!config.DATABASE_URL && !existsSync(databaseFile(config.DATA_DIR)))
    throw new DomainError('not_found', `There is no database in ${config.DATA_DIR}.`);
  const limits = { statementMs: HOUR };
  const db = openDatabase({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR, limits });
  const bar = json ? undefined : progressBar('Checking', 1);
  try {
    const schema = await schemaOf(db);
    refuseNewer(schema);
    if (schema.version < SCHEMA_VERSION)
      throw new DomainError('invalid_body', 'The database has an older schema: run store-sales migrate first.');
    const storeId = store === undefined ? undefined : (await findStore(db, store)).id;
    const scope = {
      storeId,
      // Without what expires while the check runs.
      eventsSince: eventsSince(config, Date.now()) + DAY,
      deliveriesSince: Date.now() - (config.WEBHOOK_LOG_DAYS - 1) * DAY,
    };
    const result = await check(db, scope, (done, total) => {
      bar?.setTotal(total);
      bar?.update(done);
    });
    bar?.stop();
    if (json) print(result, json);
    else {
      print(result.checked, json);
      for (const { store: of, kind, id, message } of result.problems)
        console.log(`${kind} ${id} (store ${of}): ${message}`);
      console.log(countOf(result.problems.length));
    }
    if (result.problems.length) process.exitCode = 1;
  } finally {
    bar?.stop();
    await db.close();
  }
}

const countOf = (problems: number) => (problems === 1 ? '1 problem' : `${problems || 'no'} problems`);
