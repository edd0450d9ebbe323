import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { browser } from '../../../test/browser.ts';
import { cleanUpAfter } from '../../../test/cleanup.ts';
import { engine, isCitus, migratedDatabase } from '../../../test/database.ts';
import { everyRead } from '../../../test/every-read.ts';
import { startService } from '../../../test/service.ts';
import { loadDemo } from '../../demo/load.ts';
import { openDatabase } from '../open.ts';
import { raw, sql } from '../sql.ts';
import { distribute, NotDistributed, removeLocalRows, requireDistributed } from './distribute.ts';

async function database() {
  const created = await migratedDatabase();
  cleanUpAfter(created.drop);
  const db = openDatabase({ databaseUrl: created.DATABASE_URL, dataDir: created.DATA_DIR });
  cleanUpAfter(() => db.close());
  return { created, db };
}

test.skipIf(isCitus)('a database without Citus is refused', async () => {
  const { db } = await database();
  await expect(distribute(db)).rejects.toThrow(NotDistributed);
});

/** On a plain PostgreSQL, with stand-ins for what Citus has in its place. */
test.runIf(engine === 'postgres' && !isCitus)('rows that were left on the coordinator are removed', async () => {
  const { db } = await database();
  await db.script(async (exec) => {
    await exec('create table distributed (id int primary key)');
    await exec('create table below (id int references distributed (id))');
    await exec('create table empty (id int)');
    await exec('create table local (id int)');
    for (const table of ['distributed', 'below', 'local']) await exec(`insert into ${table} values (1)`);
    await exec('create table pg_dist_partition (logicalrelid regclass, partmethod "char", repmodel "char")');
    await exec(`insert into pg_dist_partition values ('distributed', 'n', 't'), ('below', 'h', 's'), ('empty', 'h', 's'),
                ('local', 'n', 's')`);
    await exec(`create function truncate_local_data_after_distributing_table(regclass) returns void language plpgsql
                as $$ begin execute format('truncate %s cascade', $1); end $$`);
  });
  expect(await removeLocalRows(db)).toEqual(['below', 'distributed']);
  const count = (table: string) => db.one(sql`select count(*) as count from ${raw(table)}`);
  expect(await count('below')).toEqual({ count: 0 });
  expect(await count('distributed')).toEqual({ count: 0 });
  expect(await count('local')).toEqual({ count: 1 });
  expect(await removeLocalRows(db)).toEqual([]);
});

describe.runIf(isCitus)('a cluster', () => {
  test('keeps no rows of before on the coordinator', async () => {
    const { db } = await database();
    await db.script(async (exec) => {
      await exec('create table added (store_id uuid primary key)');
      await exec("insert into added values ('00000000-0000-7000-8000-000000000000')");
    });
    await distribute(db);
    expect(await removeLocalRows(db)).toEqual(['added']);
    expect(await removeLocalRows(db)).toEqual([]);
    expect(await db.one(sql`select count(*) as count from added`)).toEqual({ count: 1 });
  });

  test('has every table but those of the installation on its workers; distributing again changes nothing', async () => {
    const { db } = await database();
    expect(await distribute(db)).toEqual([]);
    const local = await db.all<{ name: string }>(
      sql`select c.relname::text as name from pg_class c
          where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
            and not exists (select from pg_dist_partition p where p.logicalrelid = c.oid) order by 1`,
    );
    expect(local.map(({ name }) => name)).toEqual(['nodes', 'schema_migrations', 'secret_keys']);
  });

  test('with a table that a migration has added is refused until that is distributed too', async () => {
    const { db } = await database();
    await db.script((exec) => exec('create table added (store_id uuid primary key references stores (id))'));
    await expect(requireDistributed(db)).rejects.toThrow('not distributed: added; run store-sales migrate --citus');
    expect(await distribute(db)).toEqual(['added']);
    await requireDistributed(db);
  });

  test('serves every read, and the requests about orders, from one shard each', async () => {
    const { created } = await database();
    const placed = { ...created, drop: async () => {} };
    const loading = await startService({ database: placed });
    const { storeId, apiKey, email, password } = await loadDemo(
      loading.db,
      loading.config.SECRET_KEY,
      loading.clock.now,
    );
    const owner = browser(loading);
    await owner.signIn(email, password);
    await forbidSeveralShards(created.DATABASE_URL as string);

    const service = await startService({ database: placed });
    const visitor = browser(service);
    for (const [name, value] of owner.jar) visitor.jar.set(name, value);
    const failed = Object.entries(await everyRead(service, storeId, apiKey, visitor)).flatMap(([path, { status }]) =>
      // The sessions of an account are found by their tokens, which are anywhere.
      status === 200 || path === '/sessions' ? [] : [`${status} ${path}`],
    );
    expect(failed).toEqual([]);
    const order = {
      items: [{ sku: 'COF-01', quantity: 1 }],
      customer: { name: 'Anna', phone: '+79990000001', email: 'anna@example.com' },
    };
    const made = await service.post('/api/v1/orders', order, apiKey, { 'idempotency-key': 'one' });
    expect(made.status).toBe(201);
    const changed = await service.patch(`/api/v1/orders/${made.body.data.id}`, { notes: 'by noon' }, apiKey);
    expect(changed.status).toBe(200);
  });
});

/** Statements with several tasks fail on connections from here on. */
async function forbidSeveralShards(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const name = new URL(url).pathname.slice(1);
  await client.query(`alter database ${name} set citus.multi_task_query_log_level = 'error'`);
  await client.end();
}
