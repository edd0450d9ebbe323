import { byStore } from '../db/by-store.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { raw, sql } from '../db/sql.ts';

/** What identifies a request that may be repeated. */
export interface RequestRef {
  storeId: string;
  path: string;
  key: string;
}

export interface Lease {
  requestHash: string;
  now: number;
  until: number;
  /** Keys from this time or earlier are free again. */
  expiredAt: number;
}

/** Claims the key if it is new, expired, or of an interrupted request; 0 if it is not free. */
export const claim = (tx: Transaction, { storeId, path, key }: RequestRef, lease: Lease) =>
  tx.run(
    sql`insert into idempotency_keys (store_id, path, key, request_hash, created_at, leased_until_at)
        values (${storeId}, ${path}, ${key}, ${lease.requestHash}, ${lease.now}, ${lease.until})
        on conflict (store_id, path, key) do update
        set request_hash = excluded.request_hash, created_at = excluded.created_at,
            leased_until_at = excluded.leased_until_at, status = null, headers = null, body = null
        where idempotency_keys.created_at <= ${lease.expiredAt}
           or (idempotency_keys.status is null and idempotency_keys.leased_until_at <= ${lease.now})`,
  );

export interface KeyRow {
  request_hash: string;
  created_at: number;
  leased_until_at: number;
  /** null while the request is being processed. */
  status: number | null;
  headers: string;
  body: Buffer;
}

export const find = (db: Queryable, { storeId, path, key }: RequestRef) =>
  db.one<KeyRow>(
    sql`select request_hash, created_at, leased_until_at, status, headers, ${db.dialect.bytes(raw('body'))} as body
        from idempotency_keys where store_id = ${storeId} and path = ${path} and key = ${key}`,
  );

/** Stores the response under the key; 0 if another request has taken over the key. */
export const complete = (
  tx: Transaction,
  { storeId, path, key }: RequestRef,
  leasedUntil: number,
  response: { status: number; headers: string; body: string },
) =>
  tx.run(
    sql`update idempotency_keys set status = ${response.status}, headers = ${response.headers}, body = ${response.body}
        where store_id = ${storeId} and path = ${path} and key = ${key}
          and leased_until_at = ${leasedUntil} and status is null`,
  );

/** Frees the key, unless the request succeeded or another one has taken over the key. */
export const release = (tx: Transaction, { storeId, path, key }: RequestRef, leasedUntil: number) =>
  tx.run(
    sql`delete from idempotency_keys where store_id = ${storeId} and path = ${path} and key = ${key}
          and leased_until_at = ${leasedUntil} and status is null`,
  );

/** Deletes up to `limit` keys from this time or earlier. */
export async function deleteExpired(tx: Transaction, expiredAt: number, limit: number): Promise<number> {
  const expired = await tx.all<{ store_id: string; path: string; key: string }>(
    sql`select store_id, path, key from idempotency_keys where created_at <= ${expiredAt}
        order by created_at limit ${limit} ${tx.dialect.skipLockedAnywhere()}`,
  );
  for (const { rows, at } of byStore(tx.dialect, expired))
    await tx.run(
      sql`delete from idempotency_keys
          where (store_id, path, key) in
                (select x.store_id, x.path, x.key
                 from ${tx.dialect.records('x', { store_id: 'uuid', path: 'text', key: 'text' }, rows)})
                and created_at <= ${expiredAt} ${at('store_id')}`,
    );
  return expired.length;
}
