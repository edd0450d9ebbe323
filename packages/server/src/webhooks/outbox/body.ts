import { iso } from '../../time/instant.ts';

interface EventRow {
  event_id: string;
  type: string;
  order_id: string | null;
  external_id: string;
  event_at: number;
}

/** The request body of a delivery. Built from the event's row, so it is byte-identical at every attempt and in the log. */
export function bodyOf({ event_id, type, event_at, order_id, external_id }: EventRow): string {
  const data = order_id === null ? {} : { orderId: order_id, externalId: external_id };
  return JSON.stringify({ id: event_id, type, createdAt: iso(event_at), data });
}
