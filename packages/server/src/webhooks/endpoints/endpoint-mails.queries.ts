import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export interface FailingEndpoint {
  store_id: string;
  id: string;
  url: string;
  failing_since_at: number;
}

const isUnmailed = sql`is_active and coalesce(mailed_failing_since_at, 0) <> failing_since_at`;

export const failingSince = (db: Queryable, before: number, limit: number) =>
  db.all<FailingEndpoint>(
    sql`select store_id, id, url, failing_since_at from webhook_endpoints
        where failing_since_at is not null and failing_since_at <= ${before} and ${isUnmailed}
        order by failing_since_at limit ${limit}`,
  );

/** Returns false if another process was first, or the endpoint has recovered. */
export const markMailed = async (tx: Transaction, { store_id, id, failing_since_at }: FailingEndpoint) =>
  (await tx.run(
    sql`update webhook_endpoints set mailed_failing_since_at = failing_since_at
        where store_id = ${store_id} and id = ${id} and failing_since_at = ${failing_since_at} and ${isUnmailed}`,
  )) > 0;

export const urlOf = async (tx: Transaction, storeId: string, id: string) =>
  (await tx.one<{ url: string }>(sql`select url from webhook_endpoints where store_id = ${storeId} and id = ${id}`))
    ?.url;
