import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export interface CodeGeneratorRow {
  owner_id: string;
  id: string;
  /** Encrypted; null if it was lost with its key. */
  secret: string | null;
  last_step: number;
  created_at: number;
}

export interface PasskeyRow {
  owner_id: string;
  id: string;
  credential_id: string;
  host: string;
  public_key: string;
  counter: number;
  /** Separated by spaces. */
  transports: string;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

export const hasFactor = async (db: Queryable, ownerId: string) =>
  (await db.one<{ found: number }>(
    sql`select 1 as found from code_generators where owner_id = ${ownerId}
        union all select 1 as found from passkeys where owner_id = ${ownerId} limit 1`,
  )) !== undefined;

/** Those members of a store who have a second factor. */
export const membersWithFactor = async (db: Queryable, storeId: string) =>
  (
    await db.all<{ owner_id: string }>(
      sql`select owner_id from store_members m where store_id = ${storeId}
            and (exists (select 1 from code_generators g where g.owner_id = m.owner_id)
                 or exists (select 1 from passkeys p where p.owner_id = m.owner_id))`,
    )
  ).map(({ owner_id }) => owner_id);

export const findGenerator = (db: Queryable, ownerId: string) =>
  db.one<CodeGeneratorRow>(
    sql`select owner_id, id, secret, last_step, created_at from code_generators where owner_id = ${ownerId}`,
  );

export const saveGenerator = (tx: Transaction, row: CodeGeneratorRow) =>
  tx.run(
    sql`insert into code_generators (owner_id, id, secret, last_step, created_at)
        values (${row.owner_id}, ${row.id}, ${row.secret}, ${row.last_step}, ${row.created_at})
        on conflict (owner_id) do update set id = excluded.id, secret = excluded.secret,
          last_step = excluded.last_step, created_at = excluded.created_at`,
  );

export const deleteGenerator = async (tx: Transaction, ownerId: string) =>
  (await tx.run(sql`delete from code_generators where owner_id = ${ownerId}`)) > 0;

/** Returns false if the code of this step or of a later one was used. */
export const useStep = async (tx: Transaction, ownerId: string, id: string, step: number) =>
  (await tx.run(
    sql`update code_generators set last_step = ${step}
        where owner_id = ${ownerId} and id = ${id} and last_step < ${step}`,
  )) > 0;

export const listPasskeys = (db: Queryable, ownerId: string) =>
  db.all<PasskeyRow>(
    sql`select owner_id, id, credential_id, host, public_key, counter, transports, name, created_at, last_used_at
        from passkeys where owner_id = ${ownerId} order by created_at, id`,
  );

/** Returns false if the account has this passkey. */
export const insertPasskey = async (tx: Transaction, row: PasskeyRow) =>
  (await tx.run(
    sql`insert into passkeys
          (owner_id, id, credential_id, host, public_key, counter, transports, name, created_at, last_used_at)
        values (${row.owner_id}, ${row.id}, ${row.credential_id}, ${row.host}, ${row.public_key}, ${row.counter},
                ${row.transports}, ${row.name}, ${row.created_at}, ${row.last_used_at})
        on conflict (owner_id, credential_id) do nothing`,
  )) > 0;

/** Returns false if the passkey was removed, or its counter is no longer the one that was verified. */
export const usePasskey = async (tx: Transaction, row: PasskeyRow, counter: number, now: number) =>
  (await tx.run(
    sql`update passkeys set counter = ${counter}, last_used_at = ${now}
        where owner_id = ${row.owner_id} and id = ${row.id} and counter = ${row.counter}`,
  )) > 0;

export const deletePasskey = (tx: Transaction, ownerId: string, id: string) =>
  tx.run(sql`delete from passkeys where owner_id = ${ownerId} and id = ${id}`);

export const deletePasskeys = (tx: Transaction, ownerId: string) =>
  tx.run(sql`delete from passkeys where owner_id = ${ownerId}`);

export const countRecoveryCodes = async (db: Queryable, ownerId: string) =>
  Number(
    (await db.one<{ count: number }>(sql`select count(*) as count from recovery_codes where owner_id = ${ownerId}`))
      ?.count,
  );

export async function replaceRecoveryCodes(tx: Transaction, ownerId: string, hashes: readonly string[]) {
  await tx.run(sql`delete from recovery_codes where owner_id = ${ownerId}`);
  for (const hash of hashes)
    await tx.run(sql`insert into recovery_codes (owner_id, code_hash) values (${ownerId}, ${hash})`);
}

/** Returns false if there is no such code, or it was used. */
export const useRecoveryCode = async (tx: Transaction, ownerId: string, hash: string) =>
  (await tx.run(sql`delete from recovery_codes where owner_id = ${ownerId} and code_hash = ${hash}`)) > 0;

/** Returns false if the token was used. */
export async function useToken(tx: Transaction, ownerId: string, nonce: string, expiresAt: number, now: number) {
  await tx.run(sql`delete from used_tokens where owner_id = ${ownerId} and expires_at <= ${now}`);
  const inserted = await tx.run(
    sql`insert into used_tokens (owner_id, nonce, expires_at) values (${ownerId}, ${nonce}, ${expiresAt})
        on conflict (owner_id, nonce) do nothing`,
  );
  return inserted > 0;
}

export const setVerified = (tx: Transaction, ownerId: string, sessionId: string, now: number) =>
  tx.run(sql`update sessions set verified_at = ${now} where owner_id = ${ownerId} and token_hash = ${sessionId}`);

export const forgetOtherVerifications = (tx: Transaction, ownerId: string, sessionId: string) =>
  tx.run(sql`update sessions set verified_at = 0 where owner_id = ${ownerId} and token_hash <> ${sessionId}`);
