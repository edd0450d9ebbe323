import type { Transaction } from '../db/database.ts';
import { join, rows, sql } from '../db/sql.ts';
import { uuid } from '../db/uuid.ts';
import { nameKey } from '../text/names.ts';
import { HOUR } from '../time/duration.ts';

export interface DemoCategory {
  id: string;
  externalId: string;
  name: string;
  parentId: string | null;
}

export const insertCategories = (tx: Transaction, storeId: string, categories: readonly DemoCategory[], at: number) =>
  tx.run(
    sql`insert into categories (store_id, id, external_id, name, parent_id, created_at, updated_at)
        values ${rows(categories.map(({ id, externalId, name, parentId }) => [storeId, id, externalId, name, parentId, at, at]))}`,
  );

export interface DemoProduct {
  id: string;
  externalId: string;
  sku: string;
  name: string;
  price: number;
  categoryId: string;
  imageUrl: string;
}

/** `lastSeq` is the last of `products.length` consecutive change numbers. */
export const insertProducts = (
  tx: Transaction,
  storeId: string,
  products: readonly DemoProduct[],
  at: number,
  lastSeq: number,
) =>
  tx.run(
    sql`insert into products (store_id, id, external_id, sku, name, name_key, price, category_id, image_url, created_at,
          updated_at, seq)
        values ${rows(
          products.map(({ id, externalId, sku, name, price, categoryId, imageUrl }, index) => {
            return [
              storeId,
              id,
              externalId,
              sku,
              name,
              nameKey(name),
              price,
              categoryId,
              imageUrl,
              at,
              at,
              lastSeq - products.length + 1 + index,
            ];
          }),
        )}`,
  );

export interface DemoEvent {
  id: string;
  created_at: number;
  seq: number;
}

/** Newest first. */
export const latestEvents = (tx: Transaction, storeId: string, types: readonly string[], limit: number) =>
  tx.all<DemoEvent>(
    sql`select id, created_at, seq from events
        where store_id = ${storeId} and type in (${join(
          types.map((type) => sql`${type}`),
          ', ',
        )})
        order by seq desc limit ${limit}`,
  );

export interface DemoEndpoint {
  storeId: string;
  id: string;
  url: string;
  events: string;
  secret: string;
  createdAt: number;
  disabledAt: number;
  failures: number;
  failingSince: number | null;
  subscribedSeq: number;
}

export const insertEndpoint = (tx: Transaction, endpoint: DemoEndpoint) =>
  tx.run(
    sql`insert into webhook_endpoints (store_id, id, url, events, secret, is_active, disabled_reason, disabled_at,
          consecutive_failures, failing_since_at, subscribed_seq, created_at)
        values (${endpoint.storeId}, ${endpoint.id}, ${endpoint.url}, ${endpoint.events}, ${endpoint.secret}, ${false},
          'owner', ${endpoint.disabledAt}, ${endpoint.failures}, ${endpoint.failingSince}, ${endpoint.subscribedSeq}, ${endpoint.createdAt})`,
  );

export interface DemoAttempt {
  at: number;
  durationMs: number;
  status: number | null;
  error: string | null;
  body: string;
}

export interface DemoDelivery {
  event: DemoEvent;
  status: string;
  settledAt: number;
  attempts: readonly DemoAttempt[];
}

export async function insertDeliveries(
  tx: Transaction,
  storeId: string,
  endpointId: string,
  deliveries: readonly DemoDelivery[],
) {
  const withIds = deliveries.map((delivery) => ({ ...delivery, id: uuid(delivery.event.created_at) }));
  await tx.run(
    sql`insert into deliveries (store_id, id, endpoint_id, event_id, status, attempt_count, settled_at, created_at)
        values ${rows(
          withIds.map(({ id, event, status, attempts, settledAt }) => {
            return [storeId, id, endpointId, event.id, status, attempts.length, settledAt, event.created_at];
          }),
        )}`,
  );
  await tx.run(
    sql`insert into attempts (store_id, delivery_id, id, started_at, duration_ms, response_status, error, response_body)
        values ${rows(
          withIds.flatMap(({ id, attempts }) =>
            attempts.map(({ at, durationMs, status, error, body }) => {
              return [storeId, id, uuid(at), at, durationMs, status, error, body];
            }),
          ),
        )}`,
  );
}

/** The attempts summed up by the hour, which the health of an endpoint is read from. */
export function insertHours(tx: Transaction, storeId: string, endpointId: string, attempts: readonly DemoAttempt[]) {
  const hours = new Map<number, DemoAttempt[]>();
  for (const attempt of attempts) {
    const hour = Math.floor((attempt.at + attempt.durationMs) / HOUR) * HOUR;
    hours.set(hour, [...(hours.get(hour) ?? []), attempt]);
  }
  return tx.run(
    sql`insert into endpoint_hours (store_id, endpoint_id, hour_at, attempts, successes, total_ms, slowest_ms)
        values ${rows(
          [...hours].map(([hour, ended]) => {
            const durations = ended.map(({ durationMs }) => durationMs);
            const successes = ended.filter(({ error }) => !error).length;
            const total = durations.reduce((sum, duration) => sum + duration, 0);
            return [storeId, endpointId, hour, ended.length, successes, total, Math.max(...durations)];
          }),
        )}`,
  );
}
