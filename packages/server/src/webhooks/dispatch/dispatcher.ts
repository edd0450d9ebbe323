import { setImmediate as nextLoop } from 'node:timers/promises';
import type { Transaction } from '../../db/database.ts';
import { iso } from '../../instant.ts';
import { sealer } from '../../secrets.ts';
import type { Services } from '../../services.ts';
import { replacedSecrets } from '../endpoints/replaced-secrets.ts';
import { deliveryScheduler } from './delivery-scheduler.ts';
import type { AttemptResponse } from './exchange.ts';
import { failures } from './failures.ts';
import { memoize } from './memoize.ts';
import type { Rules } from './outcome.ts';
import * as queue from './queue.queries.ts';
import { type FinishedAttempt, recordOutcomes } from './record-outcomes.ts';
import { type SendOptions, sender } from './send.ts';

/**
 * How much a lease exceeds the attempt timeout: time for a slow commit before the attempt and for recording the
 * outcome after it. With the default timeout of 10 s a lease is 20 s, so the claims of a killed process are retried
 * within 30 s, and the clocks of two nodes may differ by this margin without overlapping attempts.
 */
const LEASE_MARGIN_MS = 10_000;
/** A claim that waits longer than this is released, so that another dispatcher or a later cycle can claim it. */
const MAX_WAIT_MS = 1000;

export interface DispatchOptions {
  /** For tests: overrides the name servers, the CA and the timeout. */
  send?: Partial<SendOptions>;
  /** Called after each attempt, for the metrics. */
  observe?: (finished: FinishedAttempt) => void;
  /** Maximum number of attempts in flight, over all stores. */
  maxInFlight?: number;
}

