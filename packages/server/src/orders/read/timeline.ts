import type { TimelineEntry } from '@store-sales/contract/console';
import type { Services } from '../../services.ts';
import { iso } from '../../time/instant.ts';
import { deliveriesOfEvents } from '../../webhooks/log/delivery-log.ts';
import { listStatuses } from '../orders.queries.ts';
import type { EditDetails } from '../write/describe-edit.ts';
import { eventsOf } from './timeline.queries.ts';

/** Maximum number of events shown. */
const MAX_EVENTS = 100;

/** Event details written by `changeOrder` and `moveOrders`. */
interface EventDetails extends Partial<EditDetails> {
  from?: string;
  to?: string;
  mail?: 'status' | 'message';
  isSent?: boolean;
  text?: string;
}

/** Events of an order with actor and webhook deliveries, newest first. */
export async function timelineOf(services: Services, storeId: string, orderId: string): Promise<TimelineEntry[]> {
  const { db } = services;
  const events = await eventsOf(db, storeId, orderId, MAX_EVENTS);
  const deliveries = await deliveriesOfEvents(
    services,
    storeId,
    events.map(({ id }) => id),
  );
  const statuses = [
    ...(await listStatuses(db, 'status', storeId)),
    ...(await listStatuses(db, 'paymentStatus', storeId)),
  ];
  const names = new Map(statuses.map(({ id, code, name }) => [id, { code, name }]));
  return events.map((event) => {
    const details = JSON.parse(event.details) as EventDetails;
    const { from = '', to = '', edited = [], lines = null, total = null } = details;
    const { mail, isSent = true, text = '' } = details;
    return {
      id: event.id,
      type: event.type,
      at: iso(event.created_at),
      actor: { kind: event.actor_kind, name: event.key_name ?? event.owner_name ?? '' },
      from: names.get(from) ?? null,
      to: names.get(to) ?? null,
      edited,
      mail: mail ? { kind: mail, isSent, text } : null,
      lines,
      total,
      deliveries: deliveries.get(event.id) ?? [],
    };
  });
}
