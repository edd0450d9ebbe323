import { type Actor, system } from '../../actor.ts';
import { oneByOne } from '../../db/cluster/by-store.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { notFound } from '../../domain-error.ts';
import type { Services } from '../../services.ts';
import { BATCH_SIZE, batchOf } from './batches.ts';
import * as queries from './delete-endpoint.queries.ts';
import { recordEndpointHistory } from './endpoint-history.ts';
import { existingEndpoint } from './find-endpoints.ts';
import { lockEndpoint } from './switch-off.queries.ts';

/** Batches deleted before the response; the rest is left to the maintenance. */
const MAX_BATCHES = 20;

/**
 * Deletes an endpoint. The first transaction makes it invisible: it gets no more deliveries, waiting ones are not sent,
 * and no lookup finds it. Its log is then deleted in batches, and its row last. An attempt in flight may still end; its
 * outcome is then not recorded.
 */
export async function deleteEndpoint(services: Services, id: string, actor: Actor = system): Promise<void> {
  const { db } = services;
  const endpoint = await existingEndpoint(db, id);
  const { store_id: storeId, id: endpointId } = endpoint;
  await db.transaction(async (tx) => {
    // Also waits for transactions that are adding deliveries.
    await lockEndpoint(tx, storeId, endpointId);
    if (!(await queries.markDeleted(tx, storeId, endpointId))) throw notFound('webhook endpoint');
    await recordEndpointHistory(tx, endpoint, 'deleted', actor, services.now());
  });
  let batches = 0;
  await finishDeletingOne(db, storeId, endpointId, () => ++batches > MAX_BATCHES);
}

/** Finishes what a request left, or a crash interrupted. */
export async function finishDeleting(db: Database, isOver = () => false) {
  const deleted = await queries.deletedAnywhere(db);
  await oneByOne(deleted, ({ store_id, id }) => finishDeletingOne(db, store_id, id, isOver), isOver);
}

async function finishDeletingOne(db: Database, storeId: string, id: string, isOver: () => boolean) {
  const next = (tx: Transaction) => deleteNext(tx, storeId, id);
  for (let isMore = true; isMore && !isOver(); )
    isMore = await batchOf(storeId, () => db.transaction(next, { isLong: true }));
}

/** Deletes the next batch; returns whether there is more. */
async function deleteNext(tx: Transaction, storeId: string, id: string): Promise<boolean> {
  // Outcomes are recorded under the same lock.
  if (!(await lockEndpoint(tx, storeId, id))) return false;
  if ((await queries.deleteLog(tx, storeId, id, BATCH_SIZE)) === BATCH_SIZE) return true;
  await queries.deleteEndpoint(tx, storeId, id);
  return false;
}
