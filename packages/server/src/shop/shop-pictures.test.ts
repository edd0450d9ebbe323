import { expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { solid, upload, uploadTo } from '../../test/pictures.ts';
import { startService } from '../../test/service.ts';
import { shopVisitor } from '../../test/shop-visitor.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { enableShop } from './shops.ts';

const service = await startService();
const { db, clock } = service;
let serial = 0;

async function shop() {
  const signedIn = await signedInOwner(service);
  const { storeId, visitor } = signedIn;
  const slug = `pictures-${++serial}`;
  await enableShop(db, storeId, slug, clock.now);
  const page = async (path = '') => (await shopVisitor(service).get(`/shop/${slug}${path}`)).text;
  const put = async (place: 'logo' | 'cover', colour: string) =>
    upload(service, visitor, 'PUT', `/stores/${storeId}/shop/${place}`, await solid(500, 200, colour).png().toBuffer());
  return { ...signedIn, slug, page, put };
}

test('the page shows a logo and a cover as soon as they are set, and not when they are removed', async () => {
  const { page, put, visitor, path } = await shop();
  expect(await page()).not.toContain('<img');
  const { body } = await put('logo', '#112233');
  expect(body).toMatchObject({ logo: { files: [{ width: 160 }, { width: 480 }, { width: 500 }] }, cover: null });
  expect(await page()).toContain('class="logo"');
  const cover = (await put('cover', '#445566')).body.cover.files.at(-1).url;
  const text = await page();
  expect(text).toContain(`${cover} 500w`);
  expect(text).toContain(`<meta property="og:image" content="${service.url}${cover}">`);
  expect((await visitor.get(`${path}/shop/pictures`)).body.cover.files.at(-1).url).toBe(cover);

  // Another one replaces it for good.
  await put('cover', '#778899');
  expect((await fetch(service.url + cover)).status).toBe(404);
  for (const place of ['logo', 'cover']) await visitor.delete(`${path}/shop/${place}`);
  expect(await page()).not.toContain('<img');
  expect((await visitor.delete(`${path}/shop/logo`)).body).toEqual({ logo: null, cover: null });
});

test('a list and a product say which sizes there are, and keep the places of the pictures free', async () => {
  const { page, storeId, visitor } = await shop();
  const id = await addProduct(service, storeId, { name: 'Tea <green>' });
  const send = uploadTo(service, visitor, storeId, id);
  await send(await solid(600, 400, '#aa0000').png().toBuffer());
  const [image] = /<img[^>]*>/.exec(await page()) ?? [''];
  expect(image).toMatch(
    /srcset="\S+ 160w, \S+ 480w, \S+ 600w" sizes="[^"]+" width="600" height="400" alt="Tea &lt;green&gt;"/,
  );
  expect(await page(`/products/${id}`)).not.toContain('thumbnails');

  const { body } = await send(await solid(300, 400, '#00aa00').png().toBuffer());
  const details = await page(`/products/${id}`);
  expect(details.match(/<li id="picture-\d"/g)).toHaveLength(2);
  expect(details).toContain('alt="Tea &lt;green&gt;, 2 / 2"');
  expect(details).toContain(`"image":"${service.url}${body.product.imageUrl}"`);
  expect(details).toContain(`<meta property="og:image" content="${service.url}${body.product.imageUrl}">`);
  expect((await page('?q=tea')).match(/<img/g)).toHaveLength(1);
});
