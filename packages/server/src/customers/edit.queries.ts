import type { Transaction } from '../db/database.ts';
import { inList } from '../db/in-list.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import type { StoredCustomer } from './import.queries.ts';

export type { StoredCustomer };

const columns = raw('id, external_id, name, phone, phone_key, email, email_key, created_at, updated_at');

export type LockedCustomer = StoredCustomer & { updated_at: number };

/** Locked against other changes. */
export const lockCustomer = (tx: Transaction, storeId: string, id: string) =>
  tx.one<LockedCustomer>(
    sql`select ${columns} from customers where store_id = ${storeId} and id = ${id} ${tx.dialect.forNoKeyUpdate}`,
  );

/** Locked against new orders too. By id, so that two merges do not deadlock. */
export const lockForMerge = (tx: Transaction, storeId: string, ids: readonly string[]) =>
  tx.all<LockedCustomer>(
    sql`select ${columns} from customers where store_id = ${storeId} and id in ${inList(tx, ids, 'uuid')}
        order by id ${tx.dialect.forUpdate}`,
  );

const unique = {
  phone: (value: string) => sql`phone_key = ${value}`,
  email: (value: string) => sql`email_key = ${value}`,
  externalId: (value: string) => sql`external_id = ${value}`,
} satisfies Record<string, (value: string) => Sql>;

/** The oldest other customer with this key. */
export const other = (tx: Transaction, storeId: string, by: keyof typeof unique, value: string, id: string) =>
  tx.one<{ id: string; name: string }>(
    sql`select id, name from customers where store_id = ${storeId} and ${unique[by](value)} and id <> ${id}
        order by created_at, id limit 1`,
  );

export const deleteCustomer = (tx: Transaction, storeId: string, id: string) =>
  tx.run(sql`delete from customers where store_id = ${storeId} and id = ${id}`);
