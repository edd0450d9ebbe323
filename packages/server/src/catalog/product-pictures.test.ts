import sharp from 'sharp';
import { expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { signedInMember } from '../../test/member.ts';
import { solid, uploadTo } from '../../test/pictures.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { sql } from '../db/sql.ts';

const service = await startService();
const { db } = service;

/** A product, and what its owner does with its pictures. */
async function product() {
  const signedIn = await signedInOwner(service);
  const { storeId, visitor } = signedIn;
  const id = await addProduct(service, storeId);
  const path = `/stores/${storeId}/products/${id}/pictures`;
  const key = await service.key(storeId);
  const send = uploadTo(service, visitor, storeId, id);
  return {
    ...signedIn,
    id,
    path,
    key,
    send,
    add: async (colour: string) => (await send(await solid(40, 30, colour).png().toBuffer())).body.pictures.at(-1),
    read: async () => (await service.get(`/api/v1/products/${id}`, key)).body.data,
  };
}

const fetchFile = (path: string, init?: RequestInit) => fetch(service.url + path, init);
const filesOf = (storeId: string) => db.all<{ hash: string }>(sql`select hash from files where store_id = ${storeId}`);
const colours = ['#112233', '#445566', '#778899', '#aabbcc'] as const;

test('a photo is stored upright, without its metadata, in the sizes of pages', async () => {
  const { send, storeId, read } = await product();
  // On its side, as phones store it.
  const photo = await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#cc8844' } })
    .withMetadata({ orientation: 6 })
    .withExif({ IFD0: { Copyright: 'a secret place' } })
    .jpeg()
    .toBuffer();
  expect(photo.includes('a secret place')).toBe(true);
  const { status, body } = await send(photo, 'image/jpeg');
  expect(status).toBe(201);
  const [{ files }] = body.pictures;
  expect(files.map(({ width, height }: { width: number; height: number }) => [width, height])).toEqual([
    [160, 213],
    [480, 640],
    [900, 1200],
  ]);
  for (const { url, width, height } of files) {
    const response = await fetchFile(url);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const { exif, orientation, ...found } = await sharp(bytes).metadata();
    expect([found.format, found.width, found.height, exif, orientation]).toEqual([
      ...['webp', width, height, undefined, undefined],
    ]);
    const again = await fetchFile(url, { headers: { 'if-none-match': response.headers.get('etag') as string } });
    expect(again.status).toBe(304);
  }
  expect((await read()).imageUrl).toBe(files.at(-1).url);
  expect(files[0].url).toContain(`/files/${storeId}/`);
});

test.each(['png', 'webp', 'avif', 'jpeg'] as const)('a transparent %s is stored', async (type) => {
  const { send } = await product();
  const bytes = await sharp({ create: { width: 50, height: 20, channels: 4, background: '#cc884480' } })
    .toFormat(type)
    .toBuffer();
  const { status, body } = await send(bytes, `image/${type}`);
  expect([status, body.pictures?.[0].files]).toMatchObject([201, [{ width: 50, height: 20 }]]);
});

test('a very high picture keeps its form, within twice the width of the largest size', async () => {
  const { send } = await product();
  const { body } = await send(await solid(1000, 16_000).png().toBuffer());
  expect(body.pictures[0].files.at(-1)).toMatchObject({ width: 200, height: 3200 });
});

test('the first picture is the one of the product, and clients learn when it changes', async () => {
  const { add, read, visitor, path, id, storeId } = await product();
  await visitor.patch(`/stores/${storeId}/products/${id}`, { imageUrl: 'https://example.test/tea.jpg' });
  const before = await read();
  service.clock.now += 1000;
  const [first, second] = [await add(colours[0]), await add(colours[1])];
  expect(await read()).toMatchObject({ imageUrl: first.files[0].url });
  expect((await read()).updatedAt > before.updatedAt).toBe(true);

  const arranged = await visitor.put(path, { ids: [second.id, first.id] });
  expect(arranged.body).toMatchObject({
    product: { imageUrl: second.files[0].url },
    pictures: [{ id: second.id }, { id: first.id }],
  });
  expect((await visitor.get(path)).body).toEqual(arranged.body.pictures);

  for (const { id: pictureId } of [second, first]) await visitor.delete(`${path}/${pictureId}`);
  // What was set before there were any.
  expect(await read()).toMatchObject({ imageUrl: 'https://example.test/tea.jpg' });
  const { entries } = (await visitor.get(`/stores/${storeId}/history?kind=catalog`)).body;
  expect(entries.map(({ details }: { details: object }) => Object.keys(details).sort().join())).toContain(
    'imageUrl,pictures',
  );
});

test('the list of products has a small size of the first picture', async () => {
  const { send, storeId, visitor } = await product();
  const elsewhere = { name: 'Pot', price: 1, imageUrl: 'https://example.test/pot.jpg' };
  await visitor.post(`/stores/${storeId}/products`, elsewhere);
  const [{ files }] = (await send(await solid(900, 600).png().toBuffer())).body.pictures;
  const { data } = (await visitor.get(`/stores/${storeId}/products?sort=name:desc`)).body;
  expect(data).toMatchObject([
    { imageUrl: files.at(-1).url, thumbnailUrl: files[0].url },
    { imageUrl: elsewhere.imageUrl, thumbnailUrl: elsewhere.imageUrl },
  ]);
});

test('an installation can do without pictures', async () => {
  const without = await startService({ env: { FILES_MB_PER_STORE: '0' } });
  const { storeId, visitor } = await signedInOwner(without);
  const id = await addProduct(without, storeId);
  const { status, body } = await uploadTo(without, visitor, storeId, id)(await solid().png().toBuffer());
  expect([status, body.detail]).toEqual([409, 'This installation stores no pictures.']);
});

test('a deleted picture is gone, unless another product shows the same one', async () => {
  const { add, visitor, path, storeId } = await product();
  const [picture] = [await add(colours[0])];
  const otherId = await addProduct(service, storeId);
  const other = uploadTo(service, visitor, storeId, otherId);
  const { body } = await other(await solid(40, 30, colours[0]).png().toBuffer());
  const [{ url }] = picture.files;
  expect(body.pictures[0].files[0].url).toBe(url);
  expect(await filesOf(storeId)).toHaveLength(1);

  await visitor.delete(`${path}/${picture.id}`);
  expect((await fetchFile(url)).status).toBe(200);
  await visitor.delete(`/stores/${storeId}/products/${otherId}/pictures/${body.pictures[0].id}`);
  expect((await fetchFile(url)).status).toBe(404);
  expect(await filesOf(storeId)).toEqual([]);
  // Deleted twice.
  expect((await visitor.delete(`${path}/${picture.id}`)).status).toBe(200);
});

test('the same picture is added to a product once', async () => {
  const { add, path, visitor } = await product();
  const first = await add(colours[0]);
  expect(await add(colours[0])).toEqual(first);
  expect((await visitor.get(path)).body).toHaveLength(1);
});

test('a product has ten pictures, also when many come at once', async () => {
  const { add, send, visitor, path } = await product();
  for (let index = 0; index < 8; index++) await add(`#0000${index}0`);
  const replies = await Promise.all(colours.map(async (colour) => send(await solid(40, 30, colour).png().toBuffer())));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
  expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'limit_reached',
    params: { limit: 'pictures', max: 10 },
  });
  expect((await visitor.get(path)).body).toHaveLength(10);
}, 60_000);

