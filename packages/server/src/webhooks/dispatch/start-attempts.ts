import { setImmediate as nextLoop } from 'node:timers/promises';
import type { Claim } from './claim.ts';
import type { DispatchState } from './dispatch-state.ts';
import * as queue from './queue.queries.ts';
import type { FinishedAttempt } from './record-outcomes.ts';

/** Starts waiting claims, one round at a time: claims that may start during a round share the next one. */
export function startWaiting(state: DispatchState) {
  if (!state.isStarting) state.rounds = startRounds(state);
}

async function startRounds(state: DispatchState) {
  const { log } = state.services;
  state.isStarting = true;
  try {
    for (let claims = nextClaims(state); claims.length; claims = nextClaims(state)) {
      state.round = startRound(state, claims);
      await state.round;
      // Attempts that end at the same time share a round.
      await nextLoop();
    }
  } catch (error) {
    log.error({ err: error }, 'failed to start webhook attempts; retrying');
  } finally {
    state.isStarting = false;
  }
}

function nextClaims({ isClosing, scheduler }: DispatchState): Claim[] {
  const claims: Claim[] = [];
  for (let claim = isClosing ? undefined : scheduler.next(); claim; claim = scheduler.next()) claims.push(claim);
  return claims;
}

/**
 * Attempts use the endpoint settings at the time they start: while a claim waited, any process may have disabled the
 * endpoint or changed its URL or secret.
 */
async function startRound(state: DispatchState, claims: readonly Claim[]) {
  const { byId, error } = await currentSettings(state, claims);
  for (const claim of claims) {
    const settings = byId.get(claim.endpoint.id);
    // Never send with stale settings; the claims wait for the next cycle.
    if (state.isClosing || (error && !settings)) state.scheduler.requeue(claim);
    else if (settings && isSendable(state, claim, settings)) start(state, claim, settings);
    else state.scheduler.drop(claim);
  }
  if (error) throw error;
}

async function currentSettings(
  state: DispatchState,
  claims: readonly Claim[],
): Promise<{ byId: Map<string, queue.EndpointSettings>; error?: unknown }> {
  const { db } = state.services;
  const version = db.version();
  // Cached settings are current until the next commit. Only SQLite reports a version; PostgreSQL always rereads.
  if (version === undefined || version !== state.settings.version) state.settings = { version, byId: new Map() };
  const { byId } = state.settings;
  const missing = new Map<string, { store_id: string; id: string }>();
  for (const { endpoint } of claims)
    if (!byId.has(endpoint.id)) missing.set(endpoint.id, { store_id: endpoint.store_id, id: endpoint.id });
  if (!missing.size) return { byId };
  const { results, error } = await queue.endpointSettings(db.fastReads, [...missing.values()]);
  for (const each of results) byId.set(each.id, each);
  return { byId, error };
}

/** A disabled endpoint gets only pings, and no attempt may outlast its lease. */
const isSendable = (
  { services: { now }, timeoutMs }: DispatchState,
  { delivery, lease }: Claim,
  { is_active }: queue.EndpointSettings,
) => (is_active || delivery.type === 'ping') && now() + timeoutMs <= lease;

function start(state: DispatchState, claim: Claim, settings: queue.EndpointSettings) {
  const running = attempt(state, claim, settings).finally(() => state.inFlight.delete(running));
  state.inFlight.add(running);
}

/** Sends a delivery; its outcome is recorded by the next cycle. */
async function attempt(state: DispatchState, claim: Claim, settings: queue.EndpointSettings) {
  const { now, log } = state.services;
  const { delivery, lease } = claim;
  const startedAt = now();
  const response = await state.sender.send(delivery, settings, startedAt);
  state.scheduler.finish(claim, response.error === null, response.durationMs);
  startWaiting(state);
  const ids = { storeId: claim.endpoint.store_id, endpointId: claim.endpoint.id, deliveryId: delivery.id };
  const finished: FinishedAttempt = { lease, startedAt, endedAt: now(), response, ...ids };
  state.finished.push(finished);
  state.observe?.(finished);
  const { responseStatus: status, error, durationMs: ms } = response;
  log.info({ event: delivery.type, status, error, ms, ...ids }, 'webhook attempt');
  state.onFinished();
}
