import type { EventType } from '@store-sales/contract';
import { uuid } from '../../db/uuid.ts';
import { DomainError } from '../../domain-error.ts';
import type { Services } from '../../services.ts';
import { findEndpoint } from '../endpoints/find-endpoints.ts';
import { endpointSettings } from './queue.queries.ts';
import { deliverySender } from './send-delivery.ts';

/**
 * Sends an event about an order to an endpoint at once, whatever its subscriptions. The event did not happen, so it is
 * in no log and no timeline, and is not retried.
 */
export async function sendTestEvent(
  services: Services,
  endpointId: string,
  type: EventType,
  order: { id: string; externalId: string },
) {
  const { id, storeId } = await findEndpoint(services, endpointId);
  const { results, error: lost } = await endpointSettings(services.db, [{ store_id: storeId, id }]);
  if (lost) throw lost;
  const [settings] = results;
  if (!settings) throw new DomainError('not_found', 'There is no such webhook endpoint.');
  const at = services.now();
  const delivery = {
    store_id: storeId,
    id: uuid(at),
    event_id: uuid(at),
    type,
    order_id: order.id,
    external_id: order.externalId,
    event_at: at,
  };
  const { WEBHOOK_TIMEOUT: timeoutMs, WEBHOOK_ALLOW_INTERNAL: allowInternal } = services.config;
  const { send, close } = deliverySender(services, { timeoutMs, allowInternal });
  try {
    const { responseStatus, error, durationMs } = await send(delivery, settings, at);
    return { eventId: delivery.event_id, deliveryId: delivery.id, responseStatus, error, durationMs };
  } finally {
    await close();
  }
}
