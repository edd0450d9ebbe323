import { type EventType, isEventType } from '@store-sales/contract';
import type { Actor } from '../../actor.ts';
import type { Transaction } from '../../db/database.ts';
import { uuid } from '../../db/uuid.ts';
import * as queries from './outbox.queries.ts';
import { wake } from './wake.ts';

export interface NewEvent {
  /** `order.edited` is recorded for the order's timeline only; endpoints cannot subscribe to it. */
  type: EventType | 'order.edited';
  orderId: string;
  externalId: string;
  /** Time of the change. Never earlier than the previous change, so it may be ahead of the clock. */
  at: number;
  actor: Actor;
  /** For the timeline: values before and after. */
  details?: Record<string, unknown>;
}

/**
 * Transactional outbox: writes events, and a delivery for each subscribed endpoint, in the transaction of the change
 * itself.
 */
export function recordEvents(tx: Transaction, storeId: string, events: readonly NewEvent[], now: number) {
  if (!events.length) return;
  const ids = events.map((event) => uuid(event.at));
  queries.insertEvents(
    tx,
    events.map((event, index) => ({
      storeId,
      id: ids[index] as string,
      type: event.type,
      orderId: event.orderId,
      externalId: event.externalId,
      details: JSON.stringify(event.details ?? {}),
      actor: event.actor,
      at: event.at,
    })),
  );
  const deliverable = ids.filter((_, index) => isEventType(events[index]?.type ?? ''));
  if (!deliverable.length) return;
  queries.insertDeliveriesOf(
    tx,
    deliverable.map((eventId) => ({ storeId, eventId, now })),
    wakeIfAny(tx),
  );
}

const wakeIfAny = (tx: Transaction) => (count: number) => {
  if (count) tx.onCommit(wake);
};

/** Records one event for each of any number of orders, without reading them into the process. */
export function recordMovedOrders(tx: Transaction, storeId: string, moved: queries.MovedOrders) {
  queries.insertMovedEvents(tx, storeId, moved);
  queries.insertDeliveries(tx, storeId, queries.eventsOfMoved(storeId, moved), moved.now, wakeIfAny(tx));
}
