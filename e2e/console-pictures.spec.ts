import sharp from 'sharp';
import { alertIn, expect, expectAccessible, expectNotification, test } from './fixtures.ts';

const picture = async (colour: string, width = 600, height = 400) => ({
  name: `${colour}.png`,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer(),
});

test('pictures of a product: added, sorted, deleted, and shown in the list and on the order page', async ({
  page,
  service,
  shop,
}) => {
  const headers = { origin: service.url };
  const api = `/console/api/stores/${shop.storeId}`;
  const created = await page.request.post(`${api}/products`, { headers, data: { name: 'Sencha', price: 89_000 } });
  const { id } = await created.json();
  await page.goto(`/console/stores/${shop.storeId}/catalog/products?product=${id}`);
  const dialog = page.getByRole('dialog').filter({ hasText: 'Edit product' });
  const tiles = dialog.getByRole('list', { name: 'Pictures of the product' }).getByRole('listitem');
  const urls = () => tiles.locator('img').evaluateAll((images) => images.map((image) => image.getAttribute('src')));

  // Typed before the pictures change the version of the product.
  await dialog.getByLabel('Description').fill('Green');
  const [red, green, blue] = [await picture('red'), await picture('green'), await picture('blue')];
  await dialog.getByLabel('Add pictures').last().setInputFiles([red, green]);
  await expect(tiles).toHaveCount(2);
  await expect(tiles.locator('img').first()).toHaveJSProperty('naturalWidth', 480);
  await expect(dialog.getByLabel('Picture from another site')).toHaveCount(0);

  // Pasted.
  await page.evaluate(
    async ([bytes, name]) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes as number[])], name as string, { type: 'image/png' }));
      dispatchEvent(new ClipboardEvent('paste', { clipboardData: data }));
    },
    [[...blue.buffer], blue.name] as const,
  );
  await expect(tiles).toHaveCount(3);
  const [first, second, third] = await urls();

  await dialog.getByRole('button', { name: 'Move picture 3 forward' }).click();
  await expect.poll(urls).toEqual([first, third, second]);
  await tiles.nth(1).dragTo(tiles.nth(0));
  await expect.poll(urls).toEqual([third, first, second]);

  // A file that only says that it is a picture.
  const fake = {
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  };
  await dialog.getByLabel('Add pictures').last().setInputFiles([fake]);
  await expect(alertIn(dialog, 'This is not a PNG, JPEG, WebP or AVIF picture')).toBeVisible();
  await dialog.getByRole('button', { name: 'Dismiss' }).click();
  await expectAccessible(page);

  await dialog.getByRole('button', { name: 'Delete picture 3' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(tiles).toHaveCount(2);

  await expectNotification(page, 'Saved', () => dialog.getByRole('button', { name: 'Save changes' }).click());
  const row = page.getByRole('table', { name: 'Products' }).getByRole('row').nth(1);
  await expect(row.locator('img')).toHaveJSProperty('naturalWidth', 160);
  const stored = await (await page.request.get(`${api}/products/${id}`)).json();
  expect(stored.description).toBe('Green');
});

test('on a phone, a product has a camera, and the order page loads a small size without moving', async ({
  browser,
  page,
  service,
  shop,
}) => {
  const headers = { origin: service.url };
  const api = `/console/api/stores/${shop.storeId}`;
  const { id } = await (
    await page.request.post(`${api}/products`, { headers, data: { name: 'Sencha', price: 89_000 } })
  ).json();
  for (const colour of ['red', 'green'])
    await page.request.post(`${api}/products/${id}/pictures`, {
      headers: { ...headers, 'content-type': 'image/png' },
      data: (await picture(colour, 2000, 1500)).buffer,
    });

  const slug = `phone-${shop.storeId.slice(-12)}`;
  const settings = await (await page.request.get(`${api}/shop`)).json();
  const { url: _url, etag: _etag, delivery: _delivery, payments: _payments, ...rest } = settings;
  const data = { ...rest, slug, isEnabled: true, delivery: [], payments: [] };
  expect((await page.request.put(`${api}/shop`, { headers, data })).status()).toBe(200);

  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  const context = await browser.newContext({ ...phone, storageState: await page.context().storageState() });
  const small = await context.newPage();
  await small.goto(`${service.url}/console/stores/${shop.storeId}/catalog/products?product=${id}`);
  await expect(small.getByRole('button', { name: 'Take a photo' })).toBeVisible();
  await expect(small.getByRole('button', { name: 'Delete picture 2' })).toBeVisible();
  await expectAccessible(small);

  await small.goto(`${service.url}/shop/${slug}`);
  const image = small.locator('.product img');
  await expect(image).toHaveJSProperty('complete', true);
  expect(await image.evaluate((each: HTMLImageElement) => each.currentSrc)).toContain(`/files/${shop.storeId}/`);
  expect(await image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBeLessThanOrEqual(480);
  await small.getByRole('link', { name: 'Sencha' }).click();
  const places = small.locator('.pictures li');
  await expect(places).toHaveCount(2);
  await small.getByRole('link', { name: 'Sencha, 2 / 2' }).click();
  await expect(places.nth(1)).toBeInViewport({ ratio: 0.9 });
  await expect(places.nth(0)).not.toBeInViewport({ ratio: 0.5 });
  await expectAccessible(small);
  await context.close();
});

test('the logo and the cover of the order page', async ({ page, shop }) => {
  await page.goto(`/console/stores/${shop.storeId}/settings/shop`);
  const logo = page.getByRole('region', { name: 'Logo' });
  await logo
    .getByLabel('Choose a picture')
    .last()
    .setInputFiles([await picture('red', 200, 200)]);
  await expect(logo.locator('img')).toHaveJSProperty('naturalWidth', 200);
  const cover = page.getByRole('region', { name: 'Cover' });
  await cover
    .getByLabel('Choose a picture')
    .last()
    .setInputFiles([await picture('blue', 900, 300)]);
  await expect(cover.locator('img')).toBeVisible();
  await expectAccessible(page);
  await logo.getByRole('button', { name: 'Delete the logo' }).click();
  await expect(logo.locator('img')).toHaveCount(0);
});
