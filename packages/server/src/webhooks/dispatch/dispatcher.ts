import { setImmediate as nextLoop } from 'node:timers/promises';
import type { Transaction } from '../../db/database.ts';
import { iso } from '../../instant.ts';
import { sealer } from '../../secrets.ts';
import type { Services } from '../../services.ts';
import { replacedSecrets } from '../endpoints/replaced-secrets.ts';
import { turns } from './delivery-scheduler.ts';
import type { Answer } from './exchange.ts';
import { failures } from './failures.ts';
import { memoize } from './memoize.ts';
import type { Rules } from './outcome.ts';
import * as queue from './queue.queries.ts';
import { type Ended, recordOutcomes } from './record-outcomes.ts';
import { type SendOptions, sender } from './send.ts';

/**
 * How much longer than the longest attempt a delivery is held: room for a slow commit before it and the
 * settling after it. With the default time-out of 10 s a lease is 20 s, so what a killed process held goes
 * on within 30 s; clocks of two nodes may differ by as much without attempts ever overlapping.
 */
const LEASE_MARGIN_MS = 10_000;
/** A claim that could not start for so long is given back: another dispatcher, or a later cycle, can take it. */
const MAX_WAIT_MS = 1000;

export interface DispatchOptions {
  /** For tests: a name server, an authority, a time-out of one's own. */
  send?: Partial<SendOptions>;
  /** Told of every attempt, for the metrics. */
  observe?: (ended: Ended) => void;
  /** Attempts in flight in all. */
  maxInFlight?: number;
}

/** A delivery that is ours until the lease ends. */
interface Claim {
  endpoint: queue.WaitingEndpoint;
  delivery: queue.DueDelivery;
  claimedAt: number;
  lease: number;
}

export interface Cycle {
  settled: number;
  started: number;
  /** When the next delivery that is not due yet will be. */
  nextAt: number | undefined;
  /** Whether claims wait that may not start before an attempt in flight ends. */
  isSaturated: boolean;
}

/**
 * Takes what is due, sends it, and settles what came of it. One cycle is one transaction: it settles all the
 * attempts that ended since the last one and takes as much as there is room for, so that the more there is to
 * do, the less each delivery costs.
 */