test('another order has to name all pictures', async () => {
  const { add, visitor, path } = await product();
  const [first, second] = [await add(colours[0]), await add(colours[1])];
  for (const ids of [[first.id], [first.id, first.id], [first.id, second.id, crypto.randomUUID()], []])
    expect((await visitor.put(path, { ids })).status).toBe(412);
});

test('a store has no more than its share, also when uploads come at once', async () => {
  const small = await startService({ env: { FILES_MB_PER_STORE: '1' } });
  const { storeId, visitor } = await signedInOwner(small);
  const productIds = [await addProduct(small, storeId), await addProduct(small, storeId)];
  const noise = () =>
    sharp({
      create: { width: 900, height: 900, channels: 3, background: '#888', noise: { type: 'gaussian', sigma: 60 } },
    })
      .jpeg()
      .toBuffer();
  const codes: string[] = [];
  for (let round = 0; round < 3; round++)
    codes.push(
      ...(await Promise.all(
        productIds.map(async (id) => {
          const { status, body } = await uploadTo(small, visitor, storeId, id)(await noise(), 'image/jpeg');
          return status === 201 ? 'stored' : body.params.limit;
        }),
      )),
    );
  expect(new Set(codes)).toEqual(new Set(['stored', 'file_megabytes']));
  const { size } = (await small.db.one<{ size: number }>(
    sql`select sum(size) as size from files where store_id = ${storeId}`,
  )) as { size: number };
  expect(Number(size)).toBeLessThanOrEqual(1024 * 1024);
}, 60_000);

test('a file has the address of its store only, and there is no list', async () => {
  const { add, storeId } = await product();
  const other = await product();
  const [{ url }] = (await add(colours[2])).files;
  const hash = url.split('/').at(-1);
  for (const path of [
    `/files/${other.storeId}/${hash}`,
    `/files/${storeId}/${'0'.repeat(64)}`,
    `/files/${storeId}/${hash.toUpperCase()}`,
    `/files/${storeId}/..%2f${hash}`,
    `/files/x/${hash}`,
    `/files/${storeId}/`,
    `/files/${storeId}`,
    '/files',
  ])
    expect([path, (await fetchFile(path)).status]).toEqual([path, 404]);
  expect((await fetchFile(url, { method: 'HEAD' })).status).toBe(200);
  expect((await fetchFile(url, { method: 'DELETE' })).status).toBe(405);
});

test('a product of another store, and one that does not exist, take no picture', async () => {
  const { visitor, storeId } = await product();
  const other = await product();
  const bytes = await solid().png().toBuffer();
  for (const id of [other.id, crypto.randomUUID(), 'x']) {
    expect((await uploadTo(service, visitor, storeId, id)(bytes)).status).toBe(404);
    expect((await visitor.put(`/stores/${storeId}/products/${id}/pictures`, { ids: [] })).status).toBe(404);
  }
  const picture = await other.add(colours[0]);
  await visitor.delete(`/stores/${storeId}/products/${other.id}/pictures/${picture.id}`);
  expect((await other.visitor.get(other.path)).body).toHaveLength(1);
});

test('a viewer sees pictures and changes none', async () => {
  const { add, storeId, id, path } = await product();
  await add(colours[0]);
  const { visitor } = await signedInMember(service, storeId, 'viewer');
  expect((await visitor.get(path)).body).toHaveLength(1);
  expect((await uploadTo(service, visitor, storeId, id)(await solid().png().toBuffer())).status).toBe(403);
  expect((await visitor.put(path, { ids: [] })).status).toBe(403);
});
