import type { Queryable, Transaction } from '../../db/database.ts';
import type { ClaimShare, DeliveryScheduler } from './delivery-scheduler.ts';
import * as queue from './queue.queries.ts';

/**
 * How much a lease exceeds the attempt timeout: time for a slow commit before the attempt and for recording the
 * outcome after it. With the default timeout of 10 s a lease is 20 s, so the claims of a killed process are retried
 * within 30 s, and the clocks of two nodes may differ by this margin without overlapping attempts.
 */
const LEASE_MARGIN_MS = 10_000;

/** On SQLite more would block other writers for longer than 10 ms. The next batch follows at once. */
const MAX_RETRIES_RELEASED = 500;

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
  /** When the next delivery becomes due; not later than now if retries are left to release. */
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
  const [{ results: waiting, error }, scheduled] = await Promise.all([
    queue.waitingEndpoints(db, time),
    queue.nextScheduled(db),
  ]);
  const due = waiting.filter(({ id, first_at }) => first_at !== null && first_at <= time && !excluded.has(id));
  const later = waiting.flatMap(({ first_at }) => (first_at !== null && first_at > time ? [first_at] : []));
  if (scheduled.at !== undefined) later.push(scheduled.at);
  return {
    shares: scheduler.pick(due),
    nextAt: later.length ? Math.min(...later) : undefined,
    error: error ?? scheduled.error,
  };
}

/** Has the retries that are due found by `findDue`, a batch at a time; a failure is left to the next cycle. */
export const releaseRetries = (db: Queryable, time: number) => queue.clearScheduled(db, time, MAX_RETRIES_RELEASED);

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
  if (claims.length) await queue.lease(tx, claims.map(leaseOf), lease);
  return claims;
}
