import { hasOwners } from '../accounts/owners.ts';
import { loadConfig } from '../config.ts';
import { migrate, versionOf } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { loadDemo } from '../demo/load.ts';
import { startServing } from '../main.ts';
import { Refusal } from '../refusal.ts';
import { print } from './output.ts';
import { reportProgress, withDatabase } from './session.ts';

type Json = { json?: boolean };

export async function serve({ dispatch, json }: Json & { dispatch: boolean }) {
  const { url, setupUrl } = await startServing(loadConfig(), { http: true, dispatch });
  if (json) return print({ url, ...(setupUrl && { setupUrl }) }, json);
  console.log(`store-sales is ready at ${url}`);
  if (setupUrl) console.log(`No owner yet: make the first one at ${setupUrl}`);
}

export async function dispatch({ json }: Json) {
  await startServing(loadConfig(), { http: false, dispatch: true });
  if (json) print({ dispatching: true }, json);
  else console.log('store-sales is delivering webhooks');
}

export async function migrateOnly({ json }: Json) {
  const config = loadConfig();
  const db = openDatabase({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR });
  try {
    const applied = await migrate(db, { onProgress: reportProgress });
    print({ applied, version: await versionOf(db) }, json);
  } finally {
    await db.close();
  }
}

export const demo = ({ json }: Json) =>
  withDatabase(async ({ db, now }) => {
    if (await hasOwners(db))
      throw new Refusal('name_taken', 'The demo wants an empty database, and this one is in use.');
    print(await loadDemo(db, now), json);
  });