/** A delivery this dispatcher has leased. */
interface Claim {
  endpoint: queue.WaitingEndpoint;
  delivery: queue.DueDelivery;
  claimedAt: number;
  lease: number;
}

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
  const { config, db, log, now } = services;
  const timeoutMs = options.send?.timeoutMs ?? config.WEBHOOK_TIMEOUT;
  const post = sender({ allowInternal: config.WEBHOOK_ALLOW_INTERNAL, ...options.send, timeoutMs });
  const openSecret = memoize(sealer(config.SECRET_KEY).open);
  const scheduler = deliveryScheduler<Claim>(options.maxInFlight);
  const rules: Rules = {
    retryDelays: config.WEBHOOK_RETRY_DELAYS,
    disableFailures: config.WEBHOOK_DISABLE_FAILURES,
    disableAfter: config.WEBHOOK_DISABLE_AFTER,
  };
  const inFlight = new Set<Promise<void>>();
  let known: { version: number | undefined; settings: Map<string, queue.EndpointSettings> } = {
    version: undefined,
    settings: new Map(),
  };
  /** The current round of starts, and the loop that runs rounds until nothing more can start. */
  let round = Promise.resolve();
  let rounds = Promise.resolve();
  let isStarting = false;
  let finished: FinishedAttempt[] = [];
  let isClosing = false;
  let notifyFinished = () => {};

  /** Skips the endpoints in `except`: their released claims are left to other dispatchers until the next cycle. */
  async function claimDue(
    tx: Transaction,
    except: ReadonlySet<string>,
  ): Promise<{ claims: Claim[]; nextAt: number | undefined }> {
    const time = now();
    const lease = time + timeoutMs + LEASE_MARGIN_MS;
    const waiting = await queue.waitingEndpoints(tx, time);
    const picked = scheduler.pick(dueAt(time, waiting).filter(({ id }) => !except.has(id)));
    const found = await Promise.all(
      picked.map(async ({ endpoint, count }) => {
        const due = await queue.dueDeliveries(tx, endpoint.store_id, endpoint.id, time, count);
        return due.map((delivery): Claim => ({ endpoint, delivery, claimedAt: time, lease }));
      }),
    );
    const claims = found.flat();
    if (claims.length) queue.lease(tx, claims.map(refOf), lease);
    return { claims, nextAt: earliestAfter(time, waiting) };
  }

  /** Checks outside of a transaction first, so that an idle dispatcher writes nothing. */
  async function anythingDue(): Promise<{ isDue: boolean; nextAt: number | undefined }> {
    const time = now();
    const waiting = await queue.waitingEndpoints(db, time);
    return { isDue: scheduler.pick(dueAt(time, waiting)).length > 0, nextAt: earliestAfter(time, waiting) };
  }

  async function cycle({ isClaiming = true } = {}): Promise<Cycle> {
    const batch = finished;
    finished = [];
    const overdue = scheduler.removeWaiting(({ claimedAt }) => now() - claimedAt > MAX_WAIT_MS);
    if (!batch.length && !overdue.length) {
      const check = isClaiming ? await anythingDue() : { isDue: false, nextAt: undefined };
      if (!check.isDue) {
        startWaiting();
        return { recorded: 0, started: 0, nextAt: check.nextAt, isSaturated: scheduler.isSaturated() };
      }
    }
    const { claims, nextAt } = await recordAndClaim(batch, overdue, isClaiming);
    for (const claim of claims) scheduler.add(claim);
    startWaiting();
    // Awaiting `rounds` could block for long: under load there is always another round.
    await round.catch(() => {});
    return { recorded: batch.length, started: claims.length, nextAt, isSaturated: scheduler.isSaturated() };
  }

  async function recordAndClaim(batch: FinishedAttempt[], overdue: Claim[], isClaiming: boolean) {
    try {
      // Lazy commit: a power failure may lose recorded outcomes, and those deliveries are sent again.
      return await db.transaction(
        async (tx) => {
          if (batch.length) await recordOutcomes(tx, batch, rules);
          if (overdue.length) await queue.release(tx, overdue.map(refOf));
          return isClaiming
            ? claimDue(tx, new Set(overdue.map(({ endpoint }) => endpoint.id)))
            : { claims: [], nextAt: undefined };
        },
        { isLazy: true },
      );
    } catch (error) {
      // Nothing was recorded; the next cycle retries, which works as long as the leases last.
      finished = [...batch, ...finished];
      for (const claim of overdue) scheduler.add(claim);
      throw error;
    }
  }

  /** Runs one round at a time: claims that may start while settings are being read share the next round. */
  function startWaiting() {
    if (!isStarting) rounds = startRounds();
  }

  async function startRounds() {
    isStarting = true;
    try {
      for (let claims = nextClaims(); claims.length; claims = nextClaims()) {
        round = startRound(claims);
        await round;
        // Where a round is a request to a server, attempts that end at the same time share one.
        if (db.version() === undefined) await nextLoop();
      }
    } catch (error) {
      log.error({ err: error }, 'failed to start webhook attempts; retrying');
    } finally {
      isStarting = false;
    }
  }

  /**
   * Attempts use the endpoint settings at the time they start: while a claim waited, any process may have switched the
   * endpoint off or changed its URL or secret.
   */
  async function startRound(claims: readonly Claim[]) {
    const current = await currentSettings(claims);
    for (const claim of claims) {
      const settings = current.get(claim.endpoint.id);
      if (isClosing) scheduler.requeue(claim);
      else if (settings && isSendable(claim, settings)) start(claim, settings);
      else scheduler.drop(claim);
    }
  }

  function nextClaims(): Claim[] {
    const claims: Claim[] = [];
    for (let claim = isClosing ? undefined : scheduler.next(); claim; claim = scheduler.next()) claims.push(claim);
    return claims;
  }

  async function currentSettings(claims: readonly Claim[]): Promise<Map<string, queue.EndpointSettings>> {
    const version = db.version();
    // Cached settings are current until the next commit. Only SQLite reports a version; PostgreSQL always rereads.
    if (version === undefined || version !== known.version) known = { version, settings: new Map() };
    const { settings } = known;
    const missing = new Map<string, { store_id: string; id: string }>();
    for (const { endpoint } of claims)
      if (!settings.has(endpoint.id)) missing.set(endpoint.id, { store_id: endpoint.store_id, id: endpoint.id });
    if (!missing.size) return settings;
    try {
      for (const each of await queue.endpointSettings(db.fastReads, [...missing.values()])) settings.set(each.id, each);
      return settings;
    } catch (error) {
      // Never send with stale settings; the claims wait for the next cycle.
      for (const claim of claims) scheduler.requeue(claim);
      throw error;
    }
  }

  /** An endpoint that is off gets only pings, and no attempt may outlast its lease. */
  const isSendable = ({ delivery, lease }: Claim, { is_active }: queue.EndpointSettings) =>
    (is_active || delivery.type === 'ping') && now() + timeoutMs <= lease;

  function start(claim: Claim, settings: queue.EndpointSettings) {
    const running = attempt(claim, settings).finally(() => inFlight.delete(running));
    inFlight.add(running);
  }

  async function attempt(claim: Claim, settings: queue.EndpointSettings) {
    const { endpoint, delivery, lease } = claim;
    const startedAt = now();
    const response = await exchange(settings, delivery, startedAt);
    scheduler.finish(claim, response.error === null, response.durationMs);
    startWaiting();
    const result: FinishedAttempt = {
      storeId: endpoint.store_id,
      endpointId: endpoint.id,
      deliveryId: delivery.id,
      lease,
      startedAt,
      endedAt: now(),
      response,
    };
    finished.push(result);
    options.observe?.(result);
    log.info(
      {
        storeId: endpoint.store_id,
        endpointId: endpoint.id,
        deliveryId: delivery.id,
        event: delivery.type,
        status: response.responseStatus,
        error: response.error,
        ms: response.durationMs,
      },
      'webhook attempt',
    );
    notifyFinished();
  }

  function exchange(
    settings: queue.EndpointSettings,
    delivery: queue.DueDelivery,
    time: number,
  ): Promise<AttemptResponse> | AttemptResponse {
    try {
      const secrets = secretsOf(settings, time);
      const body = bodyOf(delivery);
      return post.send({ url: settings.url, secrets, type: delivery.type, deliveryId: delivery.id, body }, time);
    } catch (error) {
      // The secret was sealed with another SECRET_KEY: log it for the operator, and fail the attempt for the owner.
      log.error({ err: error, endpointId: settings.id }, 'failed to sign a webhook');
      return { responseStatus: null, error: failures.noSecret, responseBody: '', durationMs: 0 };
    }
  }

  /** The current secret first, then those replaced within the last 24 hours. */
  function secretsOf(settings: queue.EndpointSettings, time: number): string[] {
    return [openSecret(settings.secret), ...replacedSecrets(settings, time, openSecret).map(({ secret }) => secret)];
  }

  return {
    cycle,
    /** Sets the callback for finished attempts whose outcome is not recorded yet. */
    onAttemptFinished(action: () => void) {
      notifyFinished = action;
    },
    /** Runs cycles until nothing is due or in flight and all outcomes are recorded. */
    async idle() {
      for (;;) {
        const { started } = await cycle();
        await rounds;
        if (inFlight.size) await Promise.race(inFlight);
        else if (!started && !finished.length) return;
      }
    },
    /** Starts no more attempts; a running cycle may still claim, but does not send. */
    stopClaiming() {
      isClosing = true;
    },
    /** Stops claiming, releases unsent claims, waits for attempts in flight and records their outcomes. */
    async close() {
      isClosing = true;
      await rounds;
      const unsent = scheduler.removeWaiting(() => true);
      try {
        if (unsent.length) await db.transaction((tx) => queue.release(tx, unsent.map(refOf)));
        await Promise.all(inFlight);
        await cycle({ isClaiming: false });
      } finally {
        await post.close();
      }
    },
  };
}

const refOf = ({ delivery: { store_id, id }, lease }: Claim) => ({ store_id, id, lease });

/** Built from the event's row, so the request body is byte-identical at every attempt. */
function bodyOf({ event_id, type, event_at, order_id, external_id }: queue.DueDelivery): string {
  const data = order_id === null ? {} : { orderId: order_id, externalId: external_id };
  return JSON.stringify({ id: event_id, type, createdAt: iso(event_at), data });
}

const dueAt = (time: number, waiting: readonly queue.WaitingEndpoint[]) =>
  waiting.filter(({ first_at }) => first_at !== null && first_at <= time);

function earliestAfter(time: number, waiting: readonly queue.WaitingEndpoint[]): number | undefined {
  const later = waiting.map(({ first_at }) => first_at).filter((at) => at !== null && at > time) as number[];
  return later.length ? Math.min(...later) : undefined;
}
