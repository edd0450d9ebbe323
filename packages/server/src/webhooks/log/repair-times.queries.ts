import type { Queryable, Transaction } from '../../db/database.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';

export const endpointIds = (db: Queryable, storeId: string) =>
  db.all<{ id: string }>(sql`select id from webhook_endpoints where store_id = ${storeId} order by id`);

const updateBatch = (tx: Transaction, storeId: string, set: Sql, where: Sql, limit: number) =>
  tx.run(
    sql`update deliveries set ${set} from
          (select d.id from deliveries d where ${where} ${tx.dialect.atStore('d.store_id', storeId)}
           limit ${limit} ${tx.dialect.forUpdate}) x
        where deliveries.store_id = ${storeId} and deliveries.id = x.id`,
  );

/** First attempts are due immediately, and no retry is delayed longer than the longest delay. */
export const resetFutureAttempts = (
  tx: Transaction,
  storeId: string,
  endpointId: string,
  { now, longestDelay, limit }: { now: number; longestDelay: number; limit: number },
) =>
  updateBatch(
    tx,
    storeId,
    sql`next_attempt_at = ${now}, leased_until_at = null`,
    sql`d.status = 'pending' and d.endpoint_id = ${endpointId} and d.next_attempt_at > ${now}
        and (d.attempt_count = 0 or d.next_attempt_at > ${now + longestDelay})`,
    limit,
  );

export const resetFutureLeases = (
  tx: Transaction,
  storeId: string,
  endpointId: string,
  { until, limit }: { until: number; limit: number },
) =>
  updateBatch(
    tx,
    storeId,
    sql`leased_until_at = null`,
    sql`d.status = 'pending' and d.endpoint_id = ${endpointId} and d.leased_until_at > ${until}`,
    limit,
  );

export const resetFutureLogTimes = (
  tx: Transaction,
  storeId: string,
  endpointId: string,
  { now, limit }: { now: number; limit: number },
) =>
  updateBatch(
    tx,
    storeId,
    sql`created_at = ${now}`,
    sql`d.store_id = ${storeId} and d.endpoint_id = ${endpointId} and d.created_at > ${now}`,
    limit,
  );

/** Deletes the figures of future hours, and sets future times of endpoints and notices to now. */
export async function repairEndpoints(tx: Transaction, storeId: string, now: number) {
  await tx.run(sql`delete from endpoint_hours where store_id = ${storeId} and hour_at > ${now}`);
  await tx.run(
    sql`update endpoint_notices set created_at = ${now} where store_id = ${storeId} and created_at > ${now}`,
  );
  for (const column of ['created_at', 'failing_since_at', 'disabled_at'].map(raw))
    await tx.run(
      sql`update webhook_endpoints set ${column} = ${now} where store_id = ${storeId} and ${column} > ${now}`,
    );
}
