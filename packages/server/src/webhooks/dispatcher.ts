import type { Transaction } from '../db/database.ts';
import { iso } from '../instant.ts';
import { sealer } from '../secrets.ts';
import type { Services } from '../services.ts';
import type { Answer } from './exchange.ts';
import { failures } from './failures.ts';
import * as queue from './queue.store.ts';
import { remembered } from './remembered.ts';
import { replacedSecrets } from './replaced-secrets.ts';
import { type SendOptions, sender } from './send.ts';
import type { Rules } from './settle.ts';
import { type Ended, settleBatch } from './settling.ts';
import { turns } from './turns.ts';

/**
 * How much longer than the longest attempt a delivery is held: room for a slow commit before it and the
 * settling after it. With the default time-out of 10 s a lease is 20 s, so what a killed process held goes
 * on within 30 s; clocks of two nodes may differ by as much without attempts ever overlapping.
 */
const LEASE_MARGIN_MS = 10_000;

export interface DispatchOptions {
  /** For tests: a name server, an authority, a time-out of one's own. */
  send?: Partial<SendOptions>;
  /** Told of every attempt, for the metrics. */
  observe?: (ended: Ended) => void;
  /** Attempts in flight in all. */
  places?: number;
}

/** A delivery that was taken, ready to be sent. */
interface Job {
  endpoint: queue.WaitingEndpoint;
  delivery: queue.DueDelivery;
  lease: number;
}

export interface Cycle {
  settled: number;
  started: number;
  /** When the next delivery that is not due yet will be. */
  nextAt: number | undefined;
  /** Whether more was taken than there are places: the rest is sent as they fall free. */
  hasMore: boolean;
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
  const opened = remembered(sealer(config.SECRET_KEY).open);
  const turn = turns(options.places);
  const rules: Rules = {
    retryDelays: config.WEBHOOK_RETRY_DELAYS,
    disableFailures: config.WEBHOOK_DISABLE_FAILURES,
    disableAfter: config.WEBHOOK_DISABLE_AFTER,
  };
  const flights = new Set<Promise<void>>();
  /** Taken and waiting for a place, by endpoint. */
  const ready = new Map<string, Job[]>();
  let ended: Ended[] = [];
  let isClosing = false;
  let onEnded = () => {};

  async function take(tx: Transaction): Promise<{ jobs: Job[]; nextAt: number | undefined }> {
    const time = now();
    const lease = time + timeoutMs + LEASE_MARGIN_MS;
    const waiting = await queue.waitingEndpoints(tx, time);
    const picked = turn.pick(dueAt(time, waiting));
    const found = await Promise.all(
      picked.map(async ({ endpoint, take }) => {
        const due = await queue.dueDeliveries(tx, endpoint.store_id, endpoint.id, time, take);
        return due.map((delivery): Job => ({ endpoint, delivery, lease }));
      }),
    );
    const jobs = found.flat();
    if (jobs.length) {
      const taken = jobs.map(({ delivery: { store_id, id } }) => ({ store_id, id }));
      queue.lease(tx, taken, lease);
    }
    return { jobs, nextAt: earliestAfter(time, waiting) };
  }

  const giveBack = (tx: Transaction, jobs: readonly Job[]) =>
    queue.release(
      tx,
      jobs.map(({ delivery: { store_id, id }, lease }) => ({ store_id, id, lease })),
    );

  /** Looks without a transaction first: an idle dispatcher writes nothing. */
  async function anythingDue(): Promise<{ isDue: boolean; nextAt: number | undefined }> {
    const time = now();
    const waiting = await queue.waitingEndpoints(db, time);
    return { isDue: turn.pick(dueAt(time, waiting)).length > 0, nextAt: earliestAfter(time, waiting) };
  }

  async function cycle({ takes = true } = {}): Promise<Cycle> {
    const batch = ended;
    ended = [];
    if (!batch.length) {
      const look = takes ? await anythingDue() : { isDue: false, nextAt: undefined };
      if (!look.isDue) return { settled: 0, started: 0, nextAt: look.nextAt, hasMore: ready.size > 0 };
    }
    try {
      // Lazy: what a power failure undoes here was sent and not noted, and is sent again.
      const { jobs, nextAt } = await db.transaction(
        async (tx) => {
          if (batch.length) await settleBatch(tx, batch, rules);
          return takes ? take(tx) : { jobs: [], nextAt: undefined };
        },
        { isLazy: true },
      );
      hold(jobs);
      startReady();
      return { settled: batch.length, started: jobs.length, nextAt, hasMore: ready.size > 0 };
    } catch (error) {
      // Nothing was settled: it is tried again, and counts as long as the leases last.
      ended = [...batch, ...ended];
      throw error;
    }
  }

  function hold(jobs: readonly Job[]) {
    for (const job of jobs) {
      const { endpoint } = job;
      turn.took(endpoint);
      const queued = ready.get(endpoint.id);
      if (queued) queued.push(job);
      else ready.set(endpoint.id, [job]);
    }
  }

  /** One of each endpoint after another, while there are places. */
  function startReady() {
    for (let isAny = !isClosing; isAny; ) {
      isAny = false;
      for (const [id, queued] of ready) {
        if (!turn.mayStart(id)) continue;
        const job = queued.shift();
        if (!queued.length) ready.delete(id);
        if (job) start(job);
        isAny = true;
      }
    }
  }

  function start(job: Job) {
    // Waited so long that the attempt could outlast the lease: left to whoever takes it next.
    if (now() + timeoutMs > job.lease) return turn.dropped(job.endpoint.id);
    turn.started(job.endpoint.id);
    const flight = attempt(job).finally(() => flights.delete(flight));
    flights.add(flight);
  }

  async function attempt({ endpoint, delivery, lease }: Job) {
    const startedAt = now();
    const answer = await exchange(endpoint, delivery, startedAt);
    turn.ended(endpoint.id, answer.error === null, answer.durationMs);
    startReady();
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
    endpoint: queue.WaitingEndpoint,
    delivery: queue.DueDelivery,
    time: number,
  ): Promise<Answer> | Answer {
    try {
      const secrets = secretsOf(endpoint, time);
      const body = bodyOf(delivery);
      return post.send({ url: endpoint.url, secrets, type: delivery.type, deliveryId: delivery.id, body }, time);
    } catch (error) {
      // The secret was sealed under another SECRET_KEY; the operator has to know, the owner sees it in the log.
      log.error({ err: error, endpointId: endpoint.id }, 'a webhook cannot be signed');
      return { responseStatus: null, error: failures.noSecret, responseBody: '', durationMs: 0 };
    }
  }

  /** The present secret first, then those replaced within the last 24 hours. */
  function secretsOf(endpoint: queue.WaitingEndpoint, time: number): string[] {
    return [opened(endpoint.secret), ...replacedSecrets(endpoint, time, opened).map(({ secret }) => secret)];
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
        if (flights.size) await Promise.race(flights);
        else if (!started && !ended.length) return;
      }
    },
    /** What a cycle that is under way takes is not sent any more. */
    startNoMore() {
      isClosing = true;
    },
    /** Takes nothing more, gives back what was not sent, lets attempts under way end, settles them. */
    async close() {
      isClosing = true;
      const unsent = [...ready.values()].flat();
      ready.clear();
      try {
        if (unsent.length) await db.transaction((tx) => giveBack(tx, unsent));
        await Promise.all(flights);
        await cycle({ takes: false });
      } finally {
        await post.close();
      }
    },
  };
}

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
