import type { Role } from '@store-sales/contract/console';
import type { Queryable } from '../db/database.ts';
import { join, sql } from '../db/sql.ts';

export const findStore = (db: Queryable, storeId: string) =>
  db.one<{ name: string; timezone: string; currency: string }>(
    sql`select name, timezone, currency from stores where id = ${storeId}`,
  );

export const listMembers = (db: Queryable, storeId: string, roles: readonly Role[]) =>
  db.all<{ email: string; language: string }>(
    sql`select o.email, o.language
        from store_members m join owners o on o.id = m.owner_id
        where m.store_id = ${storeId} and m.role in (${join(
          roles.map((role) => sql`${role}`),
          ', ',
        )})
        order by m.created_at, m.owner_id`,
  );
