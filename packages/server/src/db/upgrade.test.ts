import { expect, test } from 'vitest';
import { cleanUpAfter } from '../../test/cleanup.ts';
import { engine, testDatabase } from '../../test/database.ts';
import { FIRST_AT, fillFirstSchema, STORE } from '../../test/first-schema.ts';
import { startService } from '../../test/service.ts';
import type { Database } from './database.ts';
import { migrate, SCHEMA_VERSION, versionOf } from './migrate.ts';
import { openDatabase } from './open.ts';
import { sql } from './sql.ts';

/** `MIGRATION_ORDERS=1000000` is the long form. */
const ORDERS = Number(process.env.MIGRATION_ORDERS ?? 3000);
const BATCH = process.env.MIGRATION_ORDERS ? undefined : 100;
const LIMIT_MS = 3_600_000;

async function firstSchema(orders: number) {
  const place = await testDatabase();
  const open = () => {
    const db = openDatabase({ databaseUrl: place.DATABASE_URL, dataDir: place.DATA_DIR });
    cleanUpAfter(() => db.close());
    return db;
  };
  cleanUpAfter(() => place.drop());
  const db = open();
  await fillFirstSchema(db, orders);
  return { place, open, db };
}

const options = BATCH ? { batchSize: BATCH } : {};
const iso = (at: number) => new Date(at).toISOString();

/** The transactions of a migration, with how long each took. */
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

/** Documents that do not begin with exactly one stamp, that of the row. */
const wrongDocuments = async (db: Database) => {
  const stamp = sql`'"updatedAt":"' || ${db.dialect.iso(sql`updated_at`)} || '","id":%'`;
  const row = await db.one<{ count: number }>(
    sql`select count(*) as count from orders where document not like ${stamp}`,
  );
  return Number(row?.count);
};

test(`a database of the first schema with ${ORDERS} orders is upgraded and read over the API`, {
  timeout: LIMIT_MS,
}, async () => {
  const { place, db } = await firstSchema(ORDERS);
  const { db: watched, times } = timed(db);
  const start = performance.now();
  await migrate(watched, options);
  const seconds = (performance.now() - start) / 1000;
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  if (process.env.MIGRATION_ORDERS)
    console.log(
      `${db.dialect.engine}: ${ORDERS} orders upgraded in ${seconds.toFixed(1)} s, ${times.length} transactions, the longest ${Math.max(...times).toFixed(0)} ms, at most ${memory} MB`,
    );
  expect(await versionOf(db)).toBe(SCHEMA_VERSION);
  expect(await wrongDocuments(db)).toBe(0);
  expect(times.length).toBeGreaterThan(ORDERS / (BATCH ?? 2000));

  const service = await startService({ place });
  const key = await service.key(STORE);
  const seen = new Set<string>();
  let cursor = '';
  for (let pages = 0; pages < 40; pages++) {
    const { body } = await service.get(`/api/v1/orders?order=updatedAt:asc&limit=100&with=items${cursor}`, key);
    for (const order of body.data) {
      const n = order.number;
      expect(order).toMatchObject({
        createdAt: iso(FIRST_AT + n),
        updatedAt: iso(FIRST_AT + 2 * n),
        totalAmount: 500,
        notes: 'leave at the "door", \'please\'',
        status: { code: 'new' },
      });
      seen.add(order.id);
    }
    if (!body.page.nextCursor) break;
    cursor = `&cursor=${body.page.nextCursor}`;
  }
  expect(seen.size).toBe(Math.min(ORDERS, 4000));
  const [first] = seen;
  const changed = await service.patch(`/api/v1/orders/${first}`, { notes: 'new' }, key);
  expect(changed.status).toBe(200);
  expect(changed.body.data.notes).toBe('new');
});

test('a migration that is cut off anywhere goes on at the next start', async () => {
  const { db } = await firstSchema(1000);
  for (let allowed = 1; ; allowed += 3) {
    let left = allowed;
    const cutOff: Database = {
      ...db,
      // The transaction is rolled back, as when the process is killed in it.
      script: (work) =>
        db.script(async (exec, tx) => {
          await work(exec, tx);
          if (left-- === 0) throw new Error('cut off');
        }),
    };
    const isDone = await migrate(cutOff, { batchSize: 100 }).then(
      () => true,
      () => false,
    );
    if (isDone) break;
    expect(allowed).toBeLessThan(200);
  }
  expect(await wrongDocuments(db)).toBe(0);
  expect(await migrate(db)).toEqual([]);
});

test('several processes that start at once change every row once and apply every migration once', async () => {
  const { db, open } = await firstSchema(2000);
  const applied = await Promise.all([db, open(), open()].map((each) => migrate(each, { batchSize: 50 })));
  expect(applied.flat()).toHaveLength(SCHEMA_VERSION - 1);
  expect(new Set(applied.flat()).size).toBe(SCHEMA_VERSION - 1);
  expect(await wrongDocuments(db)).toBe(0);
});

test.runIf(engine === 'postgres')('a migration has no time limit, whatever the server sets for others', async () => {
  const place = await testDatabase();
  cleanUpAfter(() => place.drop());
  const url = `${place.DATABASE_URL}?options=${encodeURIComponent('-c statement_timeout=200')}`;
  const db = openDatabase({ databaseUrl: url, dataDir: place.DATA_DIR });
  cleanUpAfter(() => db.close());
  await expect(db.run(sql`select pg_sleep(1)`)).rejects.toThrow('statement timeout');
  // The limit of a connection that serves requests is 60 s.
  const seconds = process.env.MIGRATION_ORDERS ? 65 : 1;
  await db.script((exec) => exec(`select pg_sleep(${seconds})`));
});
