import { expect, test } from 'vitest';
import { addCategory, addProduct } from '../../test/catalog.ts';
import { isCitus } from '../../test/database.ts';
import { plansOf } from '../../test/plan.ts';
import { startService } from '../../test/service.ts';
import { inputValue, openShopWith, shopVisitor } from '../../test/shop-visitor.ts';
import { system } from '../actor.ts';
import { browseCategories, browseProducts, newestProductIds } from '../catalog/browse.ts';
import { changeCategory, createCategory, deleteCategory } from '../catalog/edit-categories.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { enableShop } from './shops.ts';

const service = await startService();
const { db, clock } = service;

const productsOn = (page: string) => [...page.matchAll(/<h2><a [^>]*>([^<]*)</g)].map(([, name]) => name);

/** The products of a page and those that follow it. */
async function walk(first: string) {
  const pages: string[][] = [];
  for (let address: string | undefined = first; address; ) {
    const { text } = await shopVisitor(service).get(address);
    pages.push(productsOn(text) as string[]);
    address = /class="button" href="([^"]+cursor=[^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  return pages;
}

test('a category shows the products of its descendants, newest first, page by page', async () => {
  const { storeId, path } = await openShopWith(service);
  const tea = await addCategory(service, storeId, 'Tea');
  const green = await addCategory(service, storeId, 'Green', tea);
  const sencha = await addCategory(service, storeId, 'Sencha', green);
  const pots = await addCategory(service, storeId, 'Pots');
  const names: string[] = [];
  for (let index = 0; index < 130; index++) {
    const categoryId = [tea, green, sencha][index % 3] as string;
    // Several in one millisecond.
    if (index % 4 === 0) clock.now++;
    await addProduct(service, storeId, { name: `Tea ${index}`, categoryId });
    await addProduct(service, storeId, { name: `Pot ${index}`, categoryId: pots });
    await addProduct(service, storeId, { name: `Old ${index}`, categoryId, isActive: false });
    names.push(`Tea ${index}`);
  }
  const shown = await walk(`${path}?category=${tea}`);
  expect(shown.map(({ length }) => length)).toEqual([60, 60, 10]);
  expect(shown.flat().sort()).toEqual(names.sort());
  expect(Number(shown[0]?.[0]?.slice(4))).toBeGreaterThan(120);
  expect((await walk(`${path}?category=${sencha}`)).flat()).toHaveLength(43);
  expect((await walk(path)).map(({ length }) => length)).toEqual([60, 60, 60, 60, 20]);
  const customer = shopVisitor(service);
  const { text } = await customer.get(`${path}?category=${tea}`);
  expect(text).toContain('>Green</a>');
  expect(text).not.toContain('>Sencha</a>');
  for (const unknown of ['x', storeId]) expect((await customer.get(`${path}?category=${unknown}`)).status).toBe(404);
});

test('a category with hundreds of others below it shows the products of the nearest', async () => {
  const { storeId, path } = await openShopWith(service);
  const parent = await addCategory(service, storeId, 'Tea');
  for (let index = 0; index < 140; index++) {
    const categoryId = await addCategory(service, storeId, `Tea ${index}`, parent);
    await addProduct(service, storeId, { name: `Tea ${index}`, categoryId });
  }
  const shown = (await walk(`${path}?category=${parent}`)).flat();
  expect([shown.length, new Set(shown).size]).toEqual([127, 127]);
  expect((await walk(path)).flat()).toHaveLength(140);
});

test.skipIf(isCitus)('pages of the catalog are read from indexes, whatever its size', async () => {
  const { storeId } = await openShopWith(service);
  const parent = await addCategory(service, storeId, 'A');
  const child = await addCategory(service, storeId, 'B', parent);
  await addCategory(service, storeId, 'C', parent);
  const shop = { storeId, currency: 'RUB' };
  const options = { without: ['seqscan', 'sort', 'bitmapscan', 'hashjoin', 'mergejoin'] };
  const plans = (work: (recording: Queryable) => Promise<unknown>) => plansOf(db, work, options);
  await addProduct(service, storeId, { categoryId: parent });
  const whole = await plans((recording) => browseProducts(recording, service.services, shop, {}));
  expect(whole).toMatch(/products_offered\b/);
  expect(whole).not.toMatch(/TEMP B-TREE|Sort/);
  const single = await plans((recording) => browseProducts(recording, service.services, shop, { category: child }));
  expect(single).toMatch(/products_offered_category/);
  expect(single).not.toMatch(/TEMP B-TREE|Sort/);
  const branch = await plans((recording) => browseProducts(recording, service.services, shop, { category: parent }));
  expect(branch.match(/products_offered_category/g)).toHaveLength(4);
  expect(await plans((recording) => newestProductIds(recording, storeId, 10))).toMatch(/products_offered\b/);
  expect(await plans((recording) => browseCategories(recording, storeId))).toMatch(/categories_parent/);
});

test('a search with a mistyped letter links to what may have been meant, of the products on offer', async () => {
  const { path } = await openShopWith(service, { name: 'Green <tea>' }, { name: 'Black tea', isActive: false });
  const customer = shopVisitor(service);
  const { text } = await customer.get(`${path}?q=gren+t%D0%B5a`);
  expect(text).not.toContain('Did you mean');
  const found = (await customer.get(`${path}?q=gren+tae`)).text;
  expect(found).toContain(`Did you mean: <a href="${path}?q=green+tea">green tea</a>`);
  expect((await customer.get(`${path}?q=green+tea`)).text).not.toContain('Did you mean');
  expect((await customer.get(`${path}?q=blak`)).text).not.toContain('black');
});

test('a search stays in its field, and says when nothing was found', async () => {
  const { path } = await openShopWith(service, { name: 'Green tea' });
  const customer = shopVisitor(service);
  const found = (await customer.get(`${path}?q=green`)).text;
  expect(inputValue(found, 'q')).toBe('green');
  expect(found).not.toContain('Nothing was found');
  const evil = '"><script>alert(1)</script>';
  const { text } = await customer.get(`${path}?q=${encodeURIComponent(evil)}`);
  expect(inputValue(text, 'q')).toBe('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(text).not.toContain('<script>');
  expect(text).toContain('Nothing was found.');
  expect(text).not.toContain('There are no products here.');
  expect(inputValue((await customer.get(path)).text, 'q')).toBe('');
});

test('a changed category is seen at once', async () => {
  const { storeId, path } = await openShopWith(service);
  const edit = { storeId, actor: system, now: clock.now };
  const shown = async () =>
    /<ul class="categories">(.*?)<\/ul>/s.exec((await shopVisitor(service).get(path)).text)?.[1];
  expect(await shown()).toBeUndefined();
  const id = await createCategory(db, { name: 'Tea' }, edit);
  expect(await shown()).toContain('>Tea<');
  await changeCategory(db, id, { name: 'Teas' }, edit);
  expect(await shown()).toContain('>Teas<');
  await deleteCategory(db, id, edit);
  expect(await shown()).toBeUndefined();
});

test('a page is sent again only when it has changed', async () => {
  const { storeId, path, ids } = await openShopWith(service, { name: 'Green tea' });
  const customer = shopVisitor(service);
  for (const address of [path, `${path}/products/${ids[0]}`, `${path}/sitemap.xml`]) {
    const first = await customer.get(address);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const etag = first.headers.get('etag') as string;
    const again = () => customer.get(address, { 'if-none-match': etag });
    expect([(await again()).status, (await again()).text]).toEqual([304, '']);
    if (address !== path) expect((await customer.get(`${address}x`)).status).toBe(404);
  }
  const etag = (await customer.get(path)).headers.get('etag') as string;
  const changed = async () => (await customer.get(path, { 'if-none-match': etag })).status;
  await addProduct(service, storeId, { name: 'Pot' });
  expect(await changed()).toBe(200);
  expect((await customer.get(path)).text).toContain('Pot');
  await customer.post(`${path}/cart`, { product: ids[0] as string, action: 'add' });
  expect((await customer.get(path)).text).toContain('class="badge">1<');
  expect((await shopVisitor(service).get(path)).text).not.toContain('class="badge"');

  clock.now++;
  await db.run(sql`update shops set title = 'Teas', updated_at = ${clock.now} where store_id = ${storeId}`);
  expect((await customer.get(path)).text).toContain('<title>Teas</title>');
  await enableShop(db, storeId, 'moved-teas', clock.now);
  expect([(await customer.get(path)).status, (await customer.get('/shop/moved-teas')).status]).toEqual([404, 200]);
});

test('the sitemap lists what is offered, and nothing else', async () => {
  const { storeId, path, ids } = await openShopWith(service, { name: 'Tea' }, { name: 'Pot' });
  const hidden = await addProduct(service, storeId, { isActive: false });
  const category = await addCategory(service, storeId, 'Teas');
  const { text, headers } = await shopVisitor(service).get(`${path}/sitemap.xml`);
  expect(headers.get('content-type')).toBe('application/xml; charset=utf-8');
  const places = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, place]) => place?.replace(/^http:\/\/[^/]+/, ''));
  const expected = [path, `${path}?category=${category}`, ...ids.map((id) => `${path}/products/${id}`)];
  expect(places.sort()).toEqual(expected.sort());
  expect(text).not.toContain(hidden);
});

test('a product has an address for search engines and messengers', async () => {
  const { storeId, path, ids } = await openShopWith(service, { name: 'Tea "Fine"' });
  await db.run(
    sql`update products set image_url = '/tea.svg', description = ${'Mild\nand green'} where store_id = ${storeId}`,
  );
  const { text } = await shopVisitor(service).get(`${path}/products/${ids[0]}`);
  expect(text).toMatch(new RegExp(`rel="canonical" href="http://[^"]+${path}/products/${ids[0]}"`));
  expect(text).toMatch(/property="og:image" content="http:\/\/[^"]+\/tea\.svg"/);
  expect(text).toContain('name="description" content="Mild and green"');
  expect(text).toContain('property="og:title" content="Tea &quot;Fine&quot;"');
});
