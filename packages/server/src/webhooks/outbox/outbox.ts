import { type EventType, isEventType } from '@store-sales/contract';
import type { Actor } from '../../actor.ts';
import type { StoreClock } from '../../db/clock/store-clock.ts';
import type { Transaction } from '../../db/database.ts';
import { uuid } from '../../db/uuid.ts';
import { insert, type Write } from '../../db/write/plan.ts';
import * as queries from './outbox.queries.ts';
import { wake } from './wake.ts';

export { isSent } from './outbox.queries.ts';

export interface NewEvent {
  /** `order.edited` and `order.mailed` are recorded for the order's timeline only; endpoints cannot subscribe to them. */
  type: EventType | 'order.edited' | 'order.mailed';
  /** For the timeline: values before and after. */
  details?: Record<string, unknown>;
}

/** What events of one change have in common. */
export interface EventSource {
  storeId: string;
  orderId: string;
  externalId: string;
  actor: Actor;
  now: number;
}

/**
 * Transactional outbox: the events of a change, each with a change number of its own, and a delivery for each subscribed
 * endpoint, for the transaction of the change itself.
 */
export function eventWrites(
  { storeId, orderId, externalId, actor, now }: EventSource,
  events: readonly NewEvent[],
  clock: StoreClock,
): Write[] {
  const rows = events.map(({ type, details = {} }) => ({
    store_id: storeId,
    id: uuid(clock.time),
    type,
    order_id: orderId,
    external_id: externalId,
    details: JSON.stringify(details),
    actor_kind: actor.kind,
    actor_id: actor.id,
    created_at: clock.time,
    seq: clock.nextSeq(),
  }));
  const sent = rows.filter(({ type }) => isEventType(type));
  return [
    insert(queries.eventRows, rows),
    insert(
      queries.deliveryRows,
      sent.map(({ id }) => ({ storeId, eventId: id, now })),
    ),
  ];
}

/** Records one event for each of any number of orders, without reading them into the process. */
export async function recordMovedOrders(tx: Transaction, storeId: string, moved: queries.MovedOrders) {
  await queries.insertMovedEvents(tx, storeId, moved);
  if (await queries.insertMovedDeliveries(tx, storeId, moved)) tx.onCommit(wake);
}
