import type { Role } from '@store-sales/contract/console';
import type { Queryable, Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface MemberRow {
  id: string;
  name: string;
  email: string;
  role: Role;
  created_at: number;
}

export const list = (db: Queryable, storeId: string) =>
  db.all<MemberRow>(
    sql`select o.id, o.name, o.email, m.role, m.created_at
        from store_members m join owners o on o.id = m.owner_id
        where m.store_id = ${storeId} order by m.created_at, m.owner_id`,
  );

export const insert = (tx: Transaction, storeId: string, accountId: string, role: Role, now: number) =>
  tx.run(
    sql`insert into store_members (store_id, owner_id, role, created_at)
        values (${storeId}, ${accountId}, ${role}, ${now}) on conflict (store_id, owner_id) do nothing`,
  );

export const setRole = (tx: Transaction, storeId: string, accountId: string, role: Role) =>
  tx.run(sql`update store_members set role = ${role} where store_id = ${storeId} and owner_id = ${accountId}`);

export const remove = (tx: Transaction, storeId: string, accountId: string) =>
  tx.run(sql`delete from store_members where store_id = ${storeId} and owner_id = ${accountId}`);

/** Among the stores of this account, the store shares its delivery and payment types. */
export const setStoreOwner = (tx: Transaction, storeId: string, accountId: string) =>
  tx.run(sql`update stores set owner_id = ${accountId} where id = ${storeId}`);
