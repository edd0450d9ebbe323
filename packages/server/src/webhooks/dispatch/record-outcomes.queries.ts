import type { DeliveryStatus } from '@store-sales/contract/console';
import { atStoreOf } from '../../db/cluster/by-store.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

type Ref = { store_id: string; id: string };
const ref = { store_id: 'uuid', id: 'uuid' } as const;

export interface EndpointFigures extends Ref {
  is_active: boolean;
  consecutive_failures: number;
  failing_since_at: number | null;
}

/** Locks the endpoints of a batch, in the order in which all lock several: by store and id. */
export const lockEndpoints = (tx: Transaction, endpoints: readonly Ref[]) =>
  tx.all<EndpointFigures>(
    sql`select store_id, id, is_active, consecutive_failures, failing_since_at from webhook_endpoints
        where (store_id, id) in (select x.store_id, x.id from ${tx.dialect.records('x', ref, endpoints)})
              ${atStoreOf(tx.dialect, 'store_id', endpoints)}
        order by store_id, id ${tx.dialect.forNoKeyUpdate}`,
  );

export interface DeliveryFigures extends Ref {
  status: DeliveryStatus;
  attempt_count: number;
  next_attempt_at: number | null;
}

/** The lease must still be the same for an outcome to be applied. */
type Leased = Ref & { lease: number };
const leased = { ...ref, lease: 'instant' } as const;

/** A success overrides any other status. Returns the deliveries whose lease we still hold. */
export const markDelivered = (tx: Transaction, delivered: readonly (Leased & { at: number })[]) =>
  tx.all<DeliveryFigures>(
    sql`update deliveries
        set status = 'delivered', attempt_count = deliveries.attempt_count + 1, next_attempt_at = null,
            is_scheduled = ${false}, leased_until_at = null, settled_at = x.at
        from ${tx.dialect.records('x', { ...leased, at: 'instant' }, delivered)}
        where deliveries.store_id = x.store_id and deliveries.id = x.id and deliveries.leased_until_at = x.lease
              ${atStoreOf(tx.dialect, 'deliveries.store_id', delivered)}
        returning deliveries.store_id, deliveries.id, status, attempt_count, next_attempt_at`,
  );

export const findDeliveries = (tx: Transaction, deliveries: readonly Leased[]) =>
  tx.all<DeliveryFigures>(
    sql`select d.store_id, d.id, d.status, d.attempt_count, d.next_attempt_at
        from ${tx.dialect.records('x', leased, deliveries)}
        join deliveries d on d.store_id = x.store_id and d.id = x.id and d.leased_until_at = x.lease
             ${atStoreOf(tx.dialect, 'd.store_id', deliveries)}`,
  );

export interface RecordedDelivery extends Leased {
  status: DeliveryStatus;
  attempts: number;
  next_at: number | null;
  settled_at: number | null;
}

const recorded = { ...leased, status: 'text', attempts: 'integer', next_at: 'instant', settled_at: 'instant' } as const;

export const updateDeliveries = (tx: Transaction, deliveries: readonly RecordedDelivery[]) =>
  tx.run(
    sql`update deliveries
        set status = x.status, attempt_count = x.attempts, next_attempt_at = x.next_at,
            is_scheduled = (x.status = 'pending'), leased_until_at = null, settled_at = x.settled_at
        from ${tx.dialect.records('x', recorded, deliveries)}
        where deliveries.store_id = x.store_id and deliveries.id = x.id and deliveries.leased_until_at = x.lease
              ${atStoreOf(tx.dialect, 'deliveries.store_id', deliveries)}`,
  );

export interface AttemptRow {
  store_id: string;
  delivery_id: string;
  id: string;
  started_at: number;
  duration_ms: number;
  response_status: number | null;
  error: string | null;
  response_body: string;
}

const attemptColumns = {
  store_id: 'uuid',
  delivery_id: 'uuid',
  id: 'uuid',
  started_at: 'instant',
  duration_ms: 'integer',
  response_status: 'integer',
  error: 'text',
  response_body: 'text',
} as const;

/** The log of an endpoint that is being deleted lacks some of its deliveries. */
export const insertAttempts = (tx: Transaction, attempts: readonly AttemptRow[]) =>
  tx.run(
    sql`insert into attempts (store_id, delivery_id, id, started_at, duration_ms, response_status, error, response_body)
        select d.store_id, x.delivery_id, x.id, x.started_at, x.duration_ms, x.response_status, x.error, x.response_body
        from ${tx.dialect.records('x', attemptColumns, attempts)}
        join deliveries d on d.store_id = x.store_id and d.id = x.delivery_id
             ${atStoreOf(tx.dialect, 'd.store_id', attempts)}`,
  );

export const updateEndpoints = (
  tx: Transaction,
  endpoints: readonly (Ref & { failures: number; failing_since_at: number | null })[],
) =>
  tx.run(
    sql`update webhook_endpoints set consecutive_failures = x.failures, failing_since_at = x.failing_since_at
        from ${tx.dialect.records('x', { ...ref, failures: 'integer', failing_since_at: 'instant' }, endpoints)}
        where webhook_endpoints.store_id = x.store_id and webhook_endpoints.id = x.id
              ${atStoreOf(tx.dialect, 'webhook_endpoints.store_id', endpoints)}`,
  );

export interface HourRow {
  store_id: string;
  endpoint_id: string;
  hour_at: number;
  attempts: number;
  successes: number;
  total_ms: number;
  slowest_ms: number;
}

const hourColumns = {
  store_id: 'uuid',
  endpoint_id: 'uuid',
  hour_at: 'instant',
  attempts: 'integer',
  successes: 'integer',
  total_ms: 'integer',
  slowest_ms: 'integer',
} as const;

export const addToHours = (tx: Transaction, hours: readonly HourRow[]) =>
  tx.run(
    sql`insert into endpoint_hours (store_id, endpoint_id, hour_at, attempts, successes, total_ms, slowest_ms)
        ${tx.dialect.newRows(hourColumns, hours)}
        on conflict (store_id, endpoint_id, hour_at) do update
        set attempts = endpoint_hours.attempts + excluded.attempts,
            successes = endpoint_hours.successes + excluded.successes,
            total_ms = endpoint_hours.total_ms + excluded.total_ms,
            slowest_ms = ${tx.dialect.greatest(sql`endpoint_hours.slowest_ms`, sql`excluded.slowest_ms`)}`,
  );
