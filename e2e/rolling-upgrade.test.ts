import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Migration,
  migrate,
  OlderNodesAlive,
  released,
  SCHEMA_VERSION,
  versionOf,
} from '@store-sales/server/db/migrate';
import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import { afterAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../packages/server/test/database.ts';
import { fillFirstSchema } from '../packages/server/test/first-schema.ts';
import { dispatch, envOf, json, program, serve, storeSales } from './processes.ts';

async function database() {
  const testDb = await testDatabase();
  const db = openDatabase({ databaseUrl: testDb.DATABASE_URL, dataDir: testDb.DATA_DIR });
  afterAll(async () => {
    await db.close();
    await testDb.drop();
  });
  return { db, env: envOf(testDb) };
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

test('processes killed during a migration lose nothing and apply nothing twice', async () => {
  const { db, env } = await database();
  await fillFirstSchema(db, 20_000);
  for (let wait = 300, round = 0; round < 4; round++, wait += 150) {
    const children = [1, 2].map(() => spawn(process.execPath, [program, 'migrate'], { env, stdio: 'ignore' }));
    const ends = children.map((child) => new Promise((resolve) => child.once('exit', resolve)));
    await sleep(wait);
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(ends);
  }
  await Promise.all([1, 2, 3].map(() => json(env, ['migrate'])));
  expect(await versionOf(db)).toBe(SCHEMA_VERSION);
  const stamp = sql`'{"id":"%Z","updatedAt":"' || ${db.dialect.iso(sql`updated_at`)} || '"'`;
  expect(await db.one(sql`select count(*) as count from orders where document_head not like ${stamp}`)).toEqual({
    count: 0,
  });
});
