import { spawn } from 'node:child_process';
import {
  type Migration,
  migrate,
  OlderNodesAlive,
  released,
  SCHEMA_VERSION,
  versionOf,
} from '@store-sales/server/db/migrations/migrate';
import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import { afterAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../packages/server/test/database.ts';
import { storeWithOrders } from '../packages/server/test/future-schema.ts';
import { startService } from '../packages/server/test/service.ts';
import { dispatch, envOf, serve, storeSales } from './processes.ts';

async function database() {
  const testDb = await testDatabase();
  const db = openDatabase({ databaseUrl: testDb.DATABASE_URL, dataDir: testDb.DATA_DIR });
  afterAll(async () => {
    await db.close();
    await testDb.drop();
  });
  return { db, testDb, env: envOf(testDb) };
}

const additive: Migration = { name: 'additive', statements: () => ['create table added (id integer primary key)'] };
const breaking: Migration = {
  name: 'breaking',
  isBreaking: true,
  statements: () => ['create table broken (id integer primary key)'],
};

describe('running programs and a newer schema', async () => {
  const { db, env } = await database();
  const ready = async ({ url }: { url: string }) => (await fetch(`${url}/readyz`)).status;

  test('an additive migration needs no downtime; a breaking one waits until the processes are stopped', async () => {
    const [node, dispatcher] = [await serve(env, ['--no-dispatch']), await dispatch(env)];
    expect(await migrate(db, { migrations: [...released, additive] })).toEqual(['additive']);
    expect(await ready(node)).toBe(200);
    const restarted = await serve(env);
    expect(await ready(restarted)).toBe(200);
    expect((await restarted.stop()).code).toBe(0);

    const newer = { migrations: [...released, additive, breaking] };
    const rejected = await migrate(db, newer).catch((error) => error);
    expect(rejected).toBeInstanceOf(OlderNodesAlive);
    expect(rejected.message.match(/schema version \d+, seen/g)).toHaveLength(2);
    await Promise.all([node.stop(), dispatcher.stop()]);
    expect(await migrate(db, newer)).toEqual(['breaking']);
    const { code, stderr } = await storeSales(env, ['serve']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('upgrade the program')]);
  });

  test('a process with an outdated schema version stops by itself', async () => {
    await db.run(sql`delete from schema_migrations where version > ${SCHEMA_VERSION}`);
    const node = await serve(env);
    await db.run(
      sql`insert into schema_migrations (version, name, applied_at, lowest_version) values (9999, 'future', 0, 9999)`,
    );
    expect(await ready(node)).toBe(503);
    expect((await node.ended).code).toBe(1);
    expect(await db.all(sql`select id from nodes`)).toEqual([]);
  });
});

/** A program that knows one more version of the schema. */
const upgrade = `
  import { openDatabase } from '@store-sales/server/db/open';
  import { migrate, released } from '@store-sales/server/db/migrations/migrate';
  const batch = () => ({
    table: 'orders', primaryKey: ['store_id', 'id'], set: "notes_length = length(document)", isPending: 'notes_length = 0',
  });
  const db = openDatabase({ databaseUrl: process.env.DATABASE_URL, dataDir: process.env.DATA_DIR });
  await migrate(db, {
    migrations: [
      ...released,
      { name: 'add', statements: () => ['alter table orders add column notes_length integer not null default 0'] },
      { name: 'fill', batch },
    ],
    batchSize: 100,
  });
  await db.close();`;

test('processes killed during a migration lose nothing and apply nothing twice', async () => {
  const { db, env, testDb } = await database();
  await storeWithOrders(await startService({ database: testDb }), 5000);
  const start = () =>
    spawn(process.execPath, ['--input-type=module', '-e', upgrade], { env, cwd: import.meta.dirname, stdio: 'ignore' });
  const exit = (child: ReturnType<typeof start>) =>
    new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const changed = async () =>
    (
      await db
        .one<{ count: number }>(sql`select count(*) as count from orders where notes_length > 0`)
        .catch(() => undefined)
    )?.count ?? 0;
  for (let kills = 0; kills < 4; kills++) {
    const before = await changed();
    const children = [start(), start()];
    const exits = children.map(exit);
    while ((await changed()) <= before && children.every(({ exitCode }) => exitCode === null));
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(exits);
  }
  expect(await Promise.all([start(), start(), start()].map(exit))).toEqual([0, 0, 0]);
  expect(await versionOf(db)).toBe(SCHEMA_VERSION + 2);
  expect(await db.one(sql`select count(*) as count from orders where notes_length <> length(document)`)).toEqual({
    count: 0,
  });
});
