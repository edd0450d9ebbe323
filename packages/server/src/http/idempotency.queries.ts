import type { Expired } from '../db/batches/delete-expired.ts';
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

/** Locks the key, if the lease is still ours. */
export const lockLease = (tx: Queryable, { storeId, path, key }: RequestRef, leasedUntil: number) =>
  tx.one(
    sql`select 1 as one from idempotency_keys
        where store_id = ${storeId} and path = ${path} and key = ${key}
          and leased_until_at = ${leasedUntil} and status is null ${tx.dialect.forNoKeyUpdate}`,
  );

export interface StoredResponse {
  status: number;
  headers: string;
  body: string;
}

/** Stores the response under the key. */
export const complete = ({ storeId, path, key }: RequestRef, response: StoredResponse) =>
  sql`update idempotency_keys set status = ${response.status}, headers = ${response.headers}, body = ${response.body}
      where store_id = ${storeId} and path = ${path} and key = ${key}`;

/** Frees the key, unless the request succeeded or another one has taken over the key. */
export const release = (tx: Transaction, { storeId, path, key }: RequestRef, leasedUntil: number) =>
  tx.run(
    sql`delete from idempotency_keys where store_id = ${storeId} and path = ${path} and key = ${key}
          and leased_until_at = ${leasedUntil} and status is null`,
  );

/** The keys of a store from this time or earlier. */
export function expired(storeId: string, expiredAt: number): Expired {
  const isExpired = sql`store_id = ${storeId} and created_at <= ${expiredAt}`;
  return {
    isAny: async (db) =>
      (await db.one(sql`select 1 as found from idempotency_keys where ${isExpired} limit 1`)) !== undefined,
    deleteSome: (tx, limit) =>
      tx.run(
        sql`delete from idempotency_keys
            where ${isExpired} and (path, key) in (
              select path, key from idempotency_keys where ${isExpired} order by created_at limit ${limit} ${tx.dialect.skipLocked})`,
      ),
  };
}
