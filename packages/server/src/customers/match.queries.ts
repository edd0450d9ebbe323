import type { Transaction } from '../db/database.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import { nameKey } from '../names.ts';

export interface CustomerRow {
  id: string;
  name: string;
  phone: string;
  phone_key: string | null;
  email: string;
  email_key: string | null;
}

const columns = raw('id, name, phone, phone_key, email, email_key');

/** Locked against deletion, which a merge does: the order that refers to it could not be written. */
const first = (tx: Transaction, storeId: string, same: Sql) =>
  tx.one<CustomerRow>(
    sql`select ${columns} from customers where store_id = ${storeId} and ${same} order by created_at, id limit 1
        ${tx.dialect.forKeyShareOf('customers')}`,
  );

export const findByPhone = (tx: Transaction, storeId: string, key: string) =>
  first(tx, storeId, sql`phone_key = ${key}`);

export const findByEmail = (tx: Transaction, storeId: string, key: string) =>
  first(tx, storeId, sql`email_key = ${key}`);

/**
 * Locked against other changes, but not against the foreign keys of orders, to avoid a deadlock: an order that holds
 * the store's clock would wait for the customer, whose lock holder waits for the clock.
 */
export const lockCustomer = (tx: Transaction, storeId: string, id: string) =>
  tx.one<CustomerRow>(
    sql`select ${columns} from customers where store_id = ${storeId} and id = ${id} ${tx.dialect.forNoKeyUpdate}`,
  );

export const insertCustomer = (tx: Transaction, storeId: string, row: CustomerRow, at: number, seq: number) =>
  tx.send(
    sql`insert into customers (store_id, id, name, name_key, phone, phone_key, email, email_key, created_at,
          updated_at, seq)
        values (${storeId}, ${row.id}, ${row.name}, ${nameKey(row.name)}, ${row.phone}, ${row.phone_key}, ${row.email},
                ${row.email_key}, ${at}, ${at}, ${seq})`,
  );

export const updateCustomer = (tx: Transaction, storeId: string, row: CustomerRow, at: number, seq: number) =>
  tx.send(
    sql`update customers set name = ${row.name}, name_key = ${nameKey(row.name)}, phone = ${row.phone}, phone_key = ${row.phone_key},
          email = ${row.email}, email_key = ${row.email_key}, updated_at = ${at}, seq = ${seq}
        where store_id = ${storeId} and id = ${row.id}`,
  );