export function dispatching(services: Services, options: DispatchOptions = {}) {
  const { config, db, log, now } = services;
  const timeoutMs = options.send?.timeoutMs ?? config.WEBHOOK_TIMEOUT;
  const post = sender({ allowInternal: config.WEBHOOK_ALLOW_INTERNAL, ...options.send, timeoutMs });
  const opened = memoize(sealer(config.SECRET_KEY).open);
  const turn = turns<Claim>(options.maxInFlight);
  const rules: Rules = {
    retryDelays: config.WEBHOOK_RETRY_DELAYS,
    disableFailures: config.WEBHOOK_DISABLE_FAILURES,
    disableAfter: config.WEBHOOK_DISABLE_AFTER,
  };
  const flights = new Set<Promise<void>>();
  let known: { version: number | undefined; settings: Map<string, queue.EndpointSettings> } = {
    version: undefined,
    settings: new Map(),
  };
  /** The round under way, and all of them until nothing more can start. */
  let round = Promise.resolve();
  let rounds = Promise.resolve();
  let isStarting = false;
  let ended: Ended[] = [];
  let isClosing = false;
  let onEnded = () => {};

  /** Endpoints in `except` had their turn: what was given back for them is left to others until the next cycle. */
  async function take(
    tx: Transaction,
    except: ReadonlySet<string>,
  ): Promise<{ claims: Claim[]; nextAt: number | undefined }> {
    const time = now();
    const lease = time + timeoutMs + LEASE_MARGIN_MS;
    const waiting = await queue.waitingEndpoints(tx, time);
    const picked = turn.pick(dueAt(time, waiting).filter(({ id }) => !except.has(id)));
    const found = await Promise.all(
      picked.map(async ({ endpoint, take }) => {
        const due = await queue.dueDeliveries(tx, endpoint.store_id, endpoint.id, time, take);
        return due.map((delivery): Claim => ({ endpoint, delivery, claimedAt: time, lease }));
      }),
    );
    const claims = found.flat();
    if (claims.length) queue.lease(tx, claims.map(refOf), lease);
    return { claims, nextAt: earliestAfter(time, waiting) };
  }

  /** Looks without a transaction first: an idle dispatcher writes nothing. */
  async function anythingDue(): Promise<{ isDue: boolean; nextAt: number | undefined }> {
    const time = now();
    const waiting = await queue.waitingEndpoints(db, time);
    return { isDue: turn.pick(dueAt(time, waiting)).length > 0, nextAt: earliestAfter(time, waiting) };
  }

  async function cycle({ takes = true } = {}): Promise<Cycle> {
    const batch = ended;
    ended = [];
    const overdue = turn.takeBack(({ claimedAt }) => now() - claimedAt > MAX_WAIT_MS);
    if (!batch.length && !overdue.length) {
      const look = takes ? await anythingDue() : { isDue: false, nextAt: undefined };
      if (!look.isDue) {
        startWaiting();
        return { settled: 0, started: 0, nextAt: look.nextAt, isSaturated: turn.isSaturated() };
      }
    }
    const { claims, nextAt } = await settleAndTake(batch, overdue, takes);
    for (const claim of claims) turn.add(claim);
    startWaiting();
    // Not for all rounds: under load there is always another one.
    await round.catch(() => {});
    return { settled: batch.length, started: claims.length, nextAt, isSaturated: turn.isSaturated() };
  }

  async function settleAndTake(batch: Ended[], overdue: Claim[], takes: boolean) {
    try {
      // Lazy: what a power failure undoes here was sent and not noted, and is sent again.
      return await db.transaction(
        async (tx) => {
          if (batch.length) await recordOutcomes(tx, batch, rules);
          if (overdue.length) await queue.release(tx, overdue.map(refOf));
          return takes
            ? take(tx, new Set(overdue.map(({ endpoint }) => endpoint.id)))
            : { claims: [], nextAt: undefined };
        },
        { isLazy: true },
      );
    } catch (error) {
      // Nothing was settled: it is tried again, and counts as long as the leases last.
      ended = [...batch, ...ended];
      for (const claim of overdue) turn.add(claim);
      throw error;
    }
  }

  /** One round at a time: while the state of some claims is read, more may become free to start, and share the next. */
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
      log.error({ err: error }, 'webhooks could not be started; trying again');
    } finally {
      isStarting = false;
    }
  }

  /**
   * A claim may have waited since its endpoint was switched off, moved or given another secret, in whichever process. So
   * attempts use the state of the moment they start.
   */
  async function startRound(claims: readonly Claim[]) {
    const current = await currentSettings(claims);
    for (const claim of claims) {
      const settings = current.get(claim.endpoint.id);
      if (isClosing) turn.putBack(claim);
      else if (settings && isSendable(claim, settings)) start(claim, settings);
      else turn.dropped(claim);
    }
  }

  function nextClaims(): Claim[] {
    const claims: Claim[] = [];
    for (let claim = isClosing ? undefined : turn.next(); claim; claim = turn.next()) claims.push(claim);
    return claims;
  }

  async function currentSettings(claims: readonly Claim[]): Promise<Map<string, queue.EndpointSettings>> {
    const version = db.version();
    // Read while nothing was committed since, which only the embedded engine can tell: still current.
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
      // Nothing is sent under settings that may be old; they wait for the next cycle.
      for (const claim of claims) turn.putBack(claim);
      throw error;
    }
  }

  /** Not to an endpoint that is off, except a ping; nor so late that the attempt could outlast the lease. */
  const isSendable = ({ delivery, lease }: Claim, { is_active }: queue.EndpointSettings) =>
    (is_active || delivery.type === 'ping') && now() + timeoutMs <= lease;

  function start(claim: Claim, settings: queue.EndpointSettings) {
    const flight = attempt(claim, settings).finally(() => flights.delete(flight));
    flights.add(flight);
  }

  async function attempt(claim: Claim, settings: queue.EndpointSettings) {
    const { endpoint, delivery, lease } = claim;
    const startedAt = now();
    const answer = await exchange(settings, delivery, startedAt);
    turn.ended(claim, answer.error === null, answer.durationMs);
    startWaiting();
    const result: Ended = {
      storeId: endpoint.store_id,
      endpointId: endpoint.id,
      deliveryId: delivery.id,
      lease,
      startedAt,
      endedAt: now(),
      answer,
    };
    ended.push(result);
    options.observe?.(result);
    log.info(
      {
        storeId: endpoint.store_id,
        endpointId: endpoint.id,
        deliveryId: delivery.id,
        event: delivery.type,
        status: answer.responseStatus,
        error: answer.error,
        ms: answer.durationMs,
      },
      'webhook attempt',
    );
    onEnded();
  }

  function exchange(
    settings: queue.EndpointSettings,
    delivery: queue.DueDelivery,
    time: number,
  ): Promise<Answer> | Answer {
    try {
      const secrets = secretsOf(settings, time);
      const body = bodyOf(delivery);
      return post.send({ url: settings.url, secrets, type: delivery.type, deliveryId: delivery.id, body }, time);
    } catch (error) {
      // The secret was sealed under another SECRET_KEY; the operator has to know, the owner sees it in the log.
      log.error({ err: error, endpointId: settings.id }, 'a webhook cannot be signed');
      return { responseStatus: null, error: failures.noSecret, responseBody: '', durationMs: 0 };
    }
  }

  /** The present secret first, then those replaced within the last 24 hours. */
  function secretsOf(settings: queue.EndpointSettings, time: number): string[] {
    return [opened(settings.secret), ...replacedSecrets(settings, time, opened).map(({ secret }) => secret)];
  }

  return {
    cycle,
    /** Calls back whenever an attempt has ended and waits to be settled. */
    whenEnded(action: () => void) {
      onEnded = action;
    },
    /** Works until nothing is due, nothing is under way and everything is settled. */
    async idle() {
      for (;;) {
        const { started } = await cycle();
        await rounds;
        if (flights.size) await Promise.race(flights);
        else if (!started && !ended.length) return;
      }
    },
    /** What a cycle that is under way takes is not sent any more. */
    stopClaiming() {
      isClosing = true;
    },
    /** Takes nothing more, gives back what was not sent, lets attempts under way end, settles them. */
    async close() {
      isClosing = true;
      await rounds;
      const unsent = turn.takeBack(() => true);
      try {
        if (unsent.length) await db.transaction((tx) => queue.release(tx, unsent.map(refOf)));
        await Promise.all(flights);
        await cycle({ takes: false });
      } finally {
        await post.close();
      }
    },
  };
}

const refOf = ({ delivery: { store_id, id }, lease }: Claim) => ({ store_id, id, lease });

/** The body of a request: made from the event's row, so it is the same to the byte at every attempt. */
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
