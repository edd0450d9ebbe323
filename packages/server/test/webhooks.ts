import type { EventType } from '@store-sales/contract';
import type { DeliveryStatus } from '@store-sales/contract/console';
import { system } from '../src/actor.ts';
import { lockClock, saveClock } from '../src/db/clock/store-clock.ts';
import { type Transaction, within } from '../src/db/database.ts';
import { runWrites } from '../src/db/write/run-plans.ts';
import type { DispatchOptions } from '../src/webhooks/dispatch/dispatch-state.ts';
import { createDispatcher } from '../src/webhooks/dispatch/dispatcher.ts';
import { addEndpoint } from '../src/webhooks/endpoints/edit-endpoints.ts';
import { findEndpoint } from '../src/webhooks/endpoints/find-endpoints.ts';
import { listDeliveries } from '../src/webhooks/log/delivery-log.ts';
import { eventWrites } from '../src/webhooks/outbox/outbox.ts';
import { insertNewOrders } from './rows.ts';
import type { Service } from './service.ts';

type More = [count?: number, type?: EventType, externalId?: string];

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

  /** Records events of new orders; returns the ids of the orders. */
  async function recordIn(
    tx: Transaction,
    storeId: string,
    ...[count = 1, type = 'order.status_changed', externalId = '']: More
  ) {
    await lockClock(tx, storeId);
    const createdAt = type === 'order.created' ? clock.now : undefined;
    const orderIds = await insertNewOrders(within(tx), storeId, count, createdAt, externalId);
    const latest = (await lockClock(tx, storeId)).at(clock.now);
    const writes = orderIds.flatMap((orderId) =>
      eventWrites({ storeId, orderId, externalId, actor: system, now: clock.now }, [{ type }], latest),
    );
    await runWrites(tx, writes);
    await saveClock(tx, storeId, latest);
    return orderIds;
  }

  return {
    /** Adds an endpoint that is subscribed to all events, to a new store by default. */
    async endpoint(url: string, { storeId, events = all }: { storeId?: string; events?: string[] } = {}) {
      const owner = storeId ?? (await service.store()).id;
      return { storeId: owner, ...(await addEndpoint(services, owner, { url, events })) };
    },
    record: (storeId: string, ...more: More) => service.db.transaction((tx) => recordIn(tx, storeId, ...more)),
    recordIn,
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
