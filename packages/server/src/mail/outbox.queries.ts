import type { Queryable, Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface NewRow {
  store_id: string;
  id: string;
  kind: string;
  recipient: string;
  limit_key: string;
  language: string;
  params: string;
  secret: string | null;
  created_at: number;
  expires_at: number | null;
}

export const insert = (tx: Transaction, row: NewRow) =>
  tx.run(
    sql`insert into mails (store_id, id, kind, recipient, limit_key, language, params, secret, state, next_attempt_at,
                           created_at, expires_at)
        values (${row.store_id}, ${row.id}, ${row.kind}, ${row.recipient}, ${row.limit_key}, ${row.language},
                ${row.params}, ${row.secret}, 'waiting', ${row.created_at}, ${row.created_at}, ${row.expires_at})`,
  );

const countOf = (row: { count: number } | undefined) => Number(row?.count ?? 0);

export const countToRecipient = async (db: Queryable, limitKey: string, kind: string, since: number) =>
  countOf(
    await db.one(
      sql`select count(*) as count from mails
          where limit_key = ${limitKey} and kind = ${kind} and created_at > ${since}`,
    ),
  );

export const countOfStore = async (db: Queryable, storeId: string, kind: string, since: number) =>
  countOf(
    await db.one(
      sql`select count(*) as count from mails
          where store_id = ${storeId} and kind = ${kind} and created_at > ${since}`,
    ),
  );
