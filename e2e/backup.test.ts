import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@store-sales/server/db/open';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';
import { engine, type TestDatabase, testDatabase } from '../packages/server/test/database.ts';
import { hasClusters, postgresProgram } from './cluster.ts';
import { problemsOf } from './consistency.ts';
import { call, type Env, envOf, json, program, serve, storeSales } from './processes.ts';

const testDb = await testDatabase();
const env = envOf(testDb, { RATE_LIMIT_PER_MINUTE: '0' });
afterAll(() => testDb.drop());

const canLimit = spawnSync('prlimit', ['--fsize=unlimited', 'true']).status === 0;

interface Demo {
  apiKey: string;
  storeId: string;
}

/** Creates and changes orders until the work is done; waits until the first are created. */
async function whileSelling<Result>(env: Env, { apiKey }: Demo, work: () => Promise<Result>): Promise<Result> {
  const node = await serve(env);
  let isDone = false;
  let created = 0;
  const sell = async () => {
    while (!isDone) {
      const items = ['TEA-B-01', 'COF-01'].map((sku, index) => ({ sku, quantity: index + 1 }));
      const customer = { phone: `${created}` };
      const reply = await call(node, apiKey, 'POST', '/api/v1/orders', { items, customer });
      expect(reply.status).toBe(201);
      const edit = { items: [{ id: reply.body.data.items[1].id }, { sku: 'TEA-B-01', quantity: 3 }], discount: 1 };
      for (const change of [{ status: 'packing' }, edit, { paymentStatus: 'paid', status: 'completed' }])
        expect((await call(node, apiKey, 'PATCH', `/api/v1/orders/${reply.body.data.id}`, change)).status).toBe(200);
      created++;
    }
  };
  const sellers = Promise.all(Array.from({ length: 4 }, sell));
  try {
    await expect.poll(() => created, { timeout: 60_000 }).toBeGreaterThan(10);
    return await work();
  } finally {
    isDone = true;
    await sellers;
    await node.stop();
  }
}

/** The restored data is a consistent snapshot, and its keys work. */
async function checkRestored(other: TestDatabase, env: Env, { apiKey }: Demo) {
  const db = openDatabase({ databaseUrl: other.DATABASE_URL, dataDir: other.DATA_DIR });
  expect(await problemsOf(db)).toEqual([]);
  await db.close();
  const node = await serve(env);
  const { status, body } = await call(node, apiKey, 'GET', '/api/v1/orders?limit=1');
  expect([status, body.data.length]).toEqual([200, 1]);
  await node.stop();
  await other.drop();
}

describe.runIf(engine === 'sqlite')('backup and restore', () => {
  test('a backup under load is a consistent snapshot and can be restored elsewhere with its keys', async () => {
    const demo = await json<Demo>(env, ['demo']);
    const file = join(testDb.DATA_DIR, 'backup.db');
    await whileSelling(env, demo, () => json(env, ['backup', file]));
    const other = await testDatabase();
    const there = envOf(other);
    await json(there, ['restore', file]);
    await checkRestored(other, there, demo);
  });

  test('nothing is overwritten, and a file that is not a backup is rejected', async () => {
    const file = join(testDb.DATA_DIR, 'nonsense.db');
    writeFileSync(file, 'not a database');
    expect(await storeSales(env, ['backup', file])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('already exists'),
    });
    expect(await storeSales(env, ['restore', file])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('not empty'),
    });
    const other = await testDatabase();
    expect(await storeSales(envOf(other), ['restore', file])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('not a Store Sales backup'),
    });
    expect(existsSync(join(other.DATA_DIR, 'store-sales.db'))).toBe(false);
    await other.drop();
  });

  test.runIf(canLimit)('on a full disk, both fail with one line and leave no files', async () => {
    const dir = join(testDb.DATA_DIR, 'full');
    const limited = (args: string[], to: Env) =>
      spawnSync('prlimit', ['--fsize=200000', process.execPath, program, ...args], { env: to, encoding: 'utf8' });
    mkdirSync(dir);
    const backup = limited(['backup', join(dir, 'copy.db')], env);
    expect([backup.status, backup.stdout, readdirSync(dir)]).toEqual([4, '', []]);
    expect(backup.stderr).toMatch(/^store-sales: .*\n$/);

    const whole = join(testDb.DATA_DIR, 'whole.db');
    await json(env, ['backup', whole]);
    const restored = limited(['restore', whole], { ...env, DATA_DIR: dir });
    expect([restored.status, restored.stdout, readdirSync(dir)]).toEqual([1, '', []]);
    expect(restored.stderr).toMatch(/^store-sales: .*\n$/);
    await json({ ...env, DATA_DIR: dir }, ['restore', whole]);
  });

  test('killed at any moment, a backup is complete or absent, and a restore is complete or can be repeated', async () => {
    const dir = join(testDb.DATA_DIR, 'killed');
    mkdirSync(dir);
    /** Starts the command and kills it as soon as the directory contains this file. */
    const killAt = async (args: string[], to: Env, inside: string, name: string) => {
      const child = spawn(process.execPath, [program, ...args], { env: to, stdio: 'ignore' });
      const exited = new Promise<void>((resolve) => child.on('exit', () => resolve()));
      while (child.exitCode === null && !existsSync(join(inside, name))) await new Promise(setImmediate);
      child.kill('SIGKILL');
      await exited;
    };
    const file = join(dir, 'copy.db');
    for (const name of ['copy.db.part', 'copy.db.part-journal', 'copy.db']) {
      await killAt(['backup', file], env, dir, name);
      if (existsSync(file)) expect(databaseState(file)).toBe('ok');
      rmSync(file, { force: true });
    }
    await json(env, ['backup', file]);

    for (const name of ['store-sales.db.part', 'store-sales.db.part-journal', 'secret.key.part', 'secret.key']) {
      const other = await testDatabase();
      const there = envOf(other);
      await killAt(['restore', file], there, other.DATA_DIR, name);
      if (!existsSync(join(other.DATA_DIR, 'store-sales.db'))) {
        if (readdirSync(other.DATA_DIR).length)
          expect((await storeSales(there, ['store', 'list'])).stderr).toContain('restore');
        await json(there, ['restore', file]);
      }
      const secrets = [testDb, other].map(({ DATA_DIR }) => readFileSync(join(DATA_DIR, 'secret.key'), 'utf8'));
      expect(secrets[1]).toBe(secrets[0]);
      expect(databaseState(join(other.DATA_DIR, 'store-sales.db'))).toBe('ok');
      await other.drop();
    }
  });
});

function databaseState(file: string) {
  const database = new Sqlite(file, { readonly: true });
  try {
    return database.pragma('integrity_check', { simple: true });
  } finally {
    database.close();
  }
}

test.runIf(engine === 'postgres' && hasClusters)('pg_dump under load is a consistent snapshot too', async () => {
  const demo = await json<Demo>(env, ['demo']);
  const file = join(testDb.DATA_DIR, 'dump');
  await whileSelling(env, demo, async () =>
    postgresProgram('pg_dump', ['-Fc', '-f', file, env.DATABASE_URL as string]),
  );
  const other = await testDatabase();
  await postgresProgram('pg_restore', ['--exit-on-error', '-d', other.DATABASE_URL as string, file]);
  await checkRestored(other, envOf(other), demo);
});

test.runIf(engine === 'postgres')('with PostgreSQL, the backup command refers to pg_dump', async () => {
  expect(await storeSales(env, ['backup', 'x'])).toMatchObject({ code: 3, stderr: expect.stringContaining('pg_dump') });
});
