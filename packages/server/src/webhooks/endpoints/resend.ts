import type { DeliveryFilter } from '@store-sales/contract/console';
import type { Actor } from '../../actor.ts';
import type { Transaction } from '../../db/database.ts';
import { asUuid } from '../../db/uuid.ts';
import { notFound } from '../../domain-error.ts';
import { type Details, updateHistory } from '../../history/history.ts';
import type { Services } from '../../services.ts';
import { matchingBatch, resolveFilter } from '../log/delivery-log.ts';
import { BATCH_SIZE, batchOf } from './batches.ts';
import { recordEndpointHistory } from './endpoint-history.ts';
import * as queries from './endpoints.queries.ts';
import { existingEndpoint } from './find-endpoints.ts';
import { EndpointDisabled, whileActive } from './locks.ts';

/** Restarts the retry schedule of one delivery, whatever its status. */
export async function resendDelivery(
  services: Services,
  id: string,
  storeId: string | undefined,
  actor: Actor,
): Promise<{ id: string }> {
  const uuid = asUuid(id);
  const found = uuid && (await queries.findDelivery(services.db, uuid));
  if (!found || (storeId && found.store_id !== storeId)) throw notFound('delivery');
  await whileActive(services, found.endpoint_id, async (tx, endpoint) => {
    await queries.sendAgain(tx, endpoint.store_id, [found.id], services.now());
    await recordEndpointHistory(tx, endpoint, 'resent', actor, services.now(), { deliveryId: found.id, count: 1 });
  });
  return { id: found.id };
}

/** Resends all deliveries that failed permanently since a time; returns their number. */
export async function resendFailed(
  services: Services,
  endpointId: string,
  since: number,
  actor: Actor,
): Promise<{ count: number }> {
  const details = (count: number) => ({ count });
  return { count: await resendInBatches(services, endpointId, [unsent('failed', since)], { actor, details }) };
}

/** Resends all matching deliveries that are not pending; returns their number. */
export async function resendMatching(
  services: Services,
  endpoint: { storeId: string; endpointId: string },
  filter: DeliveryFilter,
  actor: Actor,
): Promise<{ count: number }> {
  const criteria = await resolveFilter(services.db, endpoint.storeId, filter);
  const matching: NextBatch = async (tx, _endpoint, before) => {
    const { rows, end } = await matchingBatch(tx, endpoint, criteria, { before, batchSize: BATCH_SIZE });
    return { ids: rows.map(({ id }) => id), end };
  };
  const details = (count: number) => ({ count, ...filter });
  return { count: await resendInBatches(services, endpoint.endpointId, [matching], { actor, details }) };
}

/**
 * Sends the deliveries an endpoint missed while it was disabled, and adds their number to the history entry of the
 * enabling, if there is one.
 */
export const resendMissed = (services: Services, endpointId: string, actor: Actor, entryId: string | undefined) =>
  resendInBatches(services, endpointId, [unsent('stopped'), unsent('skipped')], {
    actor,
    entryId,
    details: (count) => (entryId ? { missed: count } : { count }),
    mayBeDisabled: true,
  });

type Position = readonly [at: number, id: string];

/** Finds the next deliveries to resend after a position; `end` is the next position, undefined after the last batch. */
type NextBatch = (
  tx: Transaction,
  endpoint: queries.EndpointRow,
  position: Position | undefined,
) => Promise<{ ids: string[]; end: Position | undefined }>;

/** Deliveries with this status, oldest first; only those finished since a time. */
const unsent =
  (status: 'failed' | 'stopped' | 'skipped', since = 0): NextBatch =>
  async (tx, { store_id: storeId, id }, after) => {
    const rows = await queries.unsentAfter(tx, { storeId, id, status }, after, BATCH_SIZE);
    const last = rows.at(-1);
    return {
      ids: rows.filter(({ settled_at }) => settled_at >= since).map((row) => row.id),
      end: last && rows.length === BATCH_SIZE ? [last.created_at, last.id] : undefined,
    };
  };

interface ResendEntry {
  actor: Actor;
  /** The history entry to update with the count; a new one is created by default. */
  entryId?: string | undefined;
  details(count: number): Details;
  /** Send nothing to a disabled endpoint instead of failing: it may be disabled again right after it was enabled. */
  mayBeDisabled?: boolean;
}

/**
 * Resends deliveries in batches and returns their number. Each batch is its own transaction, so that other writes are not
 * blocked, and updates the count in the history, so that the entry is correct after a crash. Deliveries that were not
 * reached keep their status and can be resent. Ends early if the endpoint is disabled meanwhile.
 */
async function resendInBatches(
  services: Services,
  endpointId: string,
  sources: readonly NextBatch[],
  { actor, entryId: given, details, mayBeDisabled = false }: ResendEntry,
): Promise<number> {
  const { store_id: storeId } = await existingEndpoint(services.db, endpointId);
  let count = 0;
  let entryId = given;
  let failsIfDisabled = !mayBeDisabled;
  for (const next of sources) {
    let position: Position | undefined;
    do {
      const sendNext = async (tx: Transaction, endpoint: queries.EndpointRow) => {
        const now = services.now();
        const { ids, end } = await next(tx, endpoint, position);
        if (!ids.length) return { sent: 0, end, entry: entryId };
        const sent = await queries.sendAgain(tx, storeId, ids, now);
        if (entryId) await updateHistory(tx, storeId, entryId, details(count + sent));
        const entry = entryId ?? (await recordEndpointHistory(tx, endpoint, 'resent', actor, now, details(sent)));
        return { sent, end, entry };
      };
      const sending = batchOf(storeId, () => whileActive(services, endpointId, sendNext, { isLong: true }));
      const batch = await sending.catch((error: unknown) => {
        if (failsIfDisabled || !(error instanceof EndpointDisabled)) throw error;
      });
      if (!batch) return count;
      failsIfDisabled = false;
      count += batch.sent;
      entryId = batch.entry;
      position = batch.end;
    } while (position);
  }
  return count;
}
