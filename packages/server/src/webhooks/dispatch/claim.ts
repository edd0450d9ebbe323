import type { Queryable, Transaction } from '../../db/database.ts';
import type { ClaimShare, DeliveryScheduler } from './delivery-scheduler.ts';
import * as queue from './queue.queries.ts';

/**
 * How much a lease exceeds the attempt timeout: time for a slow commit before the attempt and for recording the
 * outcome after it. With the default timeout of 10 s a lease is 20 s, so the claims of a killed process are retried
 * within 30 s, and the clocks of two nodes may differ by this margin without overlapping attempts.
 */
const LEASE_MARGIN_MS = 10_000;

/** A delivery this dispatcher has leased. */
export interface Claim {
  endpoint: queue.WaitingEndpoint;
  delivery: queue.DueDelivery;
  claimedAt: number;
  lease: number;
}

export const leaseOf = ({ delivery: { store_id, id }, lease }: Claim) => ({ store_id, id, lease });

type Share = ClaimShare<queue.WaitingEndpoint>;

export interface Due {
  /** How many deliveries of each endpoint may be claimed. */
  shares: Share[];
  /** When the next delivery becomes due. */
  nextAt: number | undefined;
  /** Why some stores could not be asked. */
  error?: unknown;
}

export async function findDue(
  db: Queryable,
  scheduler: DeliveryScheduler<Claim>,
  time: number,
  excluded: ReadonlySet<string> = new Set(),
): Promise<Due> {
  const { results: waiting, error } = await queue.waitingEndpoints(db, time);
  const due = waiting.filter(({ id, first_at }) => first_at !== null && first_at <= time && !excluded.has(id));
  const later = waiting.flatMap(({ first_at }) => (first_at !== null && first_at > time ? [first_at] : []));
  return { shares: scheduler.pick(due), nextAt: later.length ? Math.min(...later) : undefined, error };
}

/** Leases the due deliveries of these shares. */
export async function claim(
  tx: Transaction,
  shares: readonly Share[],
  { time, timeoutMs }: { time: number; timeoutMs: number },
): Promise<Claim[]> {
  const lease = time + timeoutMs + LEASE_MARGIN_MS;
  const found = await Promise.all(
    shares.map(async ({ endpoint, count }) => {
      const due = await queue.dueDeliveries(tx, endpoint.store_id, endpoint.id, time, count);
      return due.map((delivery): Claim => ({ endpoint, delivery, claimedAt: time, lease }));
    }),
  );
  const claims = found.flat();
  if (claims.length) queue.lease(tx, claims.map(leaseOf), lease);
  return claims;
}
