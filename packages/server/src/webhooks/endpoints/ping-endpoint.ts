import { type Actor, system } from '../../actor.ts';
import { uuid } from '../../db/uuid.ts';
import type { Services } from '../../services.ts';
import { insertPing } from '../outbox/outbox.queries.ts';
import { wake } from '../outbox/wake.ts';
import { onceStopped } from './locks.ts';

/**
 * Sends a test event to the endpoint, regardless of its subscriptions. A disabled endpoint gets it too, without retries,
 * so that its owner can check it before enabling it.
 */
export async function pingEndpoint(
  services: Services,
  id: string,
  actor: Actor = system,
): Promise<{ eventId: string; deliveryId: string }> {
  const at = services.now();
  const [eventId, deliveryId] = [uuid(at), uuid(at)];
  await onceStopped(services, id, async (tx, { store_id: storeId, id: endpointId, is_active }) => {
    tx.onCommit(wake);
    const attempts = is_active ? 0 : services.config.WEBHOOK_RETRY_DELAYS.length;
    await insertPing(tx, { storeId, eventId, deliveryId, endpointId, attempts, actor, at });
  });
  return { eventId, deliveryId };
}
