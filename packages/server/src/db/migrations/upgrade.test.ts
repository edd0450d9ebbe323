import { expect, test } from 'vitest';
import { cleanUpAfter } from '../../../test/cleanup.ts';
import { engine, testDatabase } from '../../../test/database.ts';
import { future, storeWithOrders, wrongOrders } from '../../../test/future-schema.ts';
import { startService } from '../../../test/service.ts';
import { HOUR } from '../../time/duration.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../open.ts';
import { sql } from '../sql.ts';
import { migrate, released, versionOf } from './migrate.ts';

/** Set `MIGRATION_ORDERS=1000000` for a long run. */
const ORDERS = Number(process.env.MIGRATION_ORDERS ?? 3000);
const BATCH = process.env.MIGRATION_ORDERS ? undefined : 100;
const TIMEOUT_MS = HOUR;

async function installation(orders: number) {
  const database = await testDatabase();
  cleanUpAfter(() => database.drop());
  const service = await startService({ database });
  const open = () => {
    const db = openDatabase({ databaseUrl: database.DATABASE_URL, dataDir: database.DATA_DIR });
    cleanUpAfter(() => db.close());
    return db;
  };
  return { service, open, db: open(), ...(await storeWithOrders(service, orders)) };
}

const options = { migrations: future, ...(BATCH && { batchSize: BATCH }) };
const added = future.length - released.length;

/** Records the duration of each transaction. */
function timed(db: Database) {
  const times: number[] = [];
  const script: Database['script'] = async (work) => {
    let began = 0;
    await db.script((exec, tx) => {
      began = performance.now();
      return work(exec, tx);
    });
    times.push(performance.now() - began);
  };
  return { db: { ...db, script } as Database, times };
}

test(`a database with ${ORDERS} orders is upgraded while a node of the version before reads and writes`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const { service, db, key } = await installation(ORDERS);
  const { db: watched, times } = timed(db);
  let isDone = false;
  const start = performance.now();
  const upgrading = migrate(watched, options).finally(() => {
    isDone = true;
  });
  const [{ id }] = (await service.get('/api/v1/orders?limit=1', key)).body.data;
  let changes = 0;
  do expect((await service.patch(`/api/v1/orders/${id}`, { notes: `${changes++}` }, key)).status).toBe(200);
  while (!isDone);
  await upgrading;
  const seconds = (performance.now() - start) / 1000;
  if (process.env.MIGRATION_ORDERS)
    console.log(
      `${db.dialect.engine}: ${ORDERS} orders upgraded in ${seconds.toFixed(1)} s, ${times.length} transactions, the longest ${Math.max(...times).toFixed(0)} ms; ${changes} changes meanwhile`,
    );
  expect(await versionOf(db)).toBe(future.length);
  expect(await wrongOrders(db)).toBe(0);
  expect(times.length).toBeGreaterThan(ORDERS / (BATCH ?? 2000));
  const read = await service.get(`/api/v1/orders/${id}`, key);
  expect(read.body.data.notes).toBe(`${changes - 1}`);
});

test('an interrupted migration continues at the next start', async () => {
  const { db } = await installation(1000);
  for (let allowed = 1; ; allowed += 3) {
    let left = allowed;
    const interrupted: Database = {
      ...db,
      // Rolls the transaction back, as if the process were killed.
      script: (work) =>
        db.script(async (exec, tx) => {
          await work(exec, tx);
          if (left-- === 0) throw new Error('interrupted');
        }),
    };
    const isDone = await migrate(interrupted, options).then(
      () => true,
      () => false,
    );
    if (isDone) break;
    expect(allowed).toBeLessThan(200);
  }
  expect(await wrongOrders(db)).toBe(0);
  expect(await migrate(db, options)).toEqual([]);
});

test('several processes that start together change every row once and apply every migration once', async () => {
  const { db, open } = await installation(2000);
  const applied = await Promise.all([db, open(), open()].map((each) => migrate(each, { ...options, batchSize: 50 })));
  expect(applied.flat()).toHaveLength(added);
  expect(new Set(applied.flat()).size).toBe(added);
  expect(await wrongOrders(db)).toBe(0);
});

test.runIf(engine === 'postgres')('a migration has no timeout, even if the server sets one', async () => {
  const database = await testDatabase();
  cleanUpAfter(() => database.drop());
  const url = `${database.DATABASE_URL}?options=${encodeURIComponent('-c statement_timeout=200')}`;
  const db = openDatabase({ databaseUrl: url, dataDir: database.DATA_DIR });
  cleanUpAfter(() => db.close());
  await expect(db.run(sql`select pg_sleep(1)`)).rejects.toThrow('statement timeout');
  // Longer than the 60 s timeout of a connection that serves requests.
  const seconds = process.env.MIGRATION_ORDERS ? 65 : 1;
  await db.script((exec) => exec(`select pg_sleep(${seconds})`));
});
