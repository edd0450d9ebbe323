import { type EventType, eventTypes } from '@store-sales/contract';
import type { Actor } from '../../actor.ts';
import type { Transaction } from '../../db/database.ts';
import type { Dialect } from '../../db/dialect.ts';
import { preparedTemplate } from '../../db/prepared-template.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';
import type { RowTable } from '../../db/write/plan.ts';
import { rowTable } from '../../db/write/row-table.ts';
import { wake } from './wake.ts';

export const eventRows = rowTable('events', {
  store_id: 'uuid',
  id: 'uuid',
  type: 'text',
  order_id: 'uuid',
  external_id: 'text',
  details: 'text',
  actor_kind: 'text',
  actor_id: 'uuid',
  created_at: 'instant',
  seq: 'integer',
});

/**
 * One row per event and subscribed endpoint. The endpoints are locked until the commit, so that enabling or disabling one
 * is serialized with this: no delivery is pending at a disabled endpoint, and none is skipped at an enabled one.
 */
const deliveriesOf = (dialect: Dialect, storeId: string, events: Sql, now: number) =>
  sql`insert into deliveries (store_id, id, endpoint_id, event_id, status, next_attempt_at, settled_at, created_at)
      select e.store_id, ${dialect.uuid(sql`e.created_at`, sql`e.id || ' ' || p.id`)}, p.id, e.id,
             case when p.is_active then 'pending' else 'skipped' end,
             case when p.is_active then cast(${now} as bigint) end,
             case when p.is_active then null else cast(${now} as bigint) end,
             e.created_at
      from webhook_endpoints p join events e on e.store_id = p.store_id ${dialect.atStore('e.store_id', storeId)}
      where p.store_id = ${storeId} and ${events} and ' ' || p.events || ' ' like '% ' || e.type || ' %'
      ${dialect.forKeyShareOf('p')}`;

const sentTypes = Object.keys(eventTypes).map((type) => `'${type}'`);

/** Whether an event is for endpoints: as the index `events_by_time`, which has only these, says it. */
export const isSent = (alias: string) => raw(`${alias}.type in (${sentTypes.join(', ')})`);

interface DeliverableEvent {
  storeId: string;
  eventId: string;
  now: number;
}

const ofOne = preparedTemplate((dialect, storeId: string, eventId: string, now: number) =>
  deliveriesOf(dialect, storeId, sql`e.id = ${eventId}`, now),
);

/** Deliveries of new events of one store. */
export const deliveryRows: RowTable<DeliverableEvent> = {
  name: 'deliveries',
  insert(dialect, events) {
    if (dialect.engine === 'sqlite')
      return events.map(({ storeId, eventId, now }) => ofOne(dialect, storeId, eventId, now));
    const [{ storeId }] = events as [DeliverableEvent];
    const now = Math.max(...events.map((event) => event.now));
    const ids = events.map(({ eventId }) => eventId);
    return deliveriesOf(dialect, storeId, sql`e.id = any(${ids}::uuid[])`, now);
  },
  onCommit: (count) => {
    if (count) wake();
  },
};

export interface MovedOrders {
  type: EventType;
  /** The change numbers of the orders, and of their events: above `after`, up to `upTo`. */
  after: number;
  upTo: number;
  at: number;
  actor: Actor;
  details: Record<string, unknown>;
  now: number;
}

export const insertMovedEvents = (tx: Transaction, storeId: string, moved: MovedOrders) =>
  tx.run(
    sql`insert into events (store_id, id, type, order_id, external_id, details, actor_kind, actor_id, created_at, seq)
        select store_id, ${tx.dialect.uuid(sql`updated_at`, sql`id || ' ' || seq`)}, ${moved.type}, id, coalesce(external_id, ''),
               ${JSON.stringify(moved.details)}, ${moved.actor.kind}, ${moved.actor.id}, updated_at, seq
        from orders where store_id = ${storeId} and updated_at = ${moved.at} and seq > ${moved.after} and seq <= ${moved.upTo}`,
  );

export const insertMovedDeliveries = (tx: Transaction, storeId: string, { at, after, upTo, now }: MovedOrders) =>
  tx.run(
    deliveriesOf(
      tx.dialect,
      storeId,
      sql`e.created_at = ${at} and e.seq > ${after} and e.seq <= ${upTo} and ${isSent('e')}`,
      now,
    ),
  );

/** A ping, which belongs to no order, and its delivery to one endpoint, regardless of its subscriptions. */
export async function insertPing(
  tx: Transaction,
  ping: {
    storeId: string;
    eventId: string;
    deliveryId: string;
    endpointId: string;
    attempts: number;
    actor: Actor;
    at: number;
  },
) {
  const { storeId, eventId, deliveryId, endpointId, attempts, actor, at } = ping;
  await tx.run(
    sql`insert into events (store_id, id, type, actor_kind, actor_id, created_at)
        values (${storeId}, ${eventId}, 'ping', ${actor.kind}, ${actor.id}, ${at})`,
  );
  await tx.run(
    sql`insert into deliveries (store_id, id, endpoint_id, event_id, status, attempt_count, next_attempt_at, created_at)
        values (${storeId}, ${deliveryId}, ${endpointId}, ${eventId}, 'pending', ${attempts}, ${at}, ${at})`,
  );
}
