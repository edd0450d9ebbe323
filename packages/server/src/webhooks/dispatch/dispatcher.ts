import type { Services } from '../../services.ts';
import { type Claim, claimDue, findDue, leaseOf } from './claim.ts';
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
 * under load.
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
  const batch = state.finished;
  state.finished = [];
  const overdue = scheduler.removeWaiting(({ claimedAt }) => now() - claimedAt > MAX_WAIT_MS);
  if (!batch.length && !overdue.length) {
    // Checks outside of a transaction first, so that an idle dispatcher writes nothing.
    const { shares, nextAt } = isClaiming ? await findDue(db, scheduler, now()) : { shares: [], nextAt: undefined };
    if (!shares.length) {
      startWaiting(state);
      return { recorded: 0, started: 0, nextAt, isSaturated: scheduler.isSaturated() };
    }
  }
  const { claims, nextAt } = await recordAndClaim(state, batch, overdue, isClaiming);
  for (const claim of claims) scheduler.add(claim);
  startWaiting(state);
  // Awaiting `rounds` could block for long: under load there is always another round.
  await state.round.catch(() => {});
  return { recorded: batch.length, started: claims.length, nextAt, isSaturated: scheduler.isSaturated() };
}

async function recordAndClaim(
  state: DispatchState,
  batch: FinishedAttempt[],
  overdue: Claim[],
  isClaiming: boolean,
): Promise<{ claims: Claim[]; nextAt: number | undefined }> {
  const { services, scheduler, rules, timeoutMs } = state;
  const { db, now } = services;
  try {
    // A lost commit means that deliveries are resent. On PostgreSQL it could also mean overlapping attempts: after a
    // crash of the server alone, another dispatcher would find no lease on what this one is sending.
    const isLazy = db.dialect.engine === 'sqlite';
    return await db.transaction(
      async (tx) => {
        if (batch.length) await recordOutcomes(tx, batch, rules, state.mailDisabled);
        if (overdue.length) await queue.release(tx, overdue.map(leaseOf));
        if (!isClaiming) return { claims: [], nextAt: undefined };
        // Released claims are left to other dispatchers until the next cycle.
        const excluded = new Set(overdue.map(({ endpoint }) => endpoint.id));
        return claimDue(tx, scheduler, { time: now(), timeoutMs, excluded });
      },
      { isLazy },
    );
  } catch (error) {
    // Nothing was recorded; the next cycle retries, which works as long as the leases last.
    state.finished = [...batch, ...state.finished];
    for (const claim of overdue) scheduler.add(claim);
    throw error;
  }
}

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
  const { db } = state.services;
  state.isClosing = true;
  await state.rounds;
  const unsent = state.scheduler.removeWaiting(() => true);
  try {
    if (unsent.length) await db.transaction((tx) => queue.release(tx, unsent.map(leaseOf)));
    await Promise.all(state.inFlight);
    await cycle(state, { isClaiming: false });
  } finally {
    await state.sender.close();
  }
}
