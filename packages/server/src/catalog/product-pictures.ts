import type { Product } from '@store-sales/contract';
import type { ArrangePictures, ListedProduct, Picture } from '@store-sales/contract/console';
import { lockClock, tick } from '../db/clock/store-clock.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { asUuid } from '../db/uuid.ts';
import { DomainError, notFound } from '../domain-error.ts';
import type { DecodedFile } from '../files/decoder.ts';
import * as files from '../files/pictures.ts';
import { recordHistory } from '../history/history.ts';
import { requireBelowLimit } from '../limits.ts';
import type { Edit } from './edit-products.ts';
import * as queries from './import.queries.ts';

export async function listPictures(db: Queryable, storeId: string, productId: string): Promise<Picture[]> {
  const id = asUuid(productId);
  return (id && (await files.picturesOfProducts(db, storeId, [id])).get(id)) || [];
}

/** Of a picture in a list, on a screen of high resolution. */
const THUMBNAIL_WIDTH = 160;

/** Adds small pictures to products of the store. */
export async function withThumbnails(db: Queryable, storeId: string, products: readonly Product[]) {
  const ids = products.filter(({ imageUrl }) => imageUrl.startsWith(files.fileUrl(storeId, ''))).map(({ id }) => id);
  const pictures = await files.picturesOfProducts(db, storeId, ids);
  return products.map((product): ListedProduct => {
    const [first] = pictures.get(product.id) ?? [];
    return { ...product, thumbnailUrl: first ? files.sizeFor(first, THUMBNAIL_WIDTH) : product.imageUrl };
  });
}

/** Adds a picture after the others, unless the product has it already. */
export const addProductPicture = (
  db: Database,
  productId: string,
  decoded: readonly DecodedFile[],
  edit: Edit,
  maxMiB: number,
) =>
  changePictures(db, productId, edit, async (tx, id, pictures) => {
    if (pictures.some((each) => files.isMadeOf(each, decoded))) return pictures;
    requireBelowLimit('pictures', pictures.length);
    const where = { place: 'product', productId: id, position: pictures.length } as const;
    const options = { at: edit.now, maxMiB };
    return [...pictures, await files.addPicture(tx, edit.storeId, where, decoded, options)];
  });

/** Deletes a picture for good; no error if it is deleted already. */
export const deleteProductPicture = (db: Database, productId: string, pictureId: string, edit: Edit) =>
  changePictures(db, productId, edit, async (tx, _, pictures) => {
    const left = pictures.filter(({ id }) => id !== pictureId.toLowerCase());
    if (left.length === pictures.length) return pictures;
    await files.deletePicture(tx, edit.storeId, pictureId.toLowerCase());
    await files.arrangePictures(
      tx,
      edit.storeId,
      left.map(({ id }) => id),
    );
    return left;
  });

/** Puts the pictures in this order, if they are those that the product has. */
export const arrangeProductPictures = (db: Database, productId: string, { ids }: ArrangePictures, edit: Edit) =>
  changePictures(db, productId, edit, async (tx, _, pictures) => {
    const byId = new Map(pictures.map((each) => [each.id, each]));
    const arranged = [...new Set(ids.map((id) => id.toLowerCase()))].flatMap((id) => byId.get(id) ?? []);
    if (arranged.length !== pictures.length || ids.length !== pictures.length)
      throw new DomainError('precondition_failed', 'The product has other pictures than these.');
    if (arranged.every((each, index) => each === pictures[index])) return pictures;
    await files.arrangePictures(
      tx,
      edit.storeId,
      arranged.map(({ id }) => id),
    );
    return arranged;
  });

/** Changes the pictures of a product, and with them its version and the address of its first picture. */
const changePictures = (
  db: Database,
  productId: string,
  { storeId, actor, now }: Edit,
  change: (tx: Transaction, id: string, pictures: readonly Picture[]) => Promise<readonly Picture[]>,
): Promise<void> =>
  db.transaction(
    async (tx) => {
      const validId = asUuid(productId);
      await lockClock(tx, storeId);
      const [product] = validId ? await queries.productsWithIds(tx, storeId, [validId]) : [];
      if (!product) throw notFound('product');
      const { id, name } = product;
      const before = await listPictures(tx, storeId, id);
      const after = await change(tx, id, before);
      if (after === before) return;
      const urlOf = ([first]: readonly Picture[]) => (first ? files.largestOf(first) : null);
      const { seq, at } = await tick(tx, storeId, now);
      await queries.setPictureUrl(tx, storeId, id, { url: urlOf(after), seq, at });
      const details = {
        ...(urlOf(before) !== urlOf(after) && {
          imageUrl: [urlOf(before) ?? product.image_url, urlOf(after) ?? product.image_url],
        }),
        ...(before.length !== after.length && { pictures: [before.length, after.length] }),
      };
      if (!Object.keys(details).length) return;
      const subject = { kind: 'product', id, name } as const;
      await recordHistory(tx, { scopeId: storeId, actor, action: 'changed', subject, details, at: now });
    },
    { storeId },
  );
