import type { Queryable } from '../db/database.ts';
import { type Key, listPage, type Window } from '../db/list.ts';
import { sql } from '../db/sql.ts';

export interface CustomerRow extends Key {
  id: string;
  external_id: string | null;
  name: string;
  phone: string;
  email: string;
  created_at: number;
  updated_at: number;
}

export const source = { table: 'customers', createdTie: 'id' };

const columns = sql`t.id, t.external_id, t.name, t.phone, t.email, t.created_at, t.updated_at`;

export const equal = {
  externalId: (value: string) => sql`t.external_id = ${value}`,
  phoneKey: (value: string) => sql`t.phone_key = ${value}`,
  emailKey: (value: string) => sql`t.email_key = ${value}`,
};

export const page = <View>(db: Queryable, window: Window, toView: (row: CustomerRow) => View) =>
  listPage(db, window, { columns }, toView);

export const find = (db: Queryable, storeId: string, id: string) =>
  db.one<Omit<CustomerRow, keyof Key>>(
    sql`select ${columns} from customers t where t.store_id = ${storeId} and t.id = ${id}`,
  );
