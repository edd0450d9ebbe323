import type { Queryable, Transaction } from '../db/database.ts';
import { inList } from '../db/in-list.ts';
import { plannedEachTime, raw, sql } from '../db/sql.ts';
import { nameKey } from '../text/names.ts';

/** The fields of a product that an import or the owner can change. */
export interface ProductFields {
  external_id: string | null;
  sku: string | null;
  name: string;
  description: string;
  price: number;
  old_price: number | null;
  category_id: string | null;
  image_url: string;
  is_active: boolean;
}

export interface StoredProduct extends ProductFields {
  id: string;
}

export interface PicturedProduct extends StoredProduct {
  /** The first uploaded picture, which is exported instead of the other one. */
  picture_url: string | null;
}

/** A product to be written, with its change number. */
export interface StampedProduct extends StoredProduct {
  seq: number;
}

/**
 * Locked until the transaction ends by anything that adds products or changes their keys, so that no key is used twice.
 */

interface ProductLookup {
  externalIds: readonly string[];
  skus: readonly string[];
  /** Without, description and picture are "". */
  withTexts?: boolean;
}

/** Products with any of these keys. Duplicate ids are harmless; for a plain `union` SQLite would scan all products. */
export function findProducts(db: Queryable, storeId: string, { externalIds, skus, withTexts = true }: ProductLookup) {
  return db.all<PicturedProduct>(
    plannedEachTime(sql`select id, external_id, sku, name, price, old_price, category_id, is_active,
          ${raw(withTexts ? 'description, image_url, picture_url' : "'' as description, '' as image_url, null as picture_url")}
        from products where store_id = ${storeId} and id in (
          select id from products where store_id = ${storeId}
            and external_id in ${inList(db, externalIds)}
          union all
          select id from products where store_id = ${storeId}
            and sku in ${inList(db, skus)})
        order by id`),
  );
}

export const productsWithIds = (tx: Transaction, storeId: string, ids: readonly string[]) =>
  tx.all<StoredProduct & { updated_at: number }>(
    plannedEachTime(sql`select id, external_id, sku, name, description, price, old_price, category_id, image_url, is_active,
          updated_at
        from products where store_id = ${storeId} and id in ${inList(tx, ids, 'uuid')}
        order by id`),
  );

export const findCategories = (db: Queryable, storeId: string, externalIds: readonly string[]) =>
  db.all<{ id: string; external_id: string }>(
    plannedEachTime(sql`select id, external_id from categories where store_id = ${storeId}
          and external_id in ${inList(db, externalIds)}`),
  );

export const categoriesWithIds = (db: Queryable, storeId: string, ids: readonly string[]) =>
  ids.length
    ? db.all<{ id: string }>(
        plannedEachTime(
          sql`select id from categories where store_id = ${storeId} and id in ${inList(db, ids, 'uuid')}`,
        ),
      )
    : [];

/** Clears the keys of products that are about to get others, so that a key can pass from one product to another. */
export const freeKeys = (tx: Transaction, storeId: string, ids: readonly string[]) =>
  tx.run(
    plannedEachTime(sql`update products set external_id = null, sku = null
        where store_id = ${storeId} and id in ${inList(tx, ids, 'uuid')}`),
  );

const stamped = (tx: Transaction, products: readonly StampedProduct[]) =>
  tx.dialect.records(
    'v',
    {
      id: 'uuid',
      external_id: 'text',
      sku: 'text',
      name: 'text',
      name_key: 'text',
      description: 'text',
      price: 'integer',
      old_price: 'integer',
      category_id: 'uuid',
      image_url: 'text',
      is_active: 'boolean',
      seq: 'integer',
    },
    products.map((product) => ({ ...product, name_key: nameKey(product.name) })),
  );

/**
 * Inserts new and updates existing products in one statement. (With `update … from` and a constant store, SQLite reads
 * all products of the store once for every row.)
 */
export const writeProducts = (tx: Transaction, storeId: string, products: readonly StampedProduct[], at: number) =>
  tx.run(
    sql`insert into products (store_id, id, external_id, sku, name, name_key, description, price, old_price,
          category_id, image_url, is_active, created_at, updated_at, seq)
        select c.store_id, v.id, v.external_id, v.sku, v.name, v.name_key, v.description, v.price, v.old_price,
          v.category_id, v.image_url, v.is_active, ${at}, ${at}, v.seq
        from ${stamped(tx, products)} join store_clocks c on c.store_id = ${storeId} where true
        on conflict (store_id, id) do update set external_id = excluded.external_id, sku = excluded.sku,
          name = excluded.name, name_key = excluded.name_key, description = excluded.description, price = excluded.price,
          old_price = excluded.old_price, category_id = excluded.category_id, image_url = excluded.image_url, is_active = excluded.is_active,
          updated_at = excluded.updated_at, seq = excluded.seq`,
  );

/** The first picture of a product; null for none. */
export const setPictureUrl = (
  tx: Transaction,
  storeId: string,
  id: string,
  { url, seq, at }: { url: string | null; seq: number; at: number },
) =>
  tx.run(
    sql`update products set picture_url = ${url}, updated_at = ${at}, seq = ${seq}
        where store_id = ${storeId} and id = ${id}`,
  );

export interface StoredCategory {
  id: string;
  external_id: string | null;
  name: string;
  parent_id: string | null;
}

export const listCategories = (db: Queryable, storeId: string) =>
  db.all<StoredCategory & { updated_at: number }>(
    sql`select id, external_id, name, parent_id, updated_at from categories where store_id = ${storeId}`,
  );

const categoryRecords = (tx: Transaction, categories: readonly StoredCategory[]) =>
  tx.dialect.records('v', { id: 'uuid', external_id: 'text', name: 'text', parent_id: 'uuid' }, categories);

export const writeCategories = (tx: Transaction, storeId: string, categories: readonly StoredCategory[], at: number) =>
  tx.run(
    sql`insert into categories (store_id, id, external_id, name, parent_id, created_at, updated_at)
        select c.store_id, v.id, v.external_id, v.name, v.parent_id, ${at}, ${at}
        from ${categoryRecords(tx, categories)} join store_clocks c on c.store_id = ${storeId} where true
        on conflict (store_id, id) do update
          set name = excluded.name, parent_id = excluded.parent_id, updated_at = excluded.updated_at`,
  );

/** Whether the category has products or subcategories; reads at most one of each. */
export const contentOf = async (tx: Transaction, storeId: string, id: string) => {
  const first = (table: string, column: string) =>
    tx.one(sql`select 1 as found from ${raw(table)} where store_id = ${storeId} and ${raw(column)} = ${id} limit 1`);
  return {
    hasCategories: (await first('categories', 'parent_id')) !== undefined,
    hasProducts: (await first('products', 'category_id')) !== undefined,
  };
};

export const deleteCategory = (tx: Transaction, storeId: string, id: string) =>
  tx.run(sql`delete from categories where store_id = ${storeId} and id = ${id}`);
