import { expect, test } from 'vitest';
import { addCategory, addProduct } from '../../test/catalog.ts';
import { startService } from '../../test/service.ts';
import { openShopWith, shopVisitor } from '../../test/shop-visitor.ts';
import { sql } from '../db/sql.ts';
import { disableShop, enableShop, switchFeeds } from './shops.ts';

const service = await startService();
const { db, clock } = service;
const visitor = shopVisitor(service);

/** The texts of an element, in order. */
const texts = (xml: string, element: string) =>
  [...xml.matchAll(new RegExp(`<${element}(?: [^>]*)?>([^<]*)</${element}>`, 'g'))].map(([, text]) => text);

/** A store with an open page and feeds. */
async function fedShop(...products: Parameters<typeof addProduct>[2][]) {
  const shop = await openShopWith(service, ...products);
  await switchFeeds(db, shop.storeId, true, clock.now);
  const read = async (name: 'yml' | 'google', headers?: Record<string, string>) =>
    visitor.get(`${shop.path}/feeds/${name}.xml`, headers);
  return { ...shop, read };
}

test('feeds exist while the owner offers them, and the page is open', async () => {
  const { storeId, slug, path, read } = await fedShop({ name: 'Tea' });
  const statuses = async () => [(await read('yml')).status, (await read('google')).status];
  expect(await statuses()).toEqual([200, 200]);
  expect((await visitor.get(`${path}/feeds/other.xml`)).status).toBe(404);
  await switchFeeds(db, storeId, false, clock.now);
  expect(await statuses()).toEqual([404, 404]);
  await switchFeeds(db, storeId, true, clock.now);
  await disableShop(db, storeId, clock.now);
  expect(await statuses()).toEqual([404, 404]);
  await enableShop(db, storeId, slug, clock.now);
  expect(await statuses()).toEqual([200, 200]);
  const other = await openShopWith(service, { name: 'Pot' });
  expect((await visitor.get(`${other.path}/feeds/yml.xml`)).status).toBe(404);
});

test('every active product is in both feeds, with its price, availability, category and addresses', async () => {
  const { storeId, path, ids, read } = await fedShop({ name: 'Tea & <Cream>\u0001 "1"', sku: 'T-1', price: 12_305 });
  const teas = await addCategory(service, storeId, 'Teas');
  const green = await addCategory(service, storeId, 'Green', teas);
  const sencha = await addProduct(service, storeId, { name: 'Sencha', categoryId: green, price: 99_900 });
  await addProduct(service, storeId, { name: 'Old', isActive: false });
  await db.run(
    sql`update products set image_url = 'https://pictures.example/a?b=1&c=2', description = ${'Fine]]>\nand green'}
        where store_id = ${storeId} and id = ${sencha}`,
  );
  const yml = await read('yml');
  expect(yml.headers.get('content-type')).toBe('application/xml; charset=utf-8');
  expect(texts(yml.text, 'name').slice(1)).toEqual(['Sencha', 'Tea &amp; &lt;Cream&gt; &quot;1&quot;']);
  expect(texts(yml.text, 'price')).toEqual(['999.00', '123.05']);
  expect(texts(yml.text, 'url').slice(1)).toEqual([sencha, ids[0]].map((id) => `${service.url}${path}/products/${id}`));
  expect(texts(yml.text, 'picture')).toEqual(['https://pictures.example/a?b=1&amp;c=2']);
  expect(texts(yml.text, 'description')).toEqual(['Fine]]&gt;\nand green']);
  expect(texts(yml.text, 'vendorCode')).toEqual(['T-1']);
  const categories = [...yml.text.matchAll(/<category id="(\d{1,18})"(?: parentId="(\d+)")?>([^<]*)</g)];
  expect(categories.map(([, , , name]) => name).slice(1)).toEqual(['Teas', 'Green']);
  expect(categories[2]?.[2]).toBe(categories[1]?.[1]);
  expect(texts(yml.text, 'categoryId')).toEqual([categories[2]?.[1], categories[0]?.[1]]);
  const offers = [...yml.text.matchAll(/<offer id="([0-9a-f]{1,20})" available="(\w+)">/g)];
  expect(offers.map(([, , available]) => available)).toEqual(['true', 'true']);

  const { text } = await read('google');
  expect(texts(text, 'g:id')).toEqual([sencha, ids[0]]);
  expect(texts(text, 'g:title')).toEqual(['Sencha', 'Tea &amp; &lt;Cream&gt; &quot;1&quot;']);
  expect(texts(text, 'g:price')).toEqual(['999.00 RUB', '123.05 RUB']);
  expect(texts(text, 'g:availability')).toEqual(['in_stock', 'in_stock']);
  expect(texts(text, 'g:product_type')).toEqual(['Teas &gt; Green']);
});

