import { distribute } from '../src/db/cluster/distribute.ts';
import { migrate } from '../src/db/migrations/migrate.ts';
import { openDatabase } from '../src/db/open.ts';
import { isCitus, makeTemplate, testDatabase } from './database.ts';

/**
 * On PostgreSQL the migrations of a new database take more than a second. They run once, before all tests; the databases
 * of the tests are copies.
 */
export default async function createTemplate() {
  const database = await testDatabase();
  if (!database.DATABASE_URL) return database.drop;
  const db = openDatabase({ databaseUrl: database.DATABASE_URL, dataDir: database.DATA_DIR });
  await migrate(db);
  if (isCitus) await distribute(db);
  await db.close();
  await makeTemplate(database.DATABASE_URL);
  process.env.TEST_TEMPLATE_DATABASE = new URL(database.DATABASE_URL).pathname.slice(1);
  return database.drop;
}
