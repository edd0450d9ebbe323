import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../packages/server/test/database.ts';
import { insertProducts } from '../packages/server/test/rows.ts';
import { call, envOf, json, serve, shop, storeSales } from './processes.ts';

const testDb = await testDatabase();
testDb.isChecked = true;
const env = envOf(testDb);
afterAll(() => testDb.drop());

interface Result {
  checked: Record<string, number>;
  problems: { store: string; kind: string; id: string; message: string }[];
}

test('a database is checked while it is served, of all stores or of one', async () => {
  const node = await serve(env);
  const [damaged, other] = [await shop(env), await shop(env)];
  const db = openDatabase({ databaseUrl: testDb.DATABASE_URL, dataDir: testDb.DATA_DIR });
  for (const { storeId } of [damaged, other]) await insertProducts(db, storeId, [{ sku: 'TEA', price: 100 }]);
  const create = async (key: string): Promise<string> =>
    (await call(node, key, 'POST', '/api/v1/orders', { items: [{ sku: 'TEA', quantity: 1 }] })).body.data.id;
  const orderId = await create(damaged.key);
  let isDone = false;
  const writing = (async () => {
    while (!isDone) await create(other.key);
  })();
  try {
    const sound = await json<Result>(env, ['check']);
    expect(sound.problems).toEqual([]);
    expect(sound.checked.orders).toBeGreaterThan(1);
    expect(await json<Result>(env, ['check', '--store', damaged.storeId])).toMatchObject({ checked: { orders: 1 } });
    const plain = await storeSales(env, ['check']);
    expect([plain.code, plain.stderr]).toEqual([0, '']);
    expect(plain.stdout).toMatch(/^orders +\d+$/m);
    expect(plain.stdout).toMatch(/^no problems$/m);

    await db.run(sql`update orders set total_amount = 7 where store_id = ${damaged.storeId}`);
    const found = await storeSales(env, ['check', '--json']);
    expect([found.code, found.stderr]).toEqual([1, '']);
    const problem = { store: damaged.storeId, kind: 'order_document', id: orderId, message: expect.any(String) };
    expect((JSON.parse(found.stdout) as Result).problems).toEqual([problem]);
    const told = await storeSales(env, ['check']);
    expect([told.code, told.stderr]).toEqual([1, '']);
    expect(told.stdout).toContain(`order_document ${orderId} (store ${damaged.storeId}): order 1: `);
    expect(told.stdout).toContain('1 problem\n');
    expect((await storeSales(env, ['check', '--store', other.storeId])).code).toBe(0);
  } finally {
    isDone = true;
    await writing;
    await db.close();
    await node.stop();
  }
});

test.runIf(testDb.DATABASE_URL)('it writes nothing', async () => {
  const url = new URL(testDb.DATABASE_URL as string);
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const { code, stdout } = await storeSales({ ...env, DATABASE_URL: url.href }, ['check', '--json']);
  expect([code, (JSON.parse(stdout) as Result).problems.length]).toEqual([1, 1]);
});

test('it needs no secret key', async () => {
  const { SECRET_KEY, ...rest } = env;
  expect((await storeSales(rest, ['check', '--json'])).code).toBe(1);
});

test('an unknown store, and what it cannot check, are mistakes', async () => {
  for (const id of ['x', '0192f0a0-0000-7000-8000-000000000009']) {
    const { code, stderr } = await storeSales(env, ['check', '--store', id, '--json']);
    expect([code, JSON.parse(stderr)]).toMatchObject([3, { code: 'not_found', message: expect.stringContaining(id) }]);
  }
  const db = openDatabase({ databaseUrl: testDb.DATABASE_URL, dataDir: testDb.DATA_DIR });
  const setVersion = (version: number) =>
    db.run(sql`update schema_migrations set version = ${version}, lowest_version = ${version}`);
  await setVersion(999);
  expect(await storeSales(env, ['check'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('upgrade the program'),
  });
  await setVersion(0);
  expect(await storeSales(env, ['check'])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('store-sales migrate'),
  });
  await db.close();
});

test.skipIf(testDb.DATABASE_URL)('a directory without a database is left as it is', async () => {
  const dir = join(testDb.DATA_DIR, 'none');
  const { code, stderr } = await storeSales({ ...env, DATA_DIR: dir }, ['check']);
  expect([code, stderr]).toEqual([3, expect.stringContaining('There is no database')]);
  expect(existsSync(dir)).toBe(false);
});
