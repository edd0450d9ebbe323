import type { EventType } from '@store-sales/contract';
import type { Actor } from '../../actor.ts';
import type { Transaction } from '../../db/database.ts';
import { join, rows, type Sql, sql } from '../../db/sql.ts';

export interface EventRow {
  storeId: string;
  id: string;
  type: string;
  orderId: string | null;
  externalId: string;
  details: string;
  actor: Actor;
  at: number;
}

export const insertEvents = (tx: Transaction, events: readonly EventRow[]) =>
  tx.send(
    sql`insert into events (store_id, id, type, order_id, external_id, details, actor_kind, actor_id, created_at)
        values ${rows(
          events.map((e) => [
            e.storeId,
            e.id,
            e.type,
            e.orderId,
            e.externalId,
            e.details,
            e.actor.kind,
            e.actor.id,
            e.at,
          ]),
        )}`,
  );

export const eventsWithIds = (ids: readonly string[]) =>
  sql`e.id in (${join(
    ids.map((id) => sql`${id}`),
    ', ',
  )})`;

export interface MovedOrders {
  type: EventType;
  /** Selects the orders updated at `at` whose change number is above `after`, up to `upTo`. */
  after: number;
  upTo: number;
  at: number;
  actor: Actor;
  details: Record<string, unknown>;
  now: number;
}

const movedOrders = (storeId: string, { at, after, upTo }: MovedOrders) =>
  sql`from orders where store_id = ${storeId} and updated_at = ${at} and seq > ${after} and seq <= ${upTo}`;

export const insertMovedEvents = (tx: Transaction, storeId: string, moved: MovedOrders) =>
  tx.send(
    sql`insert into events (store_id, id, type, order_id, external_id, details, actor_kind, actor_id, created_at)
        select store_id, ${tx.dialect.uuid(sql`updated_at`)}, ${moved.type}, id, coalesce(external_id, ''),
               ${JSON.stringify(moved.details)}, ${moved.actor.kind}, ${moved.actor.id}, updated_at
        ${movedOrders(storeId, moved)}`,
  );

export const eventsOfMoved = (storeId: string, moved: MovedOrders) =>
  sql`e.type = ${moved.type} and e.created_at = ${moved.at} and e.order_id in (select id ${movedOrders(storeId, moved)})`;

/**
 * Inserts one row per event and subscribed endpoint; `onDone` gets their number. The endpoints are locked until the
 * commit, so that enabling or disabling one is serialized with this: no delivery is pending at a disabled endpoint, and none is
 * skipped at an enabled one.
 */
export const insertDeliveries = (
  tx: Transaction,
  storeId: string,
  where: Sql,
  now: number,
  onDone: (count: number) => void,
) =>
  tx.send(
    sql`insert into deliveries (store_id, id, endpoint_id, event_id, status, next_attempt_at, settled_at, created_at)
        select e.store_id, ${tx.dialect.uuid(sql`e.created_at`)}, p.id, e.id,
               case when p.is_active then 'pending' else 'skipped' end,
               case when p.is_active then cast(${now} as bigint) end,
               case when p.is_active then null else cast(${now} as bigint) end,
               e.created_at
        from webhook_endpoints p join events e on e.store_id = p.store_id
        where p.store_id = ${storeId} and ${where} and ' ' || p.events || ' ' like '% ' || e.type || ' %'
        ${tx.dialect.forKeyShareOf('p')}`,
    onDone,
  );

/** For pings: a delivery to one endpoint, regardless of its subscriptions. */
export const insertDelivery = (
  tx: Transaction,
  delivery: { storeId: string; id: string; endpointId: string; eventId: string; attempts: number; at: number },
) =>
  tx.run(
    sql`insert into deliveries (store_id, id, endpoint_id, event_id, status, attempt_count, next_attempt_at, created_at)
        values (${delivery.storeId}, ${delivery.id}, ${delivery.endpointId}, ${delivery.eventId}, 'pending',
                ${delivery.attempts}, ${delivery.at}, ${delivery.at})`,
  );
