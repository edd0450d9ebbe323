import { afterAll, expect, test } from 'vitest';
import { engine, testDatabase } from '../../test/database.ts';
import { openDatabase } from './open.ts';
import { sql } from './sql.ts';
import { analyzeGrownTables } from './statistics.ts';

const testDb = await testDatabase();
const db = openDatabase({ databaseUrl: testDb.DATABASE_URL, dataDir: testDb.DATA_DIR });
afterAll(async () => {
  await db.close();
  await testDb.drop();
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
