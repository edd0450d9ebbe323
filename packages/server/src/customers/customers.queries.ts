import type { Queryable } from '../db/database.ts';
import { jsonPage, readJsonPage } from '../db/lists/json-page.ts';
import { type Key, listPage, type Window } from '../db/lists/list.ts';
import { preparedTemplate } from '../db/prepared-template.ts';
import { raw, type Sql, sql } from '../db/sql.ts';

export interface CustomerRow extends Key {
  id: string;
  external_id: string | null;
  name: string;
  phone: string;
  email: string;
  created_at: number;
  updated_at: number;
  merged_into_id: string | null;
  erased_at: number | null;
}

export const source = { table: 'customers', createdTie: 'id' };

const columns = sql`t.id, t.external_id, t.name, t.phone, t.email, t.created_at, t.updated_at, t.merged_into_id,
  t.erased_at`;

/** Customers that were not merged. */
export const isListed = sql`t.merged_into_id is null`;

export const equal = {
  externalId: (value: string) => sql`t.external_id = ${value}`,
  phoneKey: (value: string) => sql`t.phone_key = ${value}`,
  emailKey: (value: string) => sql`t.email_key = ${value}`,
};

/** The customers that fit a filter, as a FROM clause. */
export const selectionOf = (storeId: string, filter: Sql) =>
  sql`from customers t where t.store_id = ${storeId} and ${filter}`;

/** A customer as response JSON; `toCustomer` makes the same of a row. */
const json = preparedTemplate(
  ({ quoted, iso }) =>
    sql`'{"id":"' || t.id || '","externalId":' || ${quoted(raw("coalesce(t.external_id, '')"))}
        || ',"name":' || ${quoted(raw('t.name'))} || ',"phone":' || ${quoted(raw('t.phone'))}
        || ',"email":' || ${quoted(raw('t.email'))}
        || ',"createdAt":"' || ${iso(raw('t.created_at'))} || '","updatedAt":"' || ${iso(raw('t.updated_at'))}
        || '","mergedIntoId":' || coalesce('"' || t.merged_into_id || '"', 'null')
        || ',"erasedAt":' || coalesce('"' || ${iso(raw('t.erased_at'))} || '"', 'null') || '}'`,
);

/** A page as response bytes. */
export const pageAsJson = (db: Queryable, window: Window) =>
  readJsonPage(db, window, jsonPage(db.dialect, window, { json: json(db.dialect) }));

export const page = <View>(db: Queryable, window: Window, toView: (row: CustomerRow) => View) =>
  listPage(db, window, { columns }, toView);

export const find = (db: Queryable, storeId: string, id: string) =>
  db.one<Omit<CustomerRow, keyof Key>>(
    sql`select ${columns} from customers t where t.store_id = ${storeId} and t.id = ${id}`,
  );
