import type { EventType } from '@store-sales/contract';
import type { Actor } from '../actor.ts';
import type { Transaction } from '../db/database.ts';
import { rows, sql } from '../db/sql.ts';
import { uuid } from '../db/uuid.ts';

export interface NewEvent {
  type: EventType;
  orderId: string;
  externalId: string;
  /** When the change counts as made. */
  at: number;
  actor: Actor;
  /** For the timeline: what it was and what it became. */
  details?: Record<string, unknown>;
}

/** Writes events in the transaction of the change they tell of: neither is ever without the other. */
export async function recordEvents(tx: Transaction, storeId: string, events: readonly NewEvent[]) {
  if (!events.length) return;
  const table = events.map((event) => [
    storeId,
    uuid(event.at),
    event.type,
    event.orderId,
    event.externalId,
    JSON.stringify(event.details ?? {}),
    event.actor.kind,
    event.actor.id,
    event.at,
  ]);
  await tx.run(
    sql`insert into events (store_id, id, type, order_id, external_id, details, actor_kind, actor_id, created_at)
        values ${rows(table)}`,
  );
}

export interface MovedOrders {
  type: EventType;
  /** Which orders: those stamped with `at` and a change number above `after`, up to `upTo`. */
  after: number;
  upTo: number;
  at: number;
  actor: Actor;
  details: Record<string, unknown>;
}

/** The same for any number of orders at once, which never leave the engine: one event for each. */
export async function recordMovedOrders(tx: Transaction, storeId: string, moved: MovedOrders) {
  const { type, after, upTo, at, actor } = moved;
  await tx.run(
    sql`insert into events (store_id, id, type, order_id, external_id, details, actor_kind, actor_id, created_at)
        select store_id, ${tx.dialect.newUuid(at)}, ${type}, id, coalesce(external_id, ''),
               ${JSON.stringify(moved.details)}, ${actor.kind}, ${actor.id}, updated_at
        from orders where store_id = ${storeId} and updated_at = ${at} and seq > ${after} and seq <= ${upTo}`,
  );
}
