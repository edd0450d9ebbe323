import type { Queryable } from '../db/database.ts';
import type { Dialect } from '../db/dialect.ts';
import { inList } from '../db/in-list.ts';
import { jsonPage, readJsonPage } from '../db/lists/json-page.ts';
import { type Key, listPage, type Window } from '../db/lists/list.ts';
import { preparedTemplate } from '../db/prepared-template.ts';
import { empty, raw, type Sql, sql } from '../db/sql.ts';

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
  stock: number | null;
  old_price: number | null;
}

export const source = { table: 'products', createdTie: 'id' };

const columns = sql`t.id, t.external_id, t.sku, t.name, t.description, t.price, t.category_id,
  c.external_id as category_external_id, coalesce(t.picture_url, t.image_url) as image_url, t.is_active, t.created_at,
  t.updated_at, t.stock, t.old_price`;
const joins = (storeId: string) => sql`left join categories c on c.store_id = ${storeId} and c.id = t.category_id`;

export const equal = {
  externalId: (value: string) => sql`t.external_id = ${value}`,
  sku: (value: string) => sql`t.sku = ${value}`,
  categoryId: (value: string) => sql`t.category_id = ${value}`,
};

/** The stock of a product in each warehouse, as a member of its JSON. */
const stockJson = ({ joined }: Dialect) =>
  sql`|| ',"stockByWarehouse":[' || coalesce(
        (select ${joined(raw(`'{"warehouseId":"' || s.warehouse_id || '","quantity":' || s.quantity || '}'`))}
         from (select warehouse_id, quantity from stock q where q.store_id = t.store_id and q.product_id = t.id
               order by warehouse_id) s), '') || ']' `;

/** A product as response JSON; `toProduct` makes the same of a row. */
const template = (withStock: boolean) =>
  preparedTemplate((dialect, currency: string) => {
    const { quoted, boolean, iso } = dialect;
    return sql`'{"id":"' || t.id || '","externalId":' || ${quoted(raw("coalesce(t.external_id, '')"))}
        || ',"sku":' || ${quoted(raw("coalesce(t.sku, '')"))} || ',"name":' || ${quoted(raw('t.name'))}
        || ',"description":' || ${quoted(raw('t.description'))} || ',"price":' || t.price || ',"currency":' || ${currency}
        || ',"categoryId":' || coalesce('"' || t.category_id || '"', 'null')
        || ',"categoryExternalId":' || ${quoted(raw("coalesce(c.external_id, '')"))}
        || ',"imageUrl":' || ${quoted(raw('coalesce(t.picture_url, t.image_url)'))} || ',"isActive":' || ${boolean(raw('t.is_active'))}
        || ',"createdAt":"' || ${iso(raw('t.created_at'))} || '","updatedAt":"' || ${iso(raw('t.updated_at'))}
        || '","stock":' || coalesce(cast(t.stock as text), 'null')
        || ',"oldPrice":' || coalesce(cast(t.old_price as text), 'null') ${withStock ? stockJson(dialect) : empty} || '}'`;
  });
const [json, jsonWithStock] = [template(false), template(true)];

/** A page as response bytes. */
export const pageAsJson = (db: Queryable, storeId: string, window: Window, currency: string, withStock: boolean) =>
  readJsonPage(
    db,
    window,
    jsonPage(db.dialect, window, {
      json: (withStock ? jsonWithStock : json)(db.dialect, JSON.stringify(currency)),
      joins: joins(storeId),
    }),
  );

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

export const stockByWarehouse = (db: Queryable, storeId: string, productId: string) =>
  db.all<{ warehouse_id: string; quantity: number }>(
    sql`select warehouse_id, quantity from stock where store_id = ${storeId} and product_id = ${productId} order by warehouse_id`,
  );

export const first = (db: Queryable, storeId: string) =>
  db.one<{ id: string }>(sql`select id from products where store_id = ${storeId} limit 1`);
