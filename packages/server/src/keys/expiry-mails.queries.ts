import type { Queryable, Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { DAY } from '../time/duration.ts';

/** When a key is mailed about, in days before its end. */
const FIRST = 14;
const SECOND = 3;

/** A key that is valid for less than the notice period gets no notice when it is created. */
const isDue = (now: number) =>
  sql`revoked_at is null and expires_at > ${now} and expires_at <= ${now + FIRST * DAY}
      and ((expiry_mail_days is null and expires_at - created_at > ${FIRST * DAY})
           or (coalesce(expiry_mail_days, ${FIRST}) > ${SECOND} and expires_at <= ${now + SECOND * DAY}
               and expires_at - created_at > ${SECOND * DAY}))`;

export const storesWithExpiring = (db: Queryable, now: number, limit: number) =>
  db.all<{ store_id: string }>(sql`select distinct store_id from api_keys where ${isDue(now)} limit ${limit}`);

export const expiring = (tx: Transaction, storeId: string, now: number) =>
  tx.all<{ id: string; name: string; expires_at: number }>(
    sql`select id, name, expires_at from api_keys where store_id = ${storeId} and ${isDue(now)}
        order by expires_at, id ${tx.dialect.forUpdate}`,
  );

export const markMailed = (tx: Transaction, storeId: string, id: string, now: number) =>
  tx.run(
    sql`update api_keys
        set expiry_mail_days = case when expires_at <= ${now + SECOND * DAY} then cast(${SECOND} as bigint)
                                    else cast(${FIRST} as bigint) end
        where store_id = ${storeId} and id = ${id}`,
  );