test('a sold out product says so, in the feeds and to search engines', async () => {
  const { key, path, ids, read } = await fedShop({ name: 'Tea </script>' }, { name: 'Pot' });
  await service.post('/api/v1/references/warehouses', { name: 'First' }, key);
  const stock = { lines: [{ productId: ids[0], quantity: 0 }] };
  expect((await service.post('/api/v1/stock', stock, key)).status).toBe(200);
  expect([...(await read('yml')).text.matchAll(/available="(\w+)"/g)].map(([, is]) => is).sort()).toEqual([
    'false',
    'true',
  ]);
  expect(texts((await read('google')).text, 'g:availability').sort()).toEqual(['in_stock', 'out_of_stock']);
  const { text } = await visitor.get(`${path}/products/${ids[0]}`);
  const data = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  expect(data).toHaveLength(1);
  expect(JSON.parse(data[0]?.[1] ?? '')).toMatchObject({
    '@type': 'Product',
    name: 'Tea </script>',
    offers: {
      price: '150.00',
      priceCurrency: 'RUB',
      availability: 'https://schema.org/OutOfStock',
      url: `${service.url}${path}/products/${ids[0]}`,
    },
  });
  expect(text).not.toContain('itemprop');
});

test('a reduced price is told with the one before', async () => {
  const { storeId, read } = await fedShop({ name: 'Tea', price: 10_000 });
  await db.run(sql`update products set old_price = 12500 where store_id = ${storeId}`);
  const yml = (await read('yml')).text;
  expect([texts(yml, 'price'), texts(yml, 'oldprice')]).toEqual([['100.00'], ['125.00']]);
  const google = (await read('google')).text;
  expect([texts(google, 'g:price'), texts(google, 'g:sale_price')]).toEqual([['125.00 RUB'], ['100.00 RUB']]);
});

test('a feed follows the catalog, and is not sent again while it is the same', async () => {
  const { storeId, read } = await fedShop({ name: 'Tea' });
  const first = await read('yml');
  const since = { 'if-none-match': first.headers.get('etag') as string };
  expect([(await read('yml', since)).status, (await read('yml', since)).text]).toEqual([304, '']);
  await addProduct(service, storeId, { name: 'Pot' });
  const second = await read('yml', since);
  expect(texts(second.text, 'name')).toContain('Pot');
});

test('a catalog of several pieces is complete, and few feeds of a shop are sent at once', async () => {
  const { storeId, slug, read } = await fedShop();
  const names = Array.from({ length: 600 }, (_, index) => `Tea ${index}`);
  for (const [index, name] of names.entries()) {
    if (index % 7 === 0) clock.now++;
    await addProduct(service, storeId, { name });
  }
  expect(texts((await read('google')).text, 'g:title').sort()).toEqual(names.sort());
  const many = await Promise.all(Array.from({ length: 12 }, () => read('yml')));
  const statuses = new Set(many.map(({ status }) => status));
  expect([...statuses].every((status) => status === 200 || status === 429)).toBe(true);
  for (const { status, text } of many) if (status === 200) expect(texts(text, 'name')).toHaveLength(601);
  expect((await visitor.get(`/shop/${slug}/feeds/yml.xml`)).status).toBe(200);
});

test('robots.txt names the sitemaps of open pages', async () => {
  const { storeId, path } = await openShopWith(service, { name: 'Tea' });
  clock.now += 60_000;
  const sitemap = `Sitemap: ${service.url}${path}/sitemap.xml`;
  const robots = async () => (await (await fetch(`${service.url}/robots.txt`)).text()).split('\n');
  expect(await robots()).toContain(sitemap);
  await disableShop(db, storeId, clock.now);
  clock.now += 60_000;
  expect(await robots()).not.toContain(sitemap);
});
