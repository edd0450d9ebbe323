import type { Queryable } from '../../db/database.ts';
import { all, sql } from '../../db/sql.ts';
import type { DeliveryStatus } from '../dispatch/outcome.ts';
import type { NoticeKind } from '../endpoints/switch-off.ts';

export interface DeliveryRow {
  store_id: string;
  id: string;
  event_id: string;
  type: string;
  order_id: string | null;
  status: DeliveryStatus;
  next_attempt_at: number | null;
  leased_until_at: number | null;
  created_at: number;
}

/** Newest first. `status in (…)` makes the partial index usable. */
export function deliveriesOf(
  db: Queryable,
  { storeId, endpointId }: { storeId: string; endpointId: string },
  {
    status,
    before,
    limit,
  }: { status?: DeliveryStatus | undefined; before?: readonly [at: number, id: string] | undefined; limit: number },
) {
  const conditions = [sql`d.store_id = ${storeId}`, sql`d.endpoint_id = ${endpointId}`];
  if (status) conditions.push(sql`d.status = ${status}`);
  if (status === 'failed' || status === 'stopped' || status === 'skipped')
    conditions.push(sql`d.status in ('failed', 'stopped', 'skipped')`);
  if (before) conditions.push(sql`(d.created_at, d.id) < (${before[0]}, ${before[1]})`);
  return db.all<DeliveryRow>(
    sql`select d.store_id, d.id, d.event_id, e.type, e.order_id, d.status, d.next_attempt_at, d.leased_until_at,
               d.created_at
        from deliveries d join events e on e.store_id = d.store_id and e.id = d.event_id
        where ${all(conditions)} order by d.created_at desc, d.id desc limit ${limit}`,
  );
}

export interface AttemptRow {
  delivery_id: string;
  started_at: number;
  duration_ms: number;
  response_status: number | null;
  error: string | null;
  response_body: string;
}

export const attemptsOf = (db: Queryable, deliveries: readonly { store_id: string; id: string }[]) =>
  db.all<AttemptRow>(
    sql`select a.delivery_id, a.started_at, a.duration_ms, a.response_status, a.error, a.response_body
        from ${db.dialect.records(
          'x',
          { store_id: 'uuid', id: 'uuid' },
          deliveries.map(({ store_id, id }) => ({ store_id, id })),
        )}
        join attempts a on a.store_id = x.store_id and a.delivery_id = x.id
        order by a.started_at, a.id`,
  );

export const healthOf = (db: Queryable, endpointId: string, storeId: string, since: number) =>
  db.one<{ attempts: number; successes: number; total_ms: number; slowest_ms: number }>(
    sql`select coalesce(sum(attempts), 0) as attempts, coalesce(sum(successes), 0) as successes,
               coalesce(sum(total_ms), 0) as total_ms, coalesce(max(slowest_ms), 0) as slowest_ms
        from endpoint_hours where store_id = ${storeId} and endpoint_id = ${endpointId} and hour_at > ${since}`,
  );

export const noticesOf = (db: Queryable, endpointId: string, storeId: string) =>
  db.all<{ kind: NoticeKind; failures: number; created_at: number }>(
    sql`select kind, failures, created_at from endpoint_notices
        where store_id = ${storeId} and endpoint_id = ${endpointId} order by created_at desc, id desc`,
  );
