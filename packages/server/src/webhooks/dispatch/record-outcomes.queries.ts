import type { DeliveryStatus } from '@store-sales/contract/console';
import { byStore, ofStores } from '../../db/by-store.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

type Ref = { store_id: string; id: string };
const ref = { store_id: 'uuid', id: 'uuid' } as const;

export interface EndpointFigures extends Ref {
  is_active: boolean;
  consecutive_failures: number;
  failing_since_at: number | null;
}

/** Locks the endpoints of a batch, always in the order of their ids so that dispatchers cannot deadlock. */
export const lockEndpoints = (tx: Transaction, endpoints: readonly Ref[]) =>
  ofStores(byStore(tx.dialect, endpoints), ({ rows, at }) =>
    tx.all<EndpointFigures>(
      sql`select store_id, id, is_active, consecutive_failures, failing_since_at from webhook_endpoints
          where (store_id, id) in (select x.store_id, x.id from ${tx.dialect.records('x', ref, rows)}) ${at('store_id')}
          order by id ${tx.dialect.forNoKeyUpdate}`,
    ),
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
  ofStores(byStore(tx.dialect, delivered), ({ rows, at }) =>
    tx.all<DeliveryFigures>(
      sql`update deliveries
          set status = 'delivered', attempt_count = deliveries.attempt_count + 1, next_attempt_at = null,
              leased_until_at = null, settled_at = x.at
          from ${tx.dialect.records('x', { ...leased, at: 'instant' }, rows)}
          where deliveries.store_id = x.store_id and deliveries.id = x.id and deliveries.leased_until_at = x.lease
                ${at('deliveries.store_id')}
          returning deliveries.store_id, deliveries.id, status, attempt_count, next_attempt_at`,
    ),
  );

export const findDeliveries = (tx: Transaction, deliveries: readonly Leased[]) =>
  ofStores(byStore(tx.dialect, deliveries), ({ rows, at }) =>
    tx.all<DeliveryFigures>(
      sql`select d.store_id, d.id, d.status, d.attempt_count, d.next_attempt_at
          from ${tx.dialect.records('x', leased, rows)}
          join deliveries d on d.store_id = x.store_id and d.id = x.id and d.leased_until_at = x.lease
               ${at('d.store_id')}`,
    ),
  );

export interface RecordedDelivery extends Leased {
  status: DeliveryStatus;
  attempts: number;
  next_at: number | null;
  settled_at: number | null;
}

const recorded = { ...leased, status: 'text', attempts: 'integer', next_at: 'instant', settled_at: 'instant' } as const;

export function updateDeliveries(tx: Transaction, deliveries: readonly RecordedDelivery[]) {
  for (const { rows, at } of byStore(tx.dialect, deliveries))
    tx.send(
      sql`update deliveries
          set status = x.status, attempt_count = x.attempts, next_attempt_at = x.next_at, leased_until_at = null,
              settled_at = x.settled_at
          from ${tx.dialect.records('x', recorded, rows)}
          where deliveries.store_id = x.store_id and deliveries.id = x.id and deliveries.leased_until_at = x.lease
                ${at('deliveries.store_id')}`,
    );
}

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
export function insertAttempts(tx: Transaction, attempts: readonly AttemptRow[]) {
  for (const { rows, at } of byStore(tx.dialect, attempts))
    tx.send(
      sql`insert into attempts (store_id, delivery_id, id, started_at, duration_ms, response_status, error, response_body)
          select d.store_id, x.delivery_id, x.id, x.started_at, x.duration_ms, x.response_status, x.error, x.response_body
          from ${tx.dialect.records('x', attemptColumns, rows)}
          join deliveries d on d.store_id = x.store_id and d.id = x.delivery_id ${at('d.store_id')}`,
    );
}

export function updateEndpoints(
  tx: Transaction,
  endpoints: readonly (Ref & { failures: number; failing_since_at: number | null })[],
) {
  for (const { rows, at } of byStore(tx.dialect, endpoints))
    tx.send(
      sql`update webhook_endpoints set consecutive_failures = x.failures, failing_since_at = x.failing_since_at
          from ${tx.dialect.records('x', { ...ref, failures: 'integer', failing_since_at: 'instant' }, rows)}
          where webhook_endpoints.store_id = x.store_id and webhook_endpoints.id = x.id
                ${at('webhook_endpoints.store_id')}`,
    );
}

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

export function addToHours(tx: Transaction, hours: readonly HourRow[]) {
  if (!hours.length) return;
  tx.send(
    sql`insert into endpoint_hours (store_id, endpoint_id, hour_at, attempts, successes, total_ms, slowest_ms)
        ${tx.dialect.newRows(hourColumns, hours)}
        on conflict (store_id, endpoint_id, hour_at) do update
        set attempts = endpoint_hours.attempts + excluded.attempts,
            successes = endpoint_hours.successes + excluded.successes,
            total_ms = endpoint_hours.total_ms + excluded.total_ms,
            slowest_ms = ${tx.dialect.greatest(sql`endpoint_hours.slowest_ms`, sql`excluded.slowest_ms`)}`,
  );
}
