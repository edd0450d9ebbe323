import { expect, test } from 'vitest';
import { cleanUpAfter } from '../../test/cleanup.ts';
import { engine, testDatabase } from '../../test/database.ts';
import { FIRST_AT, fillFirstSchema, STORE } from '../../test/first-schema.ts';
import { startService } from '../../test/service.ts';
import { HOUR } from '../duration.ts';
import type { Database } from './database.ts';
import { migrate, SCHEMA_VERSION, versionOf } from './migrate.ts';
import { openDatabase } from './open.ts';
import { sql } from './sql.ts';

/** Set `MIGRATION_ORDERS=1000000` for a long run. */
const ORDERS = Number(process.env.MIGRATION_ORDERS ?? 3000);
const BATCH = process.env.MIGRATION_ORDERS ? undefined : 100;
const TIMEOUT_MS = HOUR;

async function firstSchema(orders: number) {
  const database = await testDatabase();
  const open = () => {
    const db = openDatabase({ databaseUrl: database.DATABASE_URL, dataDir: database.DATA_DIR });
    cleanUpAfter(() => db.close());
    return db;
  };
  cleanUpAfter(() => database.drop());
  const db = open();
  await fillFirstSchema(db, orders);
  return { database, open, db };
}

const options = BATCH ? { batchSize: BATCH } : {};
const iso = (at: number) => new Date(at).toISOString();

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

/** Documents whose head does not end with exactly one `updatedAt`, equal to that of the row. */
const wrongDocuments = async (db: Database) => {
  const stamp = sql`'{"id":"%Z","updatedAt":"' || ${db.dialect.iso(sql`updated_at`)} || '"'`;
  const row = await db.one<{ count: number }>(
    sql`select count(*) as count from orders where document_head not like ${stamp}`,
  );
  return Number(row?.count);
};

test(`a database of the first schema with ${ORDERS} orders is upgraded and read over the API`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const { database, db } = await firstSchema(ORDERS);
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

  const service = await startService({ database });
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

test('an interrupted migration continues at the next start', async () => {
  const { db } = await firstSchema(1000);
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
    const isDone = await migrate(interrupted, { batchSize: 100 }).then(
      () => true,
      () => false,
    );
    if (isDone) break;
    expect(allowed).toBeLessThan(200);
  }
  expect(await wrongDocuments(db)).toBe(0);
  expect(await migrate(db)).toEqual([]);
});

test('several processes that start together change every row once and apply every migration once', async () => {
  const { db, open } = await firstSchema(2000);
  const applied = await Promise.all([db, open(), open()].map((each) => migrate(each, { batchSize: 50 })));
  expect(applied.flat()).toHaveLength(SCHEMA_VERSION - 1);
  expect(new Set(applied.flat()).size).toBe(SCHEMA_VERSION - 1);
  expect(await wrongDocuments(db)).toBe(0);
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
