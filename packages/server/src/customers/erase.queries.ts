import type { Queryable, Transaction } from '../db/database.ts';
import { inList } from '../db/in-list.ts';
import { sql } from '../db/sql.ts';

export interface PersonRow {
  id: string;
  name: string;
  phone: string;
  email: string;
  merged_into_id: string | null;
  erased_at: number | null;
}

const columns = sql`c.id, c.name, c.phone, c.email, c.merged_into_id, c.erased_at`;

export const findStore = (db: Queryable, id: string) =>
  db.one<{ store_id: string }>(sql`select c.store_id from customers c where c.id = ${id}`);

export const find = (db: Queryable, storeId: string, id: string) =>
  db.one<PersonRow>(sql`select ${columns} from customers c where c.store_id = ${storeId} and c.id = ${id}`);

/** Those that were merged into this customer itself, by their ids. */
export const mergedInto = (db: Queryable, storeId: string, id: string, after: string, limit: number) =>
  db.all<PersonRow>(
    sql`select ${columns} from customers c
        where c.store_id = ${storeId} and c.merged_into_id = ${id} and c.id > ${after} order by c.id limit ${limit}`,
  );

/** Those of these phones and e-mails, as they are compared, that another customer created until then has. */
export const keysInUse = (
  db: Queryable,
  storeId: string,
  { phones, emails, id, until }: { phones: readonly string[]; emails: readonly string[]; id: string; until: number },
) =>
  db.all<{ key: string }>(
    sql`select phone_key as key from customers
        where store_id = ${storeId} and phone_key in ${inList(db, phones)} and id <> ${id} and created_at <= ${until}
        union select email_key as key from customers
        where store_id = ${storeId} and email_key in ${inList(db, emails)} and id <> ${id} and created_at <= ${until}`,
  );

/** Leaves nothing of a customer but its id and times. */
export const erase = (tx: Transaction, storeId: string, { id, at, seq }: { id: string; at: number; seq: number }) =>
  tx.run(
    sql`update customers set external_id = null, name = '', phone = '', phone_key = null, email = '', email_key = null,
          erased_at = ${at}, updated_at = ${at}, seq = ${seq}
        where store_id = ${storeId} and id = ${id}`,
  );
