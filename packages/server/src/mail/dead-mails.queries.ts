import type { Queryable } from '../db/database.ts';
import { empty, sql } from '../db/sql.ts';

export interface DeadMail {
  id: string;
  store_id: string;
  kind: string;
  recipient: string;
  attempts: number;
  error: string | null;
  created_at: number;
  settled_at: number;
}

/** Newest first. */
export const listDead = (db: Queryable, limit: number) =>
  db.all<DeadMail>(
    sql`select id, store_id, kind, recipient, attempts, error, created_at, settled_at from mails
        where state = 'dead' and settled_at is not null order by settled_at desc, id limit ${limit}`,
  );

/** A mail whose link has expired is not retried. */
export const retryDead = (db: Queryable, id: string | undefined, now: number) =>
  db.run(
    sql`update mails set state = 'waiting', attempts = 0, next_attempt_at = ${now}, error = null, settled_at = null
        where state = 'dead' and settled_at is not null and secret is not null
              and (expires_at is null or expires_at > ${now}) ${id === undefined ? empty : sql`and id = ${id}`}`,
  );
