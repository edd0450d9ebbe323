import { expect, test } from 'vitest';
import { type Reads, startService } from '../../test/service.ts';
import { table } from '../../test/tables.ts';
import { system } from '../actor.ts';
import { importProducts, productTable } from '../catalog/import-products.ts';
import { check } from '../check/check.ts';
import { sql } from '../db/sql.ts';
import { resumeChanges } from '../orders/write/resume-changes.ts';
import { changeWarehouse } from '../references/warehouses.ts';

const hooks: Reads = {};
const service = await startService({ reads: hooks });
const { db } = service.services;
const { clock } = service;

/** More than two batches. */
const COUNT = 2 * db.dialect.ordersPerBatch + 50;

/** A store whose products are all in two warehouses: one of each in the first, two in the second. */
async function stocked() {
  const shop = await service.shop();
  const warehouse = async (name: string): Promise<string> => {
    clock.now += 1;
    return (await service.post('/api/v1/references/warehouses', { name }, shop.key)).body.data.id;
  };
  const [first] = [await warehouse('First'), await warehouse('Second')];
  const skus = Array.from({ length: COUNT }, (_, index) => `S${index}`);
  const rows = [...skus.map((sku) => `${sku},Tea,1,1,2`), 'ELSEWHERE,Tea,1,,3', 'UNTRACKED,Tea,1,,'];
  const file = table(productTable, 'sku,name,price,stock,stock:second', ...rows);
  await importProducts(db, shop.storeId, file, { now: () => clock.now });
  const stocks = async () =>
    (
      await db.all<{ stock: number }>(
        sql`select distinct stock from products where store_id = ${shop.storeId} and sku like 'S%' order by stock`,
      )
    ).map(({ stock }) => stock);
  const change = (isActive: boolean) => {
    clock.now += 1000;
    return changeWarehouse(db, shop.storeId, first, { isActive }, system, clock.now);
  };
  const problems = async () =>
    (await check(db, { eventsSince: 0, deliveriesSince: 0, storeId: shop.storeId })).problems;
  const unfinished = () => db.all(sql`select id from unfinished_changes where store_id = ${shop.storeId}`);
  return { ...shop, skus, stocks, change, problems, unfinished };
}

/** Calls `work` before the transaction with this number, from now on. */
function beforeTransaction(number: number, work: () => Promise<unknown>) {
  let count = 0;
  hooks.beforeTransaction = async () => {
    if (++count !== number) return;
    hooks.beforeTransaction = undefined;
    await work();
  };
}

test('is counted in batches, and orders in between are right', async () => {
  const { storeId, key, skus, stocks, change, problems, unfinished } = await stocked();
  const order = (sku: string) => service.post('/api/v1/orders', { items: [{ sku, quantity: 1 }] }, key);
  let between: unknown;
  beforeTransaction(3, async () => {
    between = { stocks: await stocks(), problems: await problems() };
    for (const sku of [skus[0], skus.at(-1)]) expect((await order(sku as string)).status).toBe(201);
  });
  await change(false);
  // The first batch is done, the others are not.
  expect(between).toEqual({ stocks: [2, 3], problems: [] });
  expect(await stocks()).toEqual([1, 2]);
  expect(await unfinished()).toEqual([]);
  await change(true);
  expect(await stocks()).toEqual([2, 3]);
  expect(await problems()).toEqual([]);
  const seqs = await db.one<{ count: number }>(
    sql`select count(distinct seq) as count from products where store_id = ${storeId}`,
  );
  expect(Number(seqs?.count)).toBe(COUNT + 2);
});

test('a change that was cut off is resumed, also if the warehouse was changed back meanwhile', async () => {
  const { stocks, change, problems, unfinished } = await stocked();
  const cutOff = () => Promise.reject(new Error('the process dies'));
  beforeTransaction(3, cutOff);
  await expect(change(false)).rejects.toThrow('dies');
  expect([await stocks(), await problems(), (await unfinished()).length]).toEqual([[2, 3], [], 1]);
  await resumeChanges(service.services);
  expect([await stocks(), await problems(), await unfinished()]).toEqual([[2], [], []]);

  beforeTransaction(3, () => change(false));
  await change(true);
  expect([await stocks(), await problems(), await unfinished()]).toEqual([[2], [], []]);

  beforeTransaction(3, async () => {
    beforeTransaction(3, cutOff);
    await expect(change(false)).rejects.toThrow('dies');
  });
  await change(true);
  expect(await unfinished()).toHaveLength(1);
  await resumeChanges(service.services);
  expect([await stocks(), await problems(), await unfinished()]).toEqual([[2], [], []]);
});

test('what the warehouse does not have is not changed', async () => {
  const { key, change } = await stocked();
  const other = async (sku: string) => (await service.get(`/api/v1/products/${sku}`, key)).body.data;
  const before = [await other('ELSEWHERE'), await other('UNTRACKED')];
  await change(false);
  expect([await other('ELSEWHERE'), await other('UNTRACKED')]).toEqual(before);
  expect(before.map(({ stock }) => stock)).toEqual([3, null]);
});
