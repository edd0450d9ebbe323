import type { EventType } from '@store-sales/contract';
import type { Actor } from '../../actor.ts';
import type { RowsStatement, Transaction } from '../../db/database.ts';
import type { Dialect } from '../../db/dialect.ts';
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

const eventRows: RowsStatement<EventRow> = {
  few: (_, events) =>
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
  many: (dialect, events) =>
    sql`insert into events (store_id, id, type, order_id, external_id, details, actor_kind, actor_id, created_at)
        select x.* from ${dialect.records(
          'x',
          {
            store_id: 'uuid',
            id: 'uuid',
            type: 'text',
            order_id: 'uuid',
            external_id: 'text',
            details: 'text',
            actor_kind: 'text',
            actor_id: 'uuid',
            created_at: 'instant',
          },
          events.map((e) => ({
            store_id: e.storeId,
            id: e.id,
            type: e.type,
            order_id: e.orderId,
            external_id: e.externalId,
            details: e.details,
            actor_kind: e.actor.kind,
            actor_id: e.actor.id,
            created_at: e.at,
          })),
        )}`,
};

export const insertEvents = (tx: Transaction, events: readonly EventRow[]) => tx.sendRows(eventRows, events);

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
        select store_id, ${tx.dialect.uuid(sql`updated_at`, sql`id || ' ' || seq`)}, ${moved.type}, id, coalesce(external_id, ''),
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
const deliveriesOf = (dialect: Dialect, storeId: string, where: Sql, now: number) =>
  sql`insert into deliveries (store_id, id, endpoint_id, event_id, status, next_attempt_at, settled_at, created_at)
      select e.store_id, ${dialect.uuid(sql`e.created_at`, sql`e.id || ' ' || p.id`)}, p.id, e.id,
             case when p.is_active then 'pending' else 'skipped' end,
             case when p.is_active then cast(${now} as bigint) end,
             case when p.is_active then null else cast(${now} as bigint) end,
             e.created_at
      from webhook_endpoints p join events e on e.store_id = p.store_id ${dialect.atStore('e.store_id', storeId)}
      where p.store_id = ${storeId} and ${where} and ' ' || p.events || ' ' like '% ' || e.type || ' %'
      ${dialect.forKeyShareOf('p')}`;

export const insertDeliveries = (
  tx: Transaction,
  storeId: string,
  where: Sql,
  now: number,
  onDone: (count: number) => void,
) => tx.send(deliveriesOf(tx.dialect, storeId, where, now), onDone);

interface DeliverableEvent {
  storeId: string;
  eventId: string;
  now: number;
}

const deliveryRows: RowsStatement<DeliverableEvent> = {
  few(dialect, events) {
    const { storeId, now } = events[0] as DeliverableEvent;
    const ids = events.map(({ eventId }) => sql`${eventId}`);
    return deliveriesOf(dialect, storeId, sql`e.id in (${join(ids, ', ')})`, now);
  },
  // Of one store; the time of the group is that of its latest member.
  many(dialect, events) {
    const { storeId } = events[0] as DeliverableEvent;
    const ids = events.map(({ eventId }) => eventId);
    return deliveriesOf(dialect, storeId, sql`e.id = any(${ids}::uuid[])`, Math.max(...events.map(({ now }) => now)));
  },
};

/** The same for these events. */
export const insertDeliveriesOf = (
  tx: Transaction,
  events: readonly DeliverableEvent[],
  onDone: (count: number) => void,
) => tx.sendRows(deliveryRows, events, onDone);

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
