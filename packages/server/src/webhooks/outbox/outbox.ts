import { type EventType, isEventType } from '@store-sales/contract';
import type { Actor } from '../../actor.ts';
import type { Transaction } from '../../db/database.ts';
import type { Sql } from '../../db/sql.ts';
import { uuid } from '../../db/uuid.ts';
import * as queries from './outbox.queries.ts';
import { wake } from './wake.ts';

export interface NewEvent {
  /** An edit is kept for the order's timeline only: no endpoint can subscribe to it. */
  type: EventType | 'order.edited';
  orderId: string;
  externalId: string;
  /** When the change counts as made: never earlier than the change before it, so it may be ahead of the clock. */
  at: number;
  actor: Actor;
  /** For the timeline: what it was and what it became. */
  details?: Record<string, unknown>;
}

/**
 * Writes events, and a delivery for each endpoint that wants them, in the transaction of the change they tell
 * of: neither is ever without the other.
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
  const told = ids.filter((_, index) => isEventType(events[index]?.type ?? ''));
  if (told.length) addDeliveries(tx, storeId, queries.eventsWithIds(told), now);
}

/** The condition chooses among the store's events, which it calls `e`. */
function addDeliveries(tx: Transaction, storeId: string, where: Sql, now: number) {
  queries.insertDeliveries(tx, storeId, where, now, (count) => {
    if (count) tx.onCommit(wake);
  });
}

/** The same for any number of orders at once, which never leave the engine: one event for each. */
export function recordMovedOrders(tx: Transaction, storeId: string, moved: queries.MovedOrders) {
  queries.insertMovedEvents(tx, storeId, moved);
  addDeliveries(tx, storeId, queries.eventsOfMoved(storeId, moved), moved.now);
}
