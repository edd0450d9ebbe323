import type { Queryable, Transaction } from '../db/database.ts';
import { inList } from '../db/in-list.ts';
import { type Sql, sql } from '../db/sql.ts';

export interface NewFile {
  hash: string;
  type: string;
  width: number;
  height: number;
  bytes: Buffer;
}

/** Returns whether the store did not have the file. */
export const insertFile = async (tx: Transaction, storeId: string, file: NewFile, at: number) =>
  (await tx.run(
    sql`insert into files (store_id, hash, type, width, height, size, created_at, bytes)
        values (${storeId}, ${file.hash}, ${file.type}, ${file.width}, ${file.height}, ${file.bytes.length}, ${at},
          ${file.bytes})
        on conflict (store_id, hash) do nothing`,
  )) > 0;

/** Returns the size of all files. */
export const addSize = async (tx: Transaction, storeId: string, bytes: number) =>
  (
    await tx.one<{ bytes: number }>(
      sql`insert into file_sizes (store_id, bytes) values (${storeId}, ${bytes})
          on conflict (store_id) do update set bytes = file_sizes.bytes + excluded.bytes returning bytes`,
    )
  )?.bytes ?? 0;

export const sizeOf = async (db: Queryable, storeId: string) =>
  (await db.one<{ bytes: number }>(sql`select bytes from file_sizes where store_id = ${storeId}`))?.bytes ?? 0;

export const findFile = (db: Queryable, storeId: string, hash: string) =>
  db.one<{ type: string; bytes: Buffer }>(
    sql`select type, bytes from files where store_id = ${storeId} and hash = ${hash}`,
  );

export interface PictureRow {
  id: string;
  place: 'product' | 'logo' | 'cover';
  product_id: string | null;
  position: number;
}

export const insertPicture = (tx: Transaction, storeId: string, row: PictureRow, at: number) =>
  tx.run(
    sql`insert into pictures (store_id, id, place, product_id, position, created_at)
        values (${storeId}, ${row.id}, ${row.place}, ${row.product_id}, ${row.position}, ${at})`,
  );

export const insertPictureFile = (tx: Transaction, storeId: string, pictureId: string, hash: string) =>
  tx.run(
    sql`insert into picture_files (store_id, picture_id, hash) values (${storeId}, ${pictureId}, ${hash})
        on conflict (store_id, picture_id, hash) do nothing`,
  );

export const setPosition = (tx: Transaction, storeId: string, id: string, position: number) =>
  tx.run(sql`update pictures set position = ${position} where store_id = ${storeId} and id = ${id}`);

/** A row for each size. */
export interface SizeRow {
  id: string;
  product_id: string | null;
  place: PictureRow['place'];
  position: number;
  hash: string;
  width: number;
  height: number;
}

const sizes = (storeId: string, of: Sql) =>
  sql`select p.id, p.product_id, p.place, p.position, f.hash, f.width, f.height from pictures p
      join picture_files l on l.store_id = p.store_id and l.picture_id = p.id
      join files f on f.store_id = l.store_id and f.hash = l.hash
      where p.store_id = ${storeId} and ${of} order by p.product_id, p.position, p.id, f.width`;

export const ofProducts = (db: Queryable, storeId: string, productIds: readonly string[]) =>
  db.all<SizeRow>(sizes(storeId, sql`p.product_id in ${inList(db, productIds, 'uuid')}`));

export const ofShop = (db: Queryable, storeId: string) => db.all<SizeRow>(sizes(storeId, sql`p.product_id is null`));

/** Deletes a picture; returns the size of the files that no other picture uses, which are deleted too. */
export async function deletePicture(tx: Transaction, storeId: string, id: string): Promise<number> {
  const files = await tx.all<{ hash: string }>(
    sql`delete from picture_files where store_id = ${storeId} and picture_id = ${id} returning hash`,
  );
  await tx.run(sql`delete from pictures where store_id = ${storeId} and id = ${id}`);
  let size = 0;
  for (const { hash } of files) {
    const deleted = await tx.one<{ size: number }>(
      sql`delete from files where store_id = ${storeId} and hash = ${hash}
            and not exists (select 1 from picture_files l where l.store_id = ${storeId} and l.hash = ${hash})
          returning size`,
    );
    size += deleted?.size ?? 0;
  }
  return size;
}
