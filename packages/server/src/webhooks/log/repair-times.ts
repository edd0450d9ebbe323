import type { Transaction } from '../../db/database.ts';
import * as queries from './repair-times.queries.ts';

export interface WebhookLimits {
  longestDelay: number;
  /** Maximum duration of a lease. */
  lease: number;
}

/** Resets attempt times and leases that a node with a fast clock set too far into the future. */
export async function repairWebhookTimes(
  storeId: string,
  now: number,
  { longestDelay, lease }: WebhookLimits,
  limit: number,
  inBatch: (work: (tx: Transaction) => Promise<number>, isCounted: boolean) => Promise<number>,
) {
  let ids: string[] = [];
  await inBatch(async (tx) => {
    await queries.repairEndpoints(tx, storeId, now);
    ids = (await queries.endpointIds(tx, storeId)).map(({ id }) => id);
    return 0;
  }, false);
  for (const id of ids) {
    while (await inBatch((tx) => queries.resetFutureAttempts(tx, storeId, id, { now, longestDelay, limit }), true));
    while (await inBatch((tx) => queries.resetFutureLeases(tx, storeId, id, { until: now + lease, limit }), true));
    while (await inBatch((tx) => queries.resetFutureLogTimes(tx, storeId, id, { now, limit }), false));
  }
}
