import type { Queryable } from '../db/database.ts';
import { inList } from '../db/in-list.ts';
import { sql } from '../db/sql.ts';
import type { AccountRow } from '../tenants.ts';

export interface SessionRow {
  token_hash: string;
  owner_id: string;
  user_agent: string;
  address: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  verified_at: number;
}

export const insert = (db: Queryable, session: SessionRow) =>
  db.run(
    sql`insert into sessions
          (token_hash, owner_id, user_agent, address, created_at, last_seen_at, expires_at, verified_at)
        values (${session.token_hash}, ${session.owner_id}, ${session.user_agent}, ${session.address},
                ${session.created_at}, ${session.last_seen_at}, ${session.expires_at}, ${session.verified_at})`,
  );

export type SessionWithOwner = SessionRow &
  Pick<AccountRow, 'email' | 'name' | 'password_hash' | 'language' | 'is_invited'> & {
    owner_created_at: number;
  };

export const find = (db: Queryable, tokenHash: string, now: number) =>
  db.one<SessionWithOwner>(
    sql`select s.token_hash, s.owner_id, s.user_agent, s.address, s.created_at, s.last_seen_at, s.expires_at,
               s.verified_at,
               o.email, o.name, o.password_hash, o.language, o.is_invited, o.created_at as owner_created_at
        from sessions s join owners o on o.id = s.owner_id
        where s.token_hash = ${tokenHash} and s.expires_at > ${now}`,
  );

/** Those of the given sessions that are valid. */
export const validOf = async (db: Queryable, tokenHashes: readonly string[], now: number) =>
  (
    await db.all<{ token_hash: string }>(
      sql`select token_hash from sessions where token_hash in ${inList(db, tokenHashes, 'text')} and expires_at > ${now}`,
    )
  ).map(({ token_hash }) => token_hash);

export const touch = (db: Queryable, tokenHash: string, now: number, expiresAt: number) =>
  db.run(sql`update sessions set last_seen_at = ${now}, expires_at = ${expiresAt} where token_hash = ${tokenHash}`);

export const listOf = (db: Queryable, ownerId: string, now: number) =>
  db.all<SessionRow>(
    sql`select token_hash, owner_id, user_agent, address, created_at, last_seen_at, expires_at, verified_at from sessions
        where owner_id = ${ownerId} and expires_at > ${now} order by last_seen_at desc, token_hash`,
  );

export const remove = (db: Queryable, ownerId: string, tokenHash: string) =>
  db.run(sql`delete from sessions where owner_id = ${ownerId} and token_hash = ${tokenHash}`);

export const removeOthers = (db: Queryable, ownerId: string, tokenHash: string) =>
  db.run(sql`delete from sessions where owner_id = ${ownerId} and token_hash <> ${tokenHash}`);

export const removeExpired = (db: Queryable, ownerId: string, now: number) =>
  db.run(sql`delete from sessions where owner_id = ${ownerId} and expires_at <= ${now}`);
