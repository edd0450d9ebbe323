import type { EditedPart, TimelineEntry } from '@store-sales/contract/console';
import { iso } from '../instant.ts';
import type { Services } from '../services.ts';
import { deliveriesOfEvents } from '../webhooks/log/order-log.ts';
import { listStatuses } from './orders.queries.ts';
import { eventsOf } from './timeline.queries.ts';

/** An order that went through more than this is told of its latest. */
const MOST = 100;

/** What `changeOrder` and `moveOrders` leave in the details of an event. */
interface Noted {
  from?: string;
  to?: string;
  edited?: EditedPart[];
}

/** What happened to an order, when, by whom, and who was told of it; the newest first. */
export async function timelineOf(services: Services, storeId: string, orderId: string): Promise<TimelineEntry[]> {
  const { db } = services;
  const events = await eventsOf(db, storeId, orderId, MOST);
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
    const { from = '', to = '', edited = [] } = JSON.parse(event.details) as Noted;
    return {
      id: event.id,
      type: event.type,
      at: iso(event.created_at),
      actor: { kind: event.actor_kind, name: event.key_name ?? event.owner_name ?? '' },
      from: names.get(from) ?? null,
      to: names.get(to) ?? null,
      edited,
      deliveries: deliveries.get(event.id) ?? [],
    };
  });
}
