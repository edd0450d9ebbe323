import { type Actor, system } from '../../actor.ts';
import type { Transaction } from '../../db/database.ts';
import type { Services } from '../../services.ts';
import { batchOf } from './batches.ts';
import { recordEndpointHistory } from './endpoint-history.ts';
import * as queries from './endpoints.queries.ts';
import { type EndpointView, existingEndpoint, findEndpoint } from './find-endpoints.ts';
import { onceStopped } from './locks.ts';
import { resendMissed } from './resend.ts';
import { addNotice, finishStoppingOne, switchOff } from './switch-off.ts';

/**
 * Enables an endpoint and resets its failures. With `sendMissed`, stopped and skipped deliveries are then sent in
 * batches; those left over after a crash keep their status and can be resent.
 */
export async function enableEndpoint(
  services: Services,
  id: string,
  { sendMissed = false } = {},
  actor: Actor = system,
): Promise<EndpointView> {
  const { now } = services;
  const entryId = await onceStopped(services, id, async (tx, endpoint) => {
    const { store_id: storeId, id: endpointId } = endpoint;
    await queries.switchOn(tx, storeId, endpointId);
    if (endpoint.is_active) return undefined;
    await addNotice(tx, storeId, endpointId, 'enabled', 0, now());
    return recordEndpointHistory(tx, endpoint, 'enabled', actor, now());
  });
  if (sendMissed) await resendMissed(services, id, actor, entryId);
  return findEndpoint(services, id);
}

export async function disableEndpoint(services: Services, id: string, actor: Actor = system): Promise<EndpointView> {
  const { store_id: storeId, id: endpointId } = await existingEndpoint(services.db, id);
  const off = (tx: Transaction) => switchOff(tx, storeId, endpointId, 'owner', services.now(), actor);
  await batchOf(storeId, () => services.db.transaction(off, { isLong: true }));
  await finishStoppingOne(services.db, storeId, endpointId, services.now());
  return findEndpoint(services, id);
}
