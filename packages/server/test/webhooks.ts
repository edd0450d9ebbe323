import type { EventType } from '@store-sales/contract';
import type { DeliveryStatus } from '@store-sales/contract/console';
import { system } from '../src/actor.ts';
import { uuid } from '../src/db/uuid.ts';
import type { DispatchOptions } from '../src/webhooks/dispatch/dispatch-state.ts';
import { createDispatcher } from '../src/webhooks/dispatch/dispatcher.ts';
import { addEndpoint } from '../src/webhooks/endpoints/edit-endpoints.ts';
import { findEndpoint } from '../src/webhooks/endpoints/find-endpoints.ts';
import { listDeliveries } from '../src/webhooks/log/delivery-log.ts';
import { recordEvents } from '../src/webhooks/outbox/outbox.ts';
import type { Service } from './service.ts';

/** Helpers for tests of webhooks. */
export function webhooksOf(service: Service) {
  const { services, clock } = service;
  const all = ['order.created', 'order.status_changed', 'order.payment_status_changed'];

  /** All deliveries of an endpoint, newest first. */
  async function log(id: string, status?: DeliveryStatus) {
    const { storeId, id: endpointId } = await findEndpoint(services, id);
    const filter = status ? { status } : {};
    return (await listDeliveries(services, { storeId, endpointId }, filter, { limit: 100_000 })).deliveries;
  }

  return {
    /** Adds an endpoint that is subscribed to all events, to a new store by default. */
    async endpoint(url: string, { storeId, events = all }: { storeId?: string; events?: string[] } = {}) {
      const owner = storeId ?? (await service.store()).id;
      return { storeId: owner, ...(await addEndpoint(services, owner, { url, events })) };
    },
    /** Records events of orders that do not exist, in one transaction. */
    async record(storeId: string, count = 1, type: EventType = 'order.status_changed', externalId = 'A-1') {
      const events = Array.from({ length: count }, () => ({
        type,
        orderId: uuid(clock.now),
        externalId,
        at: clock.now,
        actor: system,
      }));
      await service.db.transaction(async (tx) => recordEvents(tx, storeId, events, clock.now));
      return events.map(({ orderId }) => orderId);
    },
    /** A dispatcher that runs only the cycles the test calls. */
    dispatcher: (options: DispatchOptions = {}) => createDispatcher(services, options),
    log,
    async statuses(endpointId: string) {
      const count: Record<string, number> = {};
      for (const { status } of await log(endpointId)) count[status] = (count[status] ?? 0) + 1;
      return count;
    },
  };
}
