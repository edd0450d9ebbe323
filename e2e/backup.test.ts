import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../packages/server/src/db/open.ts';
import { emptyPlace, engine, type Place } from '../packages/server/test/database.ts';
import { hasClusters, postgresProgram } from './cluster.ts';
import { call, type Env, envOf, json, serve, storeSales } from './processes.ts';
import { faultsOf } from './wholeness.ts';

const place = await emptyPlace();
const env = envOf(place, { RATE_LIMIT_PER_MINUTE: '0' });
afterAll(() => place.drop());

interface Demo {
  apiKey: string;
  storeId: string;
}

/** Takes and changes orders until the work is done, and waits until it has begun. */
async function whileSelling<Result>(env: Env, { apiKey }: Demo, work: () => Promise<Result>): Promise<Result> {
  const node = await serve(env);
  let isOver = false;
  let made = 0;
  const sell = async () => {
    while (!isOver) {
      const items = ['TEA-B-01', 'COF-01'].map((sku, index) => ({ sku, quantity: index + 1 }));
      const customer = { phone: `${made}` };
      const reply = await call(node, apiKey, 'POST', '/api/v1/orders', { items, customer });
      expect(reply.status).toBe(201);
      for (const change of [{ status: 'packing' }, { paymentStatus: 'paid', status: 'completed' }])
        expect((await call(node, apiKey, 'PATCH', `/api/v1/orders/${reply.body.data.id}`, change)).status).toBe(200);
      made++;
    }
  };
  const sellers = Promise.all(Array.from({ length: 4 }, sell));
  try {
    await expect.poll(() => made, { timeout: 60_000 }).toBeGreaterThan(10);
    return await work();
  } finally {
    isOver = true;
    await sellers;
    await node.stop();
  }
}

/** What came back is one moment of the store, and serves with the keys it had. */
async function checkRestored(other: Place, env: Env, { apiKey, storeId }: Demo) {
  const db = openDatabase({ databaseUrl: other.DATABASE_URL, dataDir: other.DATA_DIR });
  expect(await faultsOf(db, storeId)).toEqual([]);
  await db.close();
  const node = await serve(env);
  const { status, body } = await call(node, apiKey, 'GET', '/api/v1/orders?limit=1');
  expect([status, body.data.length]).toEqual([200, 1]);
  await node.stop();
  await other.drop();
}

describe.runIf(engine === 'sqlite')('backup and restore', () => {
  test('a backup under load is one consistent moment, and comes back elsewhere with its keys', async () => {
    const demo = await json<Demo>(env, ['demo']);
    const file = join(place.DATA_DIR, 'backup.db');
    await whileSelling(env, demo, () => json(env, ['backup', file]));
    const other = await emptyPlace();
    const there = envOf(other);
    await json(there, ['restore', file]);
    await checkRestored(other, there, demo);
  });

  test('nothing is overwritten, and what is not a backup is refused', async () => {
    const file = join(place.DATA_DIR, 'nonsense.db');
    writeFileSync(file, 'not a database');
    expect(await storeSales(env, ['backup', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('exists already'),
    });
    expect(await storeSales(env, ['restore', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not empty'),
    });
    const other = await emptyPlace();
    expect(await storeSales(envOf(other), ['restore', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not a backup'),
    });
    expect(existsSync(join(other.DATA_DIR, 'store-sales.db'))).toBe(false);
    await other.drop();
  });
});

test.runIf(engine === 'postgres' && hasClusters)('pg_dump under load is one consistent moment too', async () => {
  const demo = await json<Demo>(env, ['demo']);
  const file = join(place.DATA_DIR, 'dump');
  await whileSelling(env, demo, async () =>
    postgresProgram('pg_dump', ['-Fc', '-f', file, env.DATABASE_URL as string]),
  );
  const other = await emptyPlace();
  await postgresProgram('pg_restore', ['--exit-on-error', '-d', other.DATABASE_URL as string, file]);
  await checkRestored(other, envOf(other), demo);
});

test.runIf(engine === 'postgres')('with PostgreSQL, backups are the business of pg_dump', async () => {
  expect(await storeSales(env, ['backup', 'x'])).toMatchObject({ code: 1, stderr: expect.stringContaining('pg_dump') });
});
