// The service as a process of its own, from the built packages; told by the environment, as in production.
import { pino } from 'pino';
import { setupPath } from '../packages/server/dist/accounts/setup.js';
import { loadConfig } from '../packages/server/dist/config.js';
import { migrate } from '../packages/server/dist/db/migrate.js';
import { openDatabase } from '../packages/server/dist/db/open.js';
import { buildApp } from '../packages/server/dist/http/app.js';
import { servicesFor } from '../packages/server/dist/services.js';

const config = loadConfig();
const db = openDatabase({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR });
await migrate(db);
const services = servicesFor(config, db, pino({ level: 'error' }, pino.destination(2)));
const app = await buildApp(services);
const url = await app.listen({ port: config.PORT, host: config.HOST });
process.stdout.write(`${JSON.stringify({ url, setupPath: setupPath(services) })}\n`);

process.on('SIGTERM', async () => {
  await app.close();
  await db.close();
});
