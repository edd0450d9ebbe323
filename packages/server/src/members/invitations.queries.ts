import type { Role } from '@store-sales/contract/console';
import type { Queryable, Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface InvitationRow {
  store_id: string;
  id: string;
  token_hash: string;
  email: string;
  role: Role;
  invited_by: string | null;
  created_at: number;
  expires_at: number;
}

/** Expired ones too: the owner can renew them. */
export const list = (db: Queryable, storeId: string) =>
  db.all<InvitationRow & { inviter: string | null }>(
    sql`select i.store_id, i.id, i.token_hash, i.email, i.role, i.invited_by, i.created_at, i.expires_at,
               o.name as inviter
        from invitations i left join owners o on o.id = i.invited_by
        where i.store_id = ${storeId} order by i.created_at, i.id`,
  );

export const insert = (tx: Transaction, row: InvitationRow, emailKey: string) =>
  tx.run(
    sql`insert into invitations
          (store_id, id, token_hash, email, email_key, role, invited_by, created_at, expires_at)
        values (${row.store_id}, ${row.id}, ${row.token_hash}, ${row.email}, ${emailKey}, ${row.role},
                ${row.invited_by}, ${row.created_at}, ${row.expires_at})`,
  );

/** Those that a person sent, or that were sent to their address. */
export const listOfPerson = (tx: Transaction, storeId: string, accountId: string, emailKey: string) =>
  tx.all<InvitationRow>(
    sql`select store_id, id, token_hash, email, role, invited_by, created_at, expires_at from invitations
        where store_id = ${storeId} and (invited_by = ${accountId} or email_key = ${emailKey})`,
  );

export const removeByEmail = (tx: Transaction, storeId: string, emailKey: string) =>
  tx.run(sql`delete from invitations where store_id = ${storeId} and email_key = ${emailKey}`);

export const removeById = (tx: Transaction, storeId: string, id: string) =>
  tx.run(sql`delete from invitations where store_id = ${storeId} and id = ${id}`);
