import { hasOwners } from '../accounts/owners.ts';
import { loadConfig } from '../config.ts';
import { distribute, removeLocalRows, requireCluster } from '../db/cluster/distribute.ts';
import { migrate, versionOf } from '../db/migrations/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { loadDemo } from '../demo/load.ts';
import { DomainError } from '../domain-error.ts';
import { startServing } from '../main.ts';
import { print } from './output.ts';
import { reportProgress, withServices } from './session.ts';

type Json = { json?: boolean };

export async function serve({ dispatch, json }: Json & { dispatch: boolean }) {
  const { url, setupUrl } = await startServing(loadConfig(), { http: true, dispatch });
  if (json) return print({ url, ...(setupUrl && { setupUrl }) }, json);
  console.log(`store-sales is ready at ${url}`);
  if (setupUrl) console.log(`No owner yet: create the first one at ${setupUrl}`);
}

export async function dispatch({ json }: Json) {
  await startServing(loadConfig(), { http: false, dispatch: true });
  if (json) print({ dispatching: true }, json);
  else console.log('store-sales is delivering webhooks');
}

export async function migrateOnly({ citus, json }: Json & { citus?: boolean }) {
  const config = loadConfig();
  const db = openDatabase({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR });
  try {
    if (citus) await requireCluster(db);
    const applied = await migrate(db, { onProgress: reportProgress });
    const distributed = citus ? { distributed: await distribute(db), emptied: await removeLocalRows(db) } : {};
    print({ applied, version: await versionOf(db), ...distributed }, json);
  } finally {
    await db.close();
  }
}

export const demo = ({ json }: Json) =>
  withServices(async ({ config, db, now }) => {
    if (await hasOwners(db))
      throw new DomainError('name_taken', 'The demo needs an empty database, and this one has data.');
    print(await loadDemo(db, config.SECRET_KEY, now()), json);
  });
