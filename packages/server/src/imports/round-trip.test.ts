import { expect, test } from 'vitest';
import { solid, uploadTo } from '../../test/pictures.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';

const service = await startService();

async function open() {
  const owner = await signedInOwner(service);
  const { visitor, path } = owner;
  const send = async (list: string, body: string, query = '') => {
    const { text } = await service.send('POST', `/console/api${path}/${list}/import${query}`, {
      headers: {
        origin: service.url,
        'content-type': 'text/csv',
        cookie: [...visitor.jar].map((pair) => pair.join('=')).join('; '),
      },
      rawBody: body,
    });
    return JSON.parse(text.trim().split('\n').at(-1) as string).report;
  };
  const all = async (list: string) => (await visitor.get(`${path}/${list}`)).body.data;
  return { ...owner, send, all };
}
const counts = ({ created, updated, unchanged, rejectedCount }: any) => [created, updated, unchanged, rejectedCount];

test.each([
  ['', 'point'],
  ['?decimal=comma', 'comma'],
])('exported products import again unchanged, also after a change%s', async (query) => {
  const { visitor, path, send, all } = await open();
  for (const name of ['Main', 'Reserve']) await visitor.post(`${path}/warehouses`, { name });
  await visitor.post(`${path}/categories`, { name: 'Tea', externalId: 'tea' });
  const categories = (await visitor.post(`${path}/categories`, { name: 'No external id' })).body;
  const idOf = (name: string) => categories.find((each: any) => each.name === name).id;
  const details = { name: '=SUM(1;2)', description: ' two\n"lines", ; and spaces ', imageUrl: '/a.png' };
  await visitor.post(`${path}/products`, { ...details, sku: '0042', price: 129_990, oldPrice: 150_000 });
  await visitor.post(`${path}/products`, { name: 'B', sku: 'B-1', price: 0, categoryId: idOf('Tea'), isActive: false });
  await visitor.post(`${path}/products`, {
    name: 'C',
    externalId: '1-2',
    price: 5,
    categoryId: idOf('No external id'),
  });
  await send('products', 'sku,stock,stock:reserve\n0042,-3,0\nB-1,,7\n');
  const before = await all('products');

  const file = await visitor.get(`${path}/products/export${query}`);
  expect(file.headers.get('content-disposition')).toContain('products.csv');
  expect(file.text.split('\n')[0]).toMatch(/^\ufeff?externalId[,;]sku[,;].*[,;]stock:main[,;]stock:reserve$/);
  expect(counts(await send('products', file.text, '?prices=units'))).toEqual([0, 0, 3, 0]);
  expect(await all('products')).toEqual(before);
  const changed = file.text.replace('B-1', 'B-9');
  expect(counts(await send('products', changed, '?prices=units'))).toEqual([1, 0, 2, 0]);

  const filtered = await visitor.get(`${path}/products/export?active=false`);
  expect(filtered.text).toContain('B-1');
  expect(filtered.text).not.toContain('0042');
  expect((await visitor.get(`${path}/products/export?active=maybe`)).status).toBe(400);
});

test('an uploaded picture stays apart from the address of another one', async () => {
  const { visitor, path, storeId, send, all } = await open();
  const details = { name: 'A', sku: 'A-1', price: 100, imageUrl: '/a.png' };
  const { id } = (await visitor.post(`${path}/products`, details)).body;
  await uploadTo(service, visitor, storeId, id)(await solid().png().toBuffer());
  const [product] = await all('products');
  expect(product.imageUrl).toMatch(/^\/files\//);
  const { text } = await visitor.get(`${path}/products/export`);
  expect(counts(await send('products', text, '?prices=units'))).toEqual([0, 0, 1, 0]);
  expect(counts(await send('products', text.replace(',A,', ',B,'), '?prices=units'))).toEqual([0, 1, 0, 0]);
  const [picture] = (await visitor.get(`${path}/products/${id}/pictures`)).body;
  await visitor.delete(`${path}/products/${id}/pictures/${picture.id}`);
  expect(await all('products')).toMatchObject([{ name: 'B', imageUrl: '/a.png' }]);
});

test('exported customers import again unchanged', async () => {
  const { visitor, path, send, all } = await open();
  for (const customer of [
    { name: '+Anna', phone: '+7 900 000-00-01', email: 'anna@example.com', externalId: 'c-1' },
    { name: 'Boris', phone: '89000000002' },
    { name: 'No phone', email: 'x@example.com', externalId: '007' },
  ])
    expect((await visitor.post(`${path}/customers`, customer)).status).toBe(201);
  const before = await all('customers');
  const { text } = await visitor.get(`${path}/customers/export`);
  expect(counts(await send('customers', text))).toEqual([0, 0, 3, 0]);
  expect(await all('customers')).toEqual(before);
  expect((await visitor.get(`${path}/customers/export?q=boris`)).text).not.toContain('Anna');
});

test('another store exports nothing of this one', async () => {
  const { path } = await open();
  const { visitor } = await open();
  for (const list of ['products', 'customers']) expect((await visitor.get(`${path}/${list}/export`)).status).toBe(404);
});

test('columns are named in English or in Russian, and answers too', async () => {
  const { send, all, visitor, path } = await open();
  await visitor.post(`${path}/warehouses`, { name: 'Main' });
  const file = 'Артикул;Наименование;Цена;Старая цена;Остаток;Активен\nA;Чай;100;150;4;нет\nB;Чашка;200;;;Да\n';
  expect(counts(await send('products', file))).toEqual([2, 0, 0, 0]);
  const stored = (await all('products')).map((each: any) => [each.sku, each.oldPrice, each.stock, each.isActive]);
  expect(stored.sort()).toEqual([
    ['A', 150, 4, false],
    ['B', null, null, true],
  ]);
  expect(counts(await send('products', 'SKU,Title,Is Active\nA,Tea,yes\n'))).toEqual([0, 1, 0, 0]);
  expect(counts(await send('customers', 'ФИО,Телефон,E-mail\nАнна,+7 900 1,a@example.com\n'))).toEqual([1, 0, 0, 0]);
  expect(counts(await send('categories', 'Внешний ID,Название\ntea,Чай\n'))).toEqual([1, 0, 0, 0]);
});

test('new products are added as inactive when asked for', async () => {
  const { send, all } = await open();
  await send('products', 'sku,name,price\nA,Tea,100\n');
  const file = 'sku,name,price,isActive\nA,Tea,200,true\nB,Cup,100,true\n';
  expect(counts(await send('products', file, '?inactive=true'))).toEqual([1, 1, 0, 0]);
  expect((await all('products')).map((each: any) => [each.sku, each.isActive]).sort()).toEqual([
    ['A', true],
    ['B', false],
  ]);
});
