import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { engine, migratedDatabase } from '../packages/server/test/database.ts';
import { insertProducts } from '../packages/server/test/rows.ts';
import { problemsOf } from './consistency.ts';
import { addHook, call, envOf, serve, shop, storeSales } from './processes.ts';
import { hasPgbouncer, pgbouncer } from './proxies.ts';
import { receiver } from './receiver.ts';

const POOL_SIZE = 4;

/** Cleanup functions, run in reverse order. */
const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

/** A test database, reached through PgBouncer. */
async function pooledDatabase(mode: 'transaction' | 'statement') {
  const testDb = await migratedDatabase();
  undo.push(testDb.drop);
  const direct = new URL(testDb.DATABASE_URL as string);
  const pooler = await pgbouncer(Number(direct.port), mode, POOL_SIZE);
  undo.push(pooler.close);
  const url = new URL(direct);
  url.port = String(pooler.port);
  return { ...testDb, DATABASE_URL: url.href };
}

test.runIf(engine === 'postgres' && hasPgbouncer)(
  'through PgBouncer in transaction mode, two nodes share fewer sessions than they have connections',
  async () => {
    const testDb = await pooledDatabase('transaction');
    const env = envOf(testDb, { RATE_LIMIT_PER_MINUTE: '0', WEBHOOK_ALLOW_INTERNAL: 'true' });
    const nodes = [await serve(env), await serve(env)];
    undo.push(...nodes.map(({ kill }) => kill));
    const db = openDatabase({ databaseUrl: testDb.DATABASE_URL, dataDir: testDb.DATA_DIR });
    undo.push(db.close);
    const { key, storeId } = await shop(env);
    await insertProducts(db, storeId, [{ sku: 'P' }]);
    const hooks = await receiver();
    undo.push(hooks.close);
    await addHook(env, storeId, hooks.url);

    const write = async (index: number) => {
      const node = nodes[index % 2] as (typeof nodes)[number];
      const other = nodes[(index + 1) % 2] as (typeof nodes)[number];
      const order = { externalId: `o-${index}`, items: [{ sku: 'P', quantity: 1 }] };
      const created = await call(node, key, 'POST', '/api/v1/orders', order);
      const changed = await call(other, key, 'PATCH', `/api/v1/orders/${created.body.data?.id}`, { status: 'packing' });
      const shown = await call(node, key, 'GET', `/api/v1/orders/${created.body.data?.id}`);
      return [created.status, changed.status, shown.status, shown.body.data?.status.code];
    };
    const results = await Promise.all(Array.from({ length: 100 }, (_, index) => write(index)));
    expect(new Set(results.map(String))).toEqual(new Set([String([201, 200, 200, 'packing'])]));
    expect(await problemsOf(db)).toEqual([]);
    const unfinished = () =>
      db.all(sql`select id from deliveries where store_id = ${storeId} and status <> 'delivered'`);
    await expect.poll(unfinished, { timeout: 60_000 }).toEqual([]);
    expect(new Set(hooks.received.map(({ event }) => event.id)).size).toBe(200);
    expect(await leftBehind(testDb.DATABASE_URL)).toEqual([]);
  },
);

/** Settings and statements that a session of the pooler keeps, which the next program would find there. */
async function leftBehind(url: string) {
  const sessions = Array.from({ length: POOL_SIZE }, () => new pg.Client({ connectionString: url }));
  await Promise.all(sessions.map((session) => session.connect()));
  // A transaction in each at the same time, so that each has a session of its own.
  await Promise.all(sessions.map((session) => session.query('begin')));
  const found = await Promise.all(
    sessions.map((session) =>
      session.query(`select name, setting from pg_settings where source = 'session' and name not in ('application_name', 'transaction_isolation')
                     union all select name, statement from pg_prepared_statements where name not like 'PGBOUNCER%'`),
    ),
  );
  await Promise.all(sessions.map((session) => session.end()));
  return found.flatMap(({ rows }) => rows);
}

test.runIf(engine === 'postgres' && hasPgbouncer)(
  'through PgBouncer in statement mode the service does not start, and says why',
  async () => {
    const env = envOf(await pooledDatabase('statement'));
    const { code, stderr } = await storeSales(env, ['serve']);
    expect([code, stderr]).toEqual([4, expect.stringContaining('pool_mode = transaction')]);
  },
);
