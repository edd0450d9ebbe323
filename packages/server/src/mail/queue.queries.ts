import type { Expired } from '../db/batches/delete-expired.ts';
import { ofAllStores } from '../db/cluster/by-store.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { empty, sql } from '../db/sql.ts';

export interface MailRow {
  store_id: string;
  id: string;
  kind: string;
  recipient: string;
  language: string;
  params: string;
  secret: string | null;
  attempts: number;
  created_at: number;
  expires_at: number | null;
}

export interface LeasedMail {
  store_id: string;
  id: string;
  lease: number;
}

const isDue = (now: number) => sql`state = 'waiting' and next_attempt_at <= ${now}`;

export const hasDue = async (db: Queryable, storeId: string, now: number) =>
  (await db.one(sql`select id from mails where store_id = ${storeId} and ${isDue(now)} limit 1`)) !== undefined;

/** The next store with due mails, in the order of their ids. */
export async function nextStore(db: Queryable, after: string, now: number) {
  const { results, error } = await ofAllStores(
    db,
    (onlyIn) =>
      db.all<{ store_id: string }>(
        sql`select store_id from mails where ${isDue(now)} and store_id > ${after} ${onlyIn('store_id')}
            order by store_id limit 1`,
      ),
    { table: 'mails', condition: "state = 'waiting'" },
  );
  const [storeId] = results.map(({ store_id }) => store_id).sort();
  return { storeId, error };
}

/** The oldest due mails of a store, without those that another mailer is claiming. */
export const dueOf = (tx: Transaction, storeId: string, now: number, limit: number) =>
  tx.all<MailRow>(
    sql`select store_id, id, kind, recipient, language, params, secret, attempts, created_at, expires_at from mails
        where store_id = ${storeId} and ${isDue(now)}
        order by next_attempt_at limit ${limit} ${tx.dialect.skipLocked}`,
  );

/** A leased mail is due again when the lease has expired. */
export const lease = (tx: Transaction, storeId: string, id: string, until: number) =>
  tx.run(sql`update mails set lease = ${until}, next_attempt_at = ${until} where store_id = ${storeId} and id = ${id}`);

/** Nothing happens if the lease has expired and another mailer has claimed the mail. */
const isLeased = ({ id, lease }: LeasedMail) => sql`id = ${id} and lease = ${lease} and state = 'waiting'`;

export const setSent = (db: Queryable, mail: LeasedMail, attempts: number, now: number) =>
  db.run(
    sql`update mails set state = 'sent', attempts = ${attempts}, next_attempt_at = null, lease = null, error = null,
                         params = '{}', secret = null, settled_at = ${now}
        where store_id = ${mail.store_id} and ${isLeased(mail)}`,
  );

export const setRetry = (db: Queryable, mail: LeasedMail, attempts: number, error: string, at: number) =>
  db.run(
    sql`update mails set attempts = ${attempts}, next_attempt_at = ${at}, lease = null, error = ${error}
        where store_id = ${mail.store_id} and ${isLeased(mail)}`,
  );

/** Its content is kept for a retry, unless the link has expired. */
export const setDead = (db: Queryable, mail: LeasedMail, attempts: number, error: string, now: number) =>
  db.run(
    sql`update mails set state = 'dead', attempts = ${attempts}, next_attempt_at = null, lease = null, error = ${error},
                         secret = case when expires_at <= ${now} then null else secret end, settled_at = ${now}
        where store_id = ${mail.store_id} and ${isLeased(mail)}`,
  );

/** The mails of a store that were sent or given up long ago. A mail is finished after it was created, so an index finds them. */
export function finishedUntil(storeId: string, until: { sent: number; dead: number }): Expired {
  const isFinished = sql`store_id = ${storeId} and created_at <= ${Math.max(until.sent, until.dead)}
    and ((state = 'sent' and settled_at <= ${until.sent}) or (state = 'dead' and settled_at <= ${until.dead}))`;
  return {
    isAny: async (db) => (await db.one(sql`select 1 as found from mails where ${isFinished} limit 1`)) !== undefined,
    deleteSome: (tx, limit) =>
      tx.run(
        sql`delete from mails
            where ${isFinished} and id in (
              select id from mails where ${isFinished} order by created_at limit ${limit} ${tx.dialect.skipLocked})`,
      ),
  };
}

/** Counted up to this number. */
export const MAX_COUNT = 100_000;

export const count = async (db: Queryable, state: 'waiting' | 'dead') =>
  Number(
    (
      await db.one<{ count: number }>(
        sql`select count(*) as count from (select 1 from mails where state = ${state} ${
          state === 'dead' ? sql`and settled_at is not null` : empty
        } limit ${MAX_COUNT}) found`,
      )
    )?.count ?? 0,
  );
