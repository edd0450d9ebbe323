import { openDatabase } from '@store-sales/server/db/open';
import { afterAll, expect, test } from 'vitest';
import { engine, migratedDatabase } from '../packages/server/test/database.ts';
import { insertProducts } from '../packages/server/test/rows.ts';
import { follower } from './follower.ts';
import { call, envOf, type Node, serve, shop, storeSales } from './processes.ts';

const HOUR = 3_600_000;
const testDb = await migratedDatabase();
const env = envOf(testDb, { LOG_LEVEL: 'warn' });
/** The same program with a clock that is an hour ahead. */
const wrongClock = {
  ...env,
  NODE_OPTIONS: `--import=data:text/javascript,const{now}=Date;Date.now=()=>now.call(Date)+${HOUR}`,
};
const db = openDatabase({ databaseUrl: testDb.DATABASE_URL, dataDir: testDb.DATA_DIR });
afterAll(async () => {
  await db.close();
  await testDb.drop();
});

test('a node whose clock is an hour ahead', async () => {
  let node = await serve(env);
  const { key, storeId } = await shop(env);
  await insertProducts(db, storeId, [{ sku: 'P' }]);
  const wrong = await serve(wrongClock);
  const order = { items: [{ sku: 'P', quantity: 1 }] };
  /** Expects `updatedAt` of a new and of a changed order to be ahead by this much. */
  async function expectAhead(at: Node, by: number) {
    const created = (await call(at, key, 'POST', '/api/v1/orders', order)).body.data;
    const changed = (await call(at, key, 'PATCH', `/api/v1/orders/${created.id}`, { notes: 'x' })).body.data;
    for (const { updatedAt } of [created, changed])
      expect(Math.abs(Date.parse(updatedAt) - Date.now() - by)).toBeLessThan(120_000);
  }
  async function figure(at: Node, name: string) {
    const metrics = await (await fetch(`${at.url}/metrics`)).text();
    return Number(new RegExp(`^store_sales_clock_${name} (.*)$`, 'm').exec(metrics)?.[1]);
  }

  if (engine === 'postgres') {
    await expectAhead(wrong, 0);
    await expectAhead(node, 0);
    expect(await figure(wrong, 'overridden')).toBe(1);
    expect(Math.abs((await figure(wrong, 'offset_seconds')) - 3600)).toBeLessThan(120);
    expect(await figure(node, 'ahead_seconds')).toBeLessThan(60);
    // Also with the command line.
    const { stderr } = await storeSales(wrongClock, ['store', 'list']);
    expect(stderr).toContain('correct the clock');
    await node.stop();
    const log = (await wrong.stop()).stdout.match(/ahead of the database server's/g);
    expect(log?.length).toBeGreaterThan(0);
    expect(log?.length).toBeLessThan(4);
    return;
  }

  // SQLite has no clock of its own: the store stays ahead until the present has caught up.
  expect(await figure(wrong, 'overridden')).toBe(0);
  await expectAhead(wrong, HOUR);
  const get = async (query: string) => (await call(node, key, 'GET', `/api/v1/${query}`)).body;
  const client = follower('orders', get);
  await client.catchUp();
  await wrong.stop();
  await node.stop();
  node = await serve(env);
  expect(Math.abs((await figure(node, 'ahead_seconds')) - 3600)).toBeLessThan(120);
  await expectAhead(node, HOUR);
  await client.catchUp();
  const fresh = follower('orders', get);
  await fresh.catchUp();
  expect(client.records).toEqual(fresh.records);
  expect(client.records.size).toBe(2);
  expect((await node.stop()).stdout.match(/times of a store are ahead/g)).toHaveLength(1);
});
