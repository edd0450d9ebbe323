import { forEachStore } from '../../db/cluster/by-store.ts';
import type { Transaction } from '../../db/database.ts';
import type { Services } from '../../services.ts';
import { type Claim, claim, type Due, findDue, leaseOf, releaseRetries } from './claim.ts';
import { type DispatchOptions, type DispatchState, dispatchState } from './dispatch-state.ts';
import * as queue from './queue.queries.ts';
import { type FinishedAttempt, recordOutcomes } from './record-outcomes.ts';
import { startWaiting } from './start-attempts.ts';

/** A claim that waits longer than this is released, so that another dispatcher or a later cycle can claim it. */
const MAX_WAIT_MS = 1000;

export interface Cycle {
  recorded: number;
  started: number;
  /** When the next delivery becomes due. */
  nextAt: number | undefined;
  /** Whether all waiting claims have to wait for an attempt in flight to end. */
  isSaturated: boolean;
}

/**
 * Claims due deliveries, sends them and records the outcomes. One cycle is one transaction: it records all attempts
 * finished since the previous cycle and claims as many deliveries as the limits allow, so the cost per delivery falls
 * under load. In a distributed database it is two transactions for each store.
 */
export function createDispatcher(services: Services, options: DispatchOptions = {}) {
  const state = dispatchState(services, options);
  return {
    cycle: () => cycle(state),
    /** Sets the callback for finished attempts whose outcome is not recorded yet. */
    onAttemptFinished(action: () => void) {
      state.onFinished = action;
    },
    idle: () => idle(state),
    /** Starts no more attempts; a running cycle may still claim, but does not send. */
    stopClaiming() {
      state.isClosing = true;
    },
    close: () => close(state),
  };
}

async function cycle(state: DispatchState, { isClaiming = true } = {}): Promise<Cycle> {
  const { scheduler, services } = state;
  const { db, now } = services;
  const finished = state.finished;
  state.finished = [];
  const overdue = scheduler.removeWaiting(({ claimedAt }) => state.isClosing || now() - claimedAt > MAX_WAIT_MS);
  if (!finished.length && !overdue.length && !db.dialect.isDistributed) {
    // Checks outside of a transaction first, so that an idle dispatcher writes nothing.
    const time = now();
    const { shares, nextAt } = isClaiming ? await findDue(db, scheduler, time) : NOTHING_DUE;
    if (!shares.length && (nextAt ?? Number.POSITIVE_INFINITY) > time) {
      startWaiting(state);
      return { recorded: 0, started: 0, nextAt, isSaturated: scheduler.isSaturated() };
    }
  }
  const recordAndClaim = db.dialect.isDistributed ? recordAndClaimByStore : recordAndClaimTogether;
  const { claims, nextAt, error } = await recordAndClaim(state, { finished, overdue }, isClaiming);
  for (const claim of claims) scheduler.add(claim);
  startWaiting(state);
  // Awaiting `rounds` could block for long: under load there is always another round.
  await state.round.catch(() => {});
  if (error) throw error;
  return { recorded: finished.length, started: claims.length, nextAt, isSaturated: scheduler.isSaturated() };
}

const NOTHING_DUE: Due = { shares: [], nextAt: undefined };

/** What a cycle records: finished attempts, and claims that waited for too long. */
interface Past {
  finished: FinishedAttempt[];
  overdue: Claim[];
}

interface Claimed {
  claims: Claim[];
  nextAt: number | undefined;
  /** Why nothing was recorded or claimed for some stores. */
  error?: unknown;
}

