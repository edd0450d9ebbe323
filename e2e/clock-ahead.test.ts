import { openDatabase } from '@store-sales/server/db/open';
import { afterAll, expect, test } from 'vitest';
import { engine, migratedDatabase } from '../packages/server/test/database.ts';
import { insertProducts } from '../packages/server/test/rows.ts';
import { follower } from './follower.ts';
import { call, envOf, json, serve, shop, storeSales } from './processes.ts';

/** Less than the lifetime of a key. */
const AHEAD = 300 * 86_400_000;
const testDb = await migratedDatabase();
const env = envOf(testDb, { LOG_LEVEL: 'warn' });
/** The same program with a clock that is far ahead. */
const wrongClock = {
  ...env,
  NODE_OPTIONS: `--import=data:text/javascript,const{now}=Date;Date.now=()=>now.call(Date)+${AHEAD}`,
};
const db = openDatabase({ databaseUrl: testDb.DATABASE_URL, dataDir: testDb.DATA_DIR });
afterAll(async () => {
  await db.close();
  await testDb.drop();
});

test('a node whose clock is 300 days ahead', async () => {
  const node = await serve(env);
  const { key, storeId } = await shop(env);
  await insertProducts(db, storeId, [{ sku: 'P' }]);
  const wrong = await serve(wrongClock);
  const order = { items: [{ sku: 'P', quantity: 1 }] };
  const createdAt = async (at: typeof node) =>
    Date.parse((await call(at, key, 'POST', '/api/v1/orders', order)).body.data.createdAt);
  const metrics = await (await fetch(`${wrong.url}/metrics`)).text();
  const figure = (name: string) => Number(new RegExp(`^store_sales_clock_${name} (.*)$`, 'm').exec(metrics)?.[1]);
  const ahead = async (at: typeof node) => (await createdAt(at)) - Date.now();

  if (engine === 'postgres') {
    expect(Math.abs(await ahead(wrong))).toBeLessThan(120_000);
    expect(Math.abs(await ahead(node))).toBeLessThan(120_000);
    expect(figure('overridden')).toBe(1);
    expect(Math.abs(figure('offset_seconds') - AHEAD / 1000)).toBeLessThan(120);
    // Also with the command line.
    const { stderr } = await storeSales(wrongClock, ['store', 'list']);
    expect(stderr).toContain('correct the clock');
    await node.stop();
    expect((await wrong.stop()).stdout.match(/correct the clock/g)?.length).toBeLessThan(4);
    return;
  }

  // SQLite has no clock of its own: the store stays ahead until it is repaired.
  expect(figure('overridden')).toBe(0);
  expect(await ahead(wrong)).toBeGreaterThan(AHEAD / 2);
  await wrong.stop();
  expect(await ahead(node)).toBeGreaterThan(AHEAD / 2);
  const get = async (query: string) => (await call(node, key, 'GET', `/api/v1/${query}`)).body;
  const client = follower('orders', get);
  await client.catchUp();
  const outcome = await json<any>(env, ['store', 'repair-clock', storeId]);
  expect(outcome).toMatchObject({ id: storeId, wasAhead: true, repaired: { orders: 2 } });
  expect(Math.abs(await ahead(node))).toBeLessThan(120_000);
  await client.catchUp();
  const fresh = follower('orders', get);
  await fresh.catchUp();
  expect(client.records).toEqual(fresh.records);
  expect(client.records.size).toBe(3);
  expect(await json<any>(env, ['store', 'repair-clock', storeId])).toMatchObject({ wasAhead: false });
  await node.stop();
});
