import { expect, test } from 'vitest';
import { startService } from '../../test/service.ts';
import { openShopWith, shopVisitor } from '../../test/shop-visitor.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { table } from '../../test/tables.ts';
import { PriceScan, scanPrices } from '../imports/prices.ts';
import { importProducts, productTable } from './import-products.ts';

const service = await startService();
const { db, clock } = service;
const now = () => clock.now;

test('the price before a reduction is set, changed and cleared in the console, and shown by the API', async () => {
  const { storeId, visitor, path } = await signedInOwner(service);
  const key = await service.key(storeId);
  const created = (await visitor.post(`${path}/products`, { name: 'Tea', sku: 'T', price: 100, oldPrice: 150 })).body;
  expect(created.oldPrice).toBe(150);
  const shown = async () => {
    const { body } = await service.get('/api/v1/products', key);
    expect((await service.get('/api/v1/products/T', key)).body.data).toEqual(body.data[0]);
    return body.data[0].oldPrice;
  };
  expect(await shown()).toBe(150);
  const change = async (body: object) => (await visitor.patch(`${path}/products/${created.id}`, body)).body.oldPrice;
  expect([await change({ price: 90 }), await change({ oldPrice: 200 }), await change({ oldPrice: 0 })]).toEqual([
    150,
    200,
    null,
  ]);
  expect(await shown()).toBeNull();
  expect((await visitor.patch(`${path}/products/${created.id}`, { oldPrice: -1 })).status).toBe(422);
  const { entries } = (await visitor.get(`${path}/history?kind=catalog`)).body;
  expect(entries.map(({ details }: any) => details.oldPrice).filter(Boolean)).toEqual([
    [200, null],
    [150, 200],
  ]);
});

test('is a column of the import: missing it stays, empty or 0 it is cleared', async () => {
  const { storeId, key } = await service.shop();
  const load = async (...lines: string[]) => {
    const report = await importProducts(db, storeId, table(productTable, ...lines), { now });
    return [report.created, report.updated, report.unchanged];
  };
  const oldPrices = async () =>
    (await service.get('/api/v1/products?order=createdAt:asc', key)).body.data.map((each: any) => each.oldPrice);
  expect(await load('sku,name,price,oldPrice', 'A,Tea,100,150', 'B,Cup,100,', 'C,Pot,100,0')).toEqual([3, 0, 0]);
  expect(await oldPrices()).toEqual([150, null, null]);
  expect(await load('sku,price', 'A,100')).toEqual([0, 0, 1]);
  expect(await load('sku,oldPrice', 'A,', 'B,300', 'C,')).toEqual([0, 2, 1]);
  expect(await oldPrices()).toEqual([null, 300, null]);
  const report = await importProducts(db, storeId, table(productTable, 'sku,oldPrice', 'A,cheap'), { now });
  expect(report.rejected).toMatchObject([{ column: 'oldPrice', code: 'not_kopecks' }]);
});

test('tells how the prices of a file are written, too', () => {
  const scan = new PriceScan('units');
  scanPrices(scan, { price: '1,299', oldPrice: '1.500,50' });
  expect(scan.format()).toEqual({ unit: 'units', decimal: ',' });
});

test('the order page shows it struck through while it is above the price', async () => {
  const { path, storeId, ids } = await openShopWith(service, { sku: 'A', price: 10_000 }, { sku: 'B', price: 10_000 });
  await importProducts(db, storeId, table(productTable, 'sku,oldPrice', 'A,15000', 'B,9000'), { now });
  const page = async (at: string) => (await shopVisitor(service).get(path + at)).text;
  for (const at of ['', `/products/${ids[0]}`]) expect((await page(at)).match(/<del>.*150.*<\/del>/g)).toHaveLength(1);
  expect(await page(`/products/${ids[1]}`)).not.toContain('<del>');
});
