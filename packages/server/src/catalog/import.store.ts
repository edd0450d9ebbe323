import type { Queryable, Transaction } from '../db/database.ts';
import { empty, sql } from '../db/sql.ts';
import { nameKey } from '../db/text.ts';

/** What an import can change of a product. */
export interface ProductFields {
  external_id: string | null;
  sku: string | null;
  name: string;
  description: string;
  price: number;
  category_id: string | null;
  is_active: boolean;
}

export interface StoredProduct extends ProductFields {
  id: string;
}

/** A product to be written, with its change number. */
export interface StampedProduct extends StoredProduct {
  seq: number;
}

const among = (db: Queryable, values: readonly string[], kind: 'text' | 'uuid' = 'text') =>
  sql`(select wanted from ${db.dialect.records(
    'w',
    { wanted: kind },
    values.map((wanted) => ({ wanted })),
  )})`;

/** Held until the transaction ends by whoever adds to the catalog or moves its keys, so that none is taken twice. */
export const lockCatalog = (tx: Transaction, storeId: string) => tx.lock(storeId, ['catalog']);

/** The products that have any of these keys; with `hold` nobody else changes them until the transaction ends. */
export function findProducts(
  db: Queryable,
  storeId: string,
  { externalIds, skus, hold }: { externalIds: readonly string[]; skus: readonly string[]; hold: boolean },
) {
  return db.all<StoredProduct>(
    sql`select id, external_id, sku, name, description, price, category_id, is_active
        from products where store_id = ${storeId} and id in (
          select id from products where store_id = ${storeId}
            and external_id in ${among(db, externalIds)}
          union
          select id from products where store_id = ${storeId}
            and sku in ${among(db, skus)})
        order by id ${hold ? db.dialect.forNoKeyUpdate : empty}`,
  );
}

export const findCategories = (db: Queryable, storeId: string, externalIds: readonly string[]) =>
  db.all<{ id: string; external_id: string }>(
    sql`select id, external_id from categories where store_id = ${storeId}
          and external_id in ${among(db, externalIds)}`,
  );

/** Frees the keys of products that are about to get others: a key may then pass from one product to the next. */
export const freeKeys = (tx: Transaction, storeId: string, ids: readonly string[]) =>
  tx.run(
    sql`update products set external_id = null, sku = null
        where store_id = ${storeId} and id in ${among(tx, ids, 'uuid')}`,
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
      category_id: 'uuid',
      is_active: 'truth',
      seq: 'integer',
    },
    products.map((product) => ({ ...product, name_key: nameKey(product.name) })),
  );

export const updateProducts = (tx: Transaction, storeId: string, products: readonly StampedProduct[], at: number) =>
  tx.run(
    sql`update products set external_id = v.external_id, sku = v.sku, name = v.name, name_key = v.name_key, description = v.description,
          price = v.price, category_id = v.category_id, is_active = v.is_active, updated_at = ${at}, seq = v.seq
        from ${stamped(tx, products)} where products.store_id = ${storeId} and products.id = v.id`,
  );

export const insertProducts = (tx: Transaction, storeId: string, products: readonly StampedProduct[], at: number) =>
  tx.run(
    sql`insert into products (store_id, id, external_id, sku, name, name_key, description, price, category_id, is_active,
          created_at, updated_at, seq)
        select s.id, v.id, v.external_id, v.sku, v.name, v.name_key, v.description, v.price, v.category_id, v.is_active,
          ${at}, ${at}, v.seq
        from ${stamped(tx, products)} join stores s on s.id = ${storeId}`,
  );

export interface StoredCategory {
  id: string;
  external_id: string | null;
  name: string;
  parent_id: string | null;
}

export const listCategories = (db: Queryable, storeId: string) =>
  db.all<StoredCategory>(sql`select id, external_id, name, parent_id from categories where store_id = ${storeId}`);

const categoryRecords = (tx: Transaction, categories: readonly StoredCategory[]) =>
  tx.dialect.records('v', { id: 'uuid', external_id: 'text', name: 'text', parent_id: 'uuid' }, categories);

export const insertCategories = (tx: Transaction, storeId: string, added: readonly StoredCategory[], at: number) =>
  tx.run(
    sql`insert into categories (store_id, id, external_id, name, parent_id, created_at, updated_at)
        select s.id, v.id, v.external_id, v.name, v.parent_id, ${at}, ${at}
        from ${categoryRecords(tx, added)} join stores s on s.id = ${storeId}`,
  );

export const updateCategories = (tx: Transaction, storeId: string, changed: readonly StoredCategory[], at: number) =>
  tx.run(
    sql`update categories set name = v.name, parent_id = v.parent_id, updated_at = ${at}
        from ${categoryRecords(tx, changed)} where categories.store_id = ${storeId} and categories.id = v.id`,
  );
