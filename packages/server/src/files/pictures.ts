import { createHash } from 'node:crypto';
import type { Picture, ShopPictures } from '@store-sales/contract/console';
import type { Queryable, Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { LimitReached } from '../limits.ts';
import type { DecodedFile } from './decoder.ts';
import * as queries from './pictures.queries.ts';

const MIB = 1024 * 1024;

export type ShopPlace = keyof ShopPictures;

/** Where a picture is shown. */
export type Place = { place: 'product'; productId: string; position: number } | { place: ShopPlace };

export const fileUrl = (storeId: string, hash: string) => `/files/${storeId}/${hash}`;

/** The largest size. */
export const largestOf = ({ files }: Pick<Picture, 'files'>) => files.at(-1)?.url ?? '';

const full = (maxMiB: number) =>
  new LimitReached(
    { limit: 'file_megabytes', max: maxMiB },
    maxMiB
      ? `The pictures of a store can take at most ${maxMiB.toLocaleString('en')} MB. Delete some first.`
      : 'This installation stores no pictures.',
  );

/** The smallest size that is as wide as this, or the largest. */
export const sizeFor = ({ files }: Picture, width: number) =>
  files.find((file) => file.width >= width)?.url ?? largestOf({ files });

/** Before a picture is received; the limit is kept by `addPicture`. */
export async function requireRoom(db: Queryable, storeId: string, maxMiB: number) {
  if ((await queries.sizeOf(db, storeId)) >= maxMiB * MIB) throw full(maxMiB);
}

/** The caller has locked the store's clock, so that pictures of a store change one after the other. */
export async function addPicture(
  tx: Transaction,
  storeId: string,
  where: Place,
  decoded: readonly DecodedFile[],
  { at, maxMiB }: { at: number; maxMiB: number },
): Promise<Picture> {
  const id = uuid(at);
  const [productId, position] = where.place === 'product' ? [where.productId, where.position] : [null, 0];
  await queries.insertPicture(tx, storeId, { id, place: where.place, product_id: productId, position }, at);
  let added = 0;
  const files: Picture['files'] = [];
  for (const { width, height, bytes } of decoded) {
    const hash = hashOf(bytes);
    if (await queries.insertFile(tx, storeId, { hash, type: 'image/webp', width, height, bytes }, at))
      added += bytes.length;
    await queries.insertPictureFile(tx, storeId, id, hash);
    files.push({ url: fileUrl(storeId, hash), width, height });
  }
  if ((await queries.addSize(tx, storeId, added)) > maxMiB * MIB) throw full(maxMiB);
  return { id, files };
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Whether the picture was made of the same file, or of one that looks the same. */
export const isMadeOf = ({ files }: Picture, decoded: readonly DecodedFile[]) =>
  files.length === decoded.length &&
  files.every(({ url }, index) => url.endsWith(hashOf((decoded[index] as DecodedFile).bytes)));

/** Deletes a picture, and its files that no other picture of the store uses. */
export async function deletePicture(tx: Transaction, storeId: string, id: string) {
  await queries.addSize(tx, storeId, -(await queries.deletePicture(tx, storeId, id)));
}

export async function arrangePictures(tx: Transaction, storeId: string, ids: readonly string[]) {
  for (const [position, id] of ids.entries()) await queries.setPosition(tx, storeId, id, position);
}

/** The pictures of these products in their order, by the id of the product. */
export async function picturesOfProducts(db: Queryable, storeId: string, productIds: readonly string[]) {
  const found = new Map<string, Picture[]>();
  const rows = productIds.length ? await queries.ofProducts(db, storeId, productIds) : [];
  for (const { product_id: productId, id, ...size } of rows) {
    const pictures = found.get(productId as string) ?? [];
    found.set(productId as string, pictures);
    const last = pictures.at(-1);
    if (last?.id === id) last.files.push(sizeOf(storeId, size));
    else pictures.push({ id, files: [sizeOf(storeId, size)] });
  }
  return found;
}

export async function picturesOfShop(db: Queryable, storeId: string): Promise<ShopPictures> {
  const found: ShopPictures = { logo: null, cover: null };
  for (const { place, id, ...size } of await queries.ofShop(db, storeId)) {
    const picture = found[place as ShopPlace] ?? { id, files: [] };
    picture.files.push(sizeOf(storeId, size));
    found[place as ShopPlace] = picture;
  }
  return found;
}

const sizeOf = (storeId: string, { hash, width, height }: Pick<queries.SizeRow, 'hash' | 'width' | 'height'>) => ({
  url: fileUrl(storeId, hash),
  width,
  height,
});
