import { afterAll, expect, test } from 'vitest';
import { engine, isCitus, testDatabase } from '../../../test/database.ts';
import { migrate } from '../migrations/migrate.ts';
import { openDatabase } from '../open.ts';
import { sql } from '../sql.ts';
import { analyzeGrownTables } from './statistics.ts';

const testDb = await testDatabase();
const db = openDatabase({ databaseUrl: testDb.DATABASE_URL, dataDir: testDb.DATA_DIR });
afterAll(async () => {
  await db.close();
  await testDb.drop();
});

test.runIf(engine === 'postgres' && !isCitus)('tables that change most have settings of their own', async () => {
  await migrate(db);
  const tables = await db.all<{ name: string; options: string }>(
    sql`select relname::text as name, array_to_string(reloptions, ' ') as options from pg_class
        where relnamespace = current_schema()::regnamespace and relkind = 'r' and reloptions is not null`,
  );
  const having = (option: string) => tables.filter(({ options }) => options.includes(option)).map(({ name }) => name);
  expect(having('fillfactor=50').sort()).toEqual([
    'deliveries',
    'file_sizes',
    'locks',
    'request_log_sizes',
    'store_clocks',
  ]);
  // What is pruned from its oldest end, and what is summed up from an index alone.
  const early = ['attempts', 'deliveries', 'events', 'idempotency_keys', 'orders', 'request_log'];
  expect(having('autovacuum_vacuum_scale_factor=0.02').sort()).toEqual(early);
  expect(having('autovacuum_vacuum_insert_scale_factor=0.02')).toEqual(['orders']);
});

test.runIf(engine === 'postgres')('tables are analyzed each time they have grown tenfold', async () => {
  const grow = (rows: number) =>
    db.run(sql`insert into grown select repeat('x', 1000) from generate_series(1, ${rows}::int)`);
  await db.script((exec) => exec('create table grown (text text not null)'));
  await grow(10);
  expect(await analyzeGrownTables(db)).not.toContain('grown');
  await grow(100);
  expect(await analyzeGrownTables(db)).toContain('grown');
  const [{ known } = { known: 0 }] = await db.all<{ known: number }>(
    sql`select reltuples::float8 as known from pg_class where relname = 'grown'`,
  );
  expect(known).toBe(110);
  await grow(500);
  expect(await analyzeGrownTables(db)).toEqual([]);
  await grow(1000);
  expect(await analyzeGrownTables(db)).toEqual(['grown']);
});
