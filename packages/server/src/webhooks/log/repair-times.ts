import type { Transaction } from '../../db/database.ts';
import * as queries from './repair-times.queries.ts';

export interface WebhookLimits {
  longestDelay: number;
  /** How long a dispatcher may hold a delivery. */
  lease: number;
}

/** Makes deliveries due that a node whose clock was ahead put off into the future, or still seems to hold. */
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
    while (await inBatch((tx) => queries.attemptsAhead(tx, storeId, id, { now, longestDelay, limit }), true));
    while (await inBatch((tx) => queries.leasesAhead(tx, storeId, id, { until: now + lease, limit }), true));
    while (await inBatch((tx) => queries.loggedAhead(tx, storeId, id, { now, limit }), false));
  }
}
