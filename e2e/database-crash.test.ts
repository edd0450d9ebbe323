import { sql } from '@store-sales/server/db/sql';
import { expect, test } from 'vitest';
import { cleanUpAfter } from '../packages/server/test/cleanup.ts';
import { engine, testDatabase } from '../packages/server/test/database.ts';
import { startService } from '../packages/server/test/service.ts';
import { webhooksOf } from '../packages/server/test/webhooks.ts';
import { cluster, hasClusters } from './cluster.ts';
import { receiver } from './receiver.ts';

/** Only a database server can crash alone; on SQLite the dispatchers stop with it. */
test.runIf(engine === 'postgres' && hasClusters)(
  'a delivery in flight stays leased after a crash of the database server, so no other dispatcher sends it',
  async () => {
    const testDb = await testDatabase();
    cleanUpAfter(testDb.drop);
    const server = await cluster();
    cleanUpAfter(server.drop);
    const database = { ...testDb, DATABASE_URL: server.url };
    const service = await startService({ database, env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
    const hooks = webhooksOf(service);
    const { url, close } = await receiver(() => new Promise(() => {}));
    const { storeId } = await hooks.endpoint(url);
    await hooks.record(storeId);

    const dispatcher = hooks.dispatcher();
    expect(await dispatcher.cycle()).toMatchObject({ started: 1 });
    await server.kill();
    await server.start();

    const leases = sql`select leased_until_at from deliveries where store_id = ${storeId}`;
    expect(await service.db.all(leases)).toEqual([{ leased_until_at: expect.any(Number) }]);
    await close();
    await dispatcher.close();
  },
);