async function recordAndClaimTogether(state: DispatchState, past: Past, isClaiming: boolean): Promise<Claimed> {
  const { services, scheduler, timeoutMs } = state;
  const { db, now } = services;
  // A lost commit means that deliveries are resent. On PostgreSQL it could also mean overlapping attempts: after a crash
  // of the server alone, another dispatcher would find no lease on what this one is sending.
  const isLazy = db.dialect.engine === 'sqlite';
  return recording(state, past.finished, () =>
    db.transaction(
      async (tx) => {
        await record(tx, state, past);
        if (!isClaiming) return { claims: [], nextAt: undefined };
        const time = now();
        const released = await releaseRetries(tx, time);
        if (released.error) throw released.error;
        const { shares, nextAt } = await findDue(tx, scheduler, time, endpointsOf(past.overdue));
        return { claims: await claim(tx, shares, { time, timeoutMs }), nextAt };
      },
      { isLazy },
    ),
  );
}

/**
 * In a distributed database one transaction for all stores would have to be committed in two phases on all servers, and
 * a lost server would stop the webhooks of all stores.
 */
async function recordAndClaimByStore(state: DispatchState, past: Past, isClaiming: boolean): Promise<Claimed> {
  const { services, scheduler, timeoutMs } = state;
  const { db, now } = services;
  const pasts = new Map<string, Past>();
  const pastOf = (storeId: string) => {
    const known = pasts.get(storeId) ?? { finished: [], overdue: [] };
    pasts.set(storeId, known);
    return known;
  };
  for (const attempt of past.finished) pastOf(attempt.storeId).finished.push(attempt);
  for (const claim of past.overdue) pastOf(claim.endpoint.store_id).overdue.push(claim);
  const recorded = await forEachStore([...pasts.values()], (each) =>
    recording(state, each.finished, async () => {
      await db.transaction((tx) => record(tx, state, each));
      return [];
    }),
  );
  if (!isClaiming) return { claims: [], nextAt: undefined, error: recorded.error };

  const time = now();
  const released = await releaseRetries(db, time);
  const due = await findDue(db, scheduler, time, endpointsOf(past.overdue));
  const storeIds = [...new Set(due.shares.map(({ endpoint }) => endpoint.store_id))];
  const claimed = await forEachStore(storeIds, (id) => {
    const shares = due.shares.filter(({ endpoint }) => endpoint.store_id === id);
    return db.transaction((tx) => claim(tx, shares, { time, timeoutMs }));
  });
  return {
    claims: claimed.results,
    nextAt: due.nextAt,
    error: recorded.error ?? released.error ?? due.error ?? claimed.error,
  };
}

/** After a failure the next cycle records the attempts, which works as long as their leases last. */
async function recording<Result>(
  state: DispatchState,
  finished: readonly FinishedAttempt[],
  transaction: () => Promise<Result>,
): Promise<Result> {
  try {
    return await transaction();
  } catch (error) {
    state.finished = [...finished, ...state.finished];
    throw error;
  }
}

/** Claims that could not be released are claimed again when their leases have expired. */
async function record(tx: Transaction, { rules, mailDisabled }: DispatchState, { finished, overdue }: Past) {
  if (finished.length) await recordOutcomes(tx, finished, rules, mailDisabled);
  if (overdue.length) await queue.release(tx, overdue.map(leaseOf));
}

/** Released claims are left to other dispatchers until the next cycle. */
const endpointsOf = (overdue: readonly Claim[]) => new Set(overdue.map(({ endpoint }) => endpoint.id));

/** Runs cycles until nothing is due or in flight and all outcomes are recorded. */
async function idle(state: DispatchState) {
  for (;;) {
    const { started } = await cycle(state);
    await state.rounds;
    if (state.inFlight.size) await Promise.race(state.inFlight);
    else if (!started && !state.finished.length) return;
  }
}

/** Stops claiming, releases unsent claims, waits for attempts in flight and records their outcomes. */
async function close(state: DispatchState) {
  const { log } = state.services;
  state.isClosing = true;
  await state.rounds;
  try {
    await cycle(state, { isClaiming: false }).catch((error) =>
      log.error({ err: error }, 'failed to release webhook deliveries; they are sent when their leases have expired'),
    );
    await Promise.all(state.inFlight);
    await cycle(state, { isClaiming: false });
  } finally {
    await state.sender.close();
  }
}
