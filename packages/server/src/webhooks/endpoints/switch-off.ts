import type { DisabledReason } from '@store-sales/contract/console';
import { type Actor, system } from '../../actor.ts';
import { oneByOne } from '../../db/cluster/by-store.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { uuid } from '../../db/uuid.ts';
import { BATCH_SIZE, batchOf } from './batches.ts';
import { recordEndpointHistory } from './endpoint-history.ts';
import * as queries from './switch-off.queries.ts';

/** `warning`: the endpoint is failing and will be disabled if that continues. */
export type NoticeKind = 'warning' | 'disabled' | 'enabled';

/**
 * Disables an endpoint: pending deliveries become stopped, and new ones are recorded as skipped. At most `limit`
 * deliveries are stopped here; if there may be more, the endpoint is marked as stopping, which the dispatcher skips, and
 * `finishStopping` must be called after the commit. Returns the number of stopped deliveries.
 */
export async function switchOff(
  tx: Transaction,
  storeId: string,
  id: string,
  reason: DisabledReason,
  now: number,
  actor: Actor = system,
  limit = BATCH_SIZE,
): Promise<number> {
  const endpoint = await queries.lockEndpoint(tx, storeId, id);
  if (!endpoint?.is_active) return 0;
  const stopped = await queries.stopPending(tx, storeId, id, now, limit);
  await queries.setOff(tx, storeId, id, { reason, now, isStopping: stopped === limit });
  await addNotice(tx, storeId, id, 'disabled', endpoint.consecutive_failures, now);
  const { url } = endpoint;
  await recordEndpointHistory(tx, { store_id: storeId, id, url }, 'disabled', actor, now, { reason });
  return stopped;
}

/** Disables all endpoints of a store that leaves the Optimal plan, in the transaction that changes the plan. */
export async function stopForPlan(tx: Transaction, storeId: string, now: number, actor: Actor = system) {
  let limit = BATCH_SIZE;
  for (const { id } of await queries.activeEndpoints(tx, storeId))
    limit -= await switchOff(tx, storeId, id, 'plan', now, actor, limit);
}

/**
 * Stops the remaining deliveries of endpoints marked as stopping, of one store or of all, in batches so that other writes
 * are not blocked. After a crash, the maintenance resumes this.
 */
export async function finishStopping(
  db: Database,
  now: number,
  { storeId, isOver = () => false }: { storeId?: string; isOver?: () => boolean } = {},
) {
  const stopping = await (storeId === undefined ? queries.stoppingAnywhere(db) : queries.stoppingOf(db, storeId));
  await oneByOne(stopping, ({ store_id, id }) => finishStoppingOne(db, store_id, id, now, isOver), isOver);
}

export async function finishStoppingOne(db: Database, storeId: string, id: string, now: number, isOver = () => false) {
  for (let isMore = true; isMore && !isOver(); )
    isMore = await batchOf(storeId, () => db.transaction((tx) => stopNext(tx, storeId, id, now), { isLong: true }));
}

/** Stops the next batch; returns whether there may be more. */
async function stopNext(tx: Transaction, storeId: string, id: string, now: number): Promise<boolean> {
  const endpoint = await queries.lockEndpoint(tx, storeId, id);
  if (!endpoint?.is_stopping || endpoint.events === '') return false;
  if ((await queries.stopPending(tx, storeId, id, now, BATCH_SIZE)) === BATCH_SIZE) return true;
  await queries.setStopped(tx, storeId, id);
  return false;
}

export const addNotice = (
  tx: Transaction,
  storeId: string,
  endpointId: string,
  kind: NoticeKind,
  failures: number,
  at: number,
) => queries.insertNotices(tx, [{ store_id: storeId, endpoint_id: endpointId, id: uuid(at), kind, failures, at }]);
