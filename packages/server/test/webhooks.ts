import type { EventType } from '@store-sales/contract';
import { system } from '../src/actor.ts';
import { uuid } from '../src/db/uuid.ts';
import { createDispatcher, type DispatchOptions } from '../src/webhooks/dispatch/dispatcher.ts';
import { addEndpoint } from '../src/webhooks/endpoints/endpoints.ts';
import { deliveryLog } from '../src/webhooks/log/log.ts';
import { recordEvents } from '../src/webhooks/outbox/outbox.ts';
import type { Service } from './service.ts';

/** What tests of webhooks do again and again. */
export function webhooksOf(service: Service) {
  const { services, clock } = service;
  const all = ['order.created', 'order.status_changed', 'order.payment_status_changed'];

  return {
    /** An endpoint of a store, of a new one unless told otherwise, that wants all events. */
    async endpoint(url: string, { storeId, events = all }: { storeId?: string; events?: string[] } = {}) {
      const owner = storeId ?? (await service.store()).id;
      return { storeId: owner, ...(await addEndpoint(services, owner, { url, events })) };
    },
    /** Events of orders that the tests made up, in one transaction. */
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
    /** A dispatcher that moves only when told to. */
    dispatcher: (options: DispatchOptions = {}) => createDispatcher(services, options),
    log: (endpointId: string, status?: string) => deliveryLog(services, endpointId, { status, limit: 100_000 }),
    async statuses(endpointId: string) {
      const count: Record<string, number> = {};
      for (const { status } of await deliveryLog(services, endpointId, { limit: 100_000 }))
        count[status] = (count[status] ?? 0) + 1;
      return count;
    },
  };
}
