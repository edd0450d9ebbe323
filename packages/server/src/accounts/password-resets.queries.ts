import type { Queryable, Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export const saveReset = (
  tx: Transaction,
  { ownerId, tokenHash, now, expiresAt }: { ownerId: string; tokenHash: string; now: number; expiresAt: number },
) =>
  tx.run(
    sql`insert into password_resets (owner_id, token_hash, created_at, expires_at)
        values (${ownerId}, ${tokenHash}, ${now}, ${expiresAt})
        on conflict (owner_id) do update
        set token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at`,
  );

export const hasReset = async (db: Queryable, ownerId: string, tokenHash: string, now: number) =>
  (await db.one(
    sql`select owner_id from password_resets
        where owner_id = ${ownerId} and token_hash = ${tokenHash} and expires_at > ${now}`,
  )) !== undefined;

/** Returns false if the link was used, replaced or has expired: of concurrent requests, one gets true. */
export const takeReset = async (tx: Transaction, ownerId: string, tokenHash: string, now: number) =>
  (await tx.run(
    sql`delete from password_resets
        where owner_id = ${ownerId} and token_hash = ${tokenHash} and expires_at > ${now}`,
  )) > 0;

export const removeReset = (tx: Transaction, ownerId: string) =>
  tx.run(sql`delete from password_resets where owner_id = ${ownerId}`);
