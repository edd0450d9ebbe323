import type { Queryable, Transaction } from '../../db/database.ts';
import type { Dialect } from '../../db/dialect.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** Locks an endpoint exclusively, which also serializes with transactions that add deliveries to it. */
export const lockEndpoint = (tx: Transaction, storeId: string, id: string) =>
  tx.one<{ is_active: boolean; is_stopping: boolean; consecutive_failures: number; url: string; events: string }>(
    sql`select is_active, is_stopping, consecutive_failures, url, events from webhook_endpoints
        where store_id = ${storeId} and id = ${id} ${tx.dialect.forUpdate}`,
  );

export const activeEndpoints = (tx: Transaction, storeId: string) =>
  tx.all<{ id: string }>(sql`select id from webhook_endpoints where store_id = ${storeId} and is_active order by id`);

/** Endpoints with deliveries left to stop; those of one that is being deleted are deleted instead. */
export const stoppingAnywhere = (db: Queryable) =>
  db.all<{ store_id: string; id: string }>(
    sql`select store_id, id from webhook_endpoints where is_stopping and events <> '' order by id`,
  );

export const stoppingOf = (db: Queryable, storeId: string) =>
  db.all<{ store_id: string; id: string }>(
    sql`select store_id, id from webhook_endpoints where store_id = ${storeId} and is_stopping order by id`,
  );

export const setOff = (
  tx: Transaction,
  storeId: string,
  id: string,
  { reason, now, isStopping }: { reason: string; now: number; isStopping: boolean },
) =>
  tx.run(
    sql`update webhook_endpoints
        set is_active = ${false}, disabled_reason = ${reason}, disabled_at = ${now}, is_stopping = ${isStopping}
        where store_id = ${storeId} and id = ${id}`,
  );

export const setStopped = (tx: Transaction, storeId: string, id: string) =>
  tx.run(sql`update webhook_endpoints set is_stopping = ${false} where store_id = ${storeId} and id = ${id}`);

/** One part for each value of `is_scheduled`, with which the index of the queue begins; ordered, so that it is used. */
export function pendingStatement(dialect: Dialect, storeId: string, id: string, limit: number) {
  const [now, later] = [false, true].map(
    (isScheduled) =>
      sql`select store_id, id from deliveries
          where status = 'pending' and is_scheduled = ${isScheduled} ${dialect.atStore('store_id', storeId)}
                and endpoint_id = (select id from webhook_endpoints where store_id = ${storeId} and id = ${id})
          order by next_attempt_at limit ${limit}`,
  ) as [Sql, Sql];
  return sql`select store_id, id from (${now}) now union all select store_id, id from (${later}) later limit ${limit}`;
}

/**
 * Stops up to `limit` pending deliveries of a locked endpoint and returns their number. Leases are kept, so that an attempt
 * in flight can finish without another one starting. The condition on `next_attempt_at`, which only pending deliveries
 * have, replaces one on the status, which would make SQLite scan the whole queue.
 */
export async function stopPending(tx: Transaction, storeId: string, id: string, now: number, limit: number) {
  const pending = await tx.all<{ store_id: string; id: string }>(pendingStatement(tx.dialect, storeId, id, limit));
  if (pending.length)
    await tx.run(
      sql`update deliveries set status = 'stopped', next_attempt_at = null, is_scheduled = ${false}, settled_at = ${now}
          from ${tx.dialect.records('x', { store_id: 'uuid', id: 'uuid' }, pending)}
          where deliveries.store_id = x.store_id and deliveries.id = x.id
                and deliveries.next_attempt_at is not null ${tx.dialect.atStore('deliveries.store_id', storeId)}`,
    );
  return pending.length;
}

export const insertNotices = (
  tx: Transaction,
  notices: readonly { store_id: string; endpoint_id: string; id: string; kind: string; failures: number; at: number }[],
) =>
  tx.run(
    sql`insert into endpoint_notices (store_id, endpoint_id, id, kind, failures, created_at)
        ${tx.dialect.newRows(
          { store_id: 'uuid', endpoint_id: 'uuid', id: 'uuid', kind: 'text', failures: 'integer', at: 'instant' },
          notices,
        )}`,
  );
