import type { Transaction } from '../db/database.ts';
import { inList } from '../db/in-list.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import type { StoredCustomer } from './import.queries.ts';

export type { StoredCustomer };

const columns = raw('id, external_id, name, phone, phone_key, email, email_key, created_at, updated_at');

export type CurrentCustomer = StoredCustomer & { updated_at: number };

/** Those among these customers that can be changed: neither merged nor erased. */
export const findCustomers = (tx: Transaction, storeId: string, ids: readonly string[]) =>
  tx.all<CurrentCustomer>(
    sql`select ${columns} from customers
        where store_id = ${storeId} and id in ${inList(tx, ids, 'uuid')} and merged_into_id is null
          and erased_at is null`,
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

/** It keeps what is shown, and nothing that it is found by. */
export const markMerged = (
  tx: Transaction,
  storeId: string,
  { mergedId, keptId, at, seq }: { mergedId: string; keptId: string; at: number; seq: number },
) =>
  tx.run(
    sql`update customers set merged_into_id = ${keptId}, external_id = null, phone_key = null, email_key = null,
          updated_at = ${at}, seq = ${seq}
        where store_id = ${storeId} and id = ${mergedId}`,
  );
