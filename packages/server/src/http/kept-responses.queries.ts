import type { Database, Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export interface KeptResponse {
  path: string;
  key: string;
  body: string | null;
  created_at: number;
}

export type Position = Pick<KeptResponse, 'path' | 'key'>;

/** The next kept responses of a store, by path and key. */
export const keptAfter = (db: Queryable, storeId: string, after: Position, limit: number) =>
  db.all<KeptResponse>(
    sql`select path, key, body, created_at from idempotency_keys
        where store_id = ${storeId} and (path, key) > (${after.path}, ${after.key})
        order by path, key limit ${limit}`,
  );

export const setBody = (db: Database, storeId: string, { path, key }: Position, body: string) =>
  db.transaction(
    (tx) =>
      tx.run(
        sql`update idempotency_keys set body = ${body}
            where store_id = ${storeId} and path = ${path} and key = ${key} and body is not null`,
      ),
    { storeId },
  );

export const remove = (db: Database, storeId: string, { path, key }: Position) =>
  db.transaction(
    (tx) => tx.run(sql`delete from idempotency_keys where store_id = ${storeId} and path = ${path} and key = ${key}`),
    { storeId },
  );
