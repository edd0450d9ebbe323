import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE } from '../../duration.ts';
import { pruneIdempotencyKeys } from '../../http/idempotency.ts';
import type { Services } from '../../services.ts';
import { finishDeleting } from '../endpoints/delete-endpoint.ts';
import { finishStopping } from '../endpoints/switch-off.ts';
import { prune } from '../log/prune.ts';
import { onWake } from '../outbox/wake.ts';
import type { DispatchOptions } from './dispatch-state.ts';
import { createDispatcher } from './dispatcher.ts';

/** Poll interval for deliveries added by other processes, and minimum time between cycles after a database error. */
const POLL_MS = 1000;
/**
 * Minimum time between two cycles, so that under load each transaction claims and records many deliveries. When idle, a
 * cycle starts immediately.
 */
const GAP_MS = 20;
/** The same while claims are waiting for a slot: no attempt waits for the database then. */
const BUSY_GAP_MS = 100;
const MAINTENANCE_MS = MINUTE;

export interface Dispatcher {
  /** Starts a cycle now instead of at the next poll. */
  wake(): void;
  /** Stops claiming, waits for attempts in flight (at most the attempt timeout) and records their outcomes. */
  stop(): Promise<void>;
}

/** Runs a dispatcher in this process. Any number of dispatchers and processes may share a database. */
export function startDispatcher(
  services: Services,
  options: DispatchOptions = {},
  /** What other features delete once a minute. */
  prunes: readonly ((services: Services) => Promise<unknown>)[] = [],
): Dispatcher {
  const { log, now } = services;
  const dispatch = createDispatcher(services, options);
  let isStopped = false;
  let isWoken = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastCycle = 0;
  let gap = GAP_MS;

  function wake() {
    isWoken = true;
    if (!isStopped)
      running ??= run().finally(() => {
        running = undefined;
        // Woken after the last check in `run`.
        if (isWoken) wake();
      });
  }

  /** Runs cycles while woken, then schedules the next poll. */
  async function run() {
    clearTimeout(timer);
    let pause = POLL_MS;
    while (isWoken && !isStopped) {
      await sleep(Math.max(0, lastCycle + gap - performance.now()));
      if (isStopped) break;
      isWoken = false;
      lastCycle = performance.now();
      try {
        const { nextAt, isSaturated } = await dispatch.cycle();
        gap = isSaturated ? BUSY_GAP_MS : GAP_MS;
        pause = Math.min(POLL_MS, Math.max(1, (nextAt ?? Number.POSITIVE_INFINITY) - now()));
      } catch (error) {
        log.error({ err: error }, 'failed to claim or record webhook deliveries; retrying');
        pause = POLL_MS;
        gap = POLL_MS;
        isWoken = false;
      }
    }
    if (!isStopped) timer = setTimeout(wake, pause);
  }

  const unsubscribe = onWake(wake);
  dispatch.onAttemptFinished(wake);
  const maintenance = setInterval(() => {
    for (const prune of [maintain, ...prunes])
      prune(services).catch((error) => log.error({ err: error }, 'failed to delete expired records'));
  }, MAINTENANCE_MS);
  wake();

  return {
    wake,
    async stop() {
      isStopped = true;
      dispatch.stopClaiming();
      unsubscribe();
      clearInterval(maintenance);
      clearTimeout(timer);
      await running;
      await dispatch.close();
    },
  };
}

/**
 * Finishes incomplete deletions and switch-offs (those made by the dispatcher, and those interrupted by a crash), then deletes expired
 * log entries and idempotency keys.
 */
export async function maintain(services: Services) {
  await finishStopping(services.db, services.now());
  await finishDeleting(services.db);
  await prune(services);
  await pruneIdempotencyKeys(services);
}
