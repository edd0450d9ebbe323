import { writeFileSync } from 'node:fs';
import { openDatabase } from '@store-sales/server/db/open';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../packages/server/test/database.ts';
import { columnsWith } from '../packages/server/test/text-columns.ts';
import { call, envOf, json, serve, shop, storeSales } from './processes.ts';

const testDb = await testDatabase();
const env = envOf(testDb);
afterAll(() => testDb.drop());

test('a customer is exported, and erased while the service runs, with requests that it has not logged yet', async () => {
  const node = await serve(env);
  const { key, storeId } = await shop(env);
  const productFile = `externalId,name,price\ntea,Tea,500\n`;
  writeFileSync(`${testDb.DATA_DIR}/products.csv`, productFile);
  await json(env, ['product', 'import', '--store', storeId, `${testDb.DATA_DIR}/products.csv`]);
  const order = {
    items: [{ externalProductId: 'tea', quantity: 1 }],
    customer: { name: 'Anna', phone: '8 916 555 01 77' },
  };
  const { data } = (await call(node, key, 'POST', '/api/v1/orders', order)).body;
  const { id } = data.customer;

  const { code, stdout } = await storeSales(env, ['customer', 'export', id]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ customer: { id, name: 'Anna' }, orders: [{ id: data.id }] });

  await call(node, key, 'GET', '/api/v1/orders?filter[phone]=%2B7%20916%20555-01-77');
  const erased = await json(env, ['customer', 'erase', id]);
  expect(erased).toEqual({ id, storeId, erasedAt: expect.stringMatching(/Z$/), orders: 1 });
  const db = openDatabase({ databaseUrl: testDb.DATABASE_URL, dataDir: testDb.DATA_DIR });
  expect(await columnsWith(db, (text) => /9165550177/.test(text.replace(/%20|%2B|[\s+()-]/g, '')))).toEqual([]);
  await db.close();
  expect((await call(node, key, 'GET', `/api/v1/orders/${data.id}`)).body.data).toMatchObject({
    number: data.number,
    totalAmount: data.totalAmount,
    customer: { id, name: '', phone: '', email: '' },
  });
  expect(await json(env, ['customer', 'erase', id])).toMatchObject({ id, orders: 0 });
  expect((await node.stop()).code).toBe(0);
});
