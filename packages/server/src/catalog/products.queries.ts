import type { Queryable } from '../db/database.ts';
import { inList } from '../db/in-list.ts';
import { type Key, listPage, type Window } from '../db/list.ts';
import { raw, type Sql, sql } from '../db/sql.ts';

export interface ProductRow extends Key {
  id: string;
  external_id: string | null;
  sku: string | null;
  name: string;
  description: string;
  price: number;
  category_id: string | null;
  category_external_id: string | null;
  image_url: string;
  is_active: boolean;
  created_at: number;
  updated_at: number;
}

export const source = { table: 'products', createdTie: 'id' };

const columns = sql`t.id, t.external_id, t.sku, t.name, t.description, t.price, t.category_id,
  c.external_id as category_external_id, t.image_url, t.is_active, t.created_at, t.updated_at`;
const joins = (storeId: string) => sql`left join categories c on c.store_id = ${storeId} and c.id = t.category_id`;

export const equal = {
  externalId: (value: string) => sql`t.external_id = ${value}`,
  sku: (value: string) => sql`t.sku = ${value}`,
  categoryId: (value: string) => sql`t.category_id = ${value}`,
};

export const page = <View>(db: Queryable, storeId: string, window: Window, toView: (row: ProductRow) => View) =>
  listPage(db, window, { columns, joins: joins(storeId) }, toView);

const unique = { id: raw('t.id'), externalId: raw('t.external_id'), sku: raw('t.sku') } satisfies Record<string, Sql>;

export const findByIds = (db: Queryable, storeId: string, ids: readonly string[]) =>
  db.all<Omit<ProductRow, keyof Key>>(
    sql`select ${columns} from products t ${joins(storeId)}
        where t.store_id = ${storeId} and t.id in ${inList(db, ids, 'uuid')}`,
  );

export const findBy = (db: Queryable, storeId: string, by: keyof typeof unique, value: string) =>
  db.one<Omit<ProductRow, keyof Key>>(
    sql`select ${columns} from products t ${joins(storeId)} where t.store_id = ${storeId} and ${unique[by]} = ${value}`,
  );

export const first = (db: Queryable, storeId: string) =>
  db.one<{ id: string }>(sql`select id from products where store_id = ${storeId} limit 1`);
