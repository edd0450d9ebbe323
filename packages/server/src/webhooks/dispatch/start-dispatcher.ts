import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../../services.ts';
import { prune } from '../log/prune.ts';
import { onWake } from '../outbox/wake.ts';
import { type DispatchOptions, dispatching } from './dispatcher.ts';

/** How soon deliveries that another process added are seen, and a database that was away is tried again. */
const POLL_MS = 1000;
/**
 * Between two cycles: under load each then takes and settles many deliveries in one transaction. After a quiet
 * moment a cycle starts at once.
 */
const GAP_MS = 20;
/** The same while enough is in hand to keep every place busy: nothing waits for the database, and it is asked less often. */
const BUSY_GAP_MS = 100;
const PRUNE_MS = 60_000;

export interface Dispatcher {
  /** Looks at once for what is due. */
  wake(): void;
  /** Takes nothing more, waits for the attempts under way (no longer than the time-out), settles them. */
  stop(): Promise<void>;
}

/** Runs a dispatcher in this process. Any number of them, in any number of processes, may share a database. */
export function startDispatcher(services: Services, options: DispatchOptions = {}): Dispatcher {
  const { log, now } = services;
  const dispatch = dispatching(services, options);
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
        // Woken between the last look and here.
        if (isWoken) wake();
      });
  }

  /** One cycle after another as long as there is reason to look again; then a pause. */
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
        log.error({ err: error }, 'webhooks could not be taken or settled; trying again');
        pause = POLL_MS;
        isWoken = false;
      }
    }
    if (!isStopped) timer = setTimeout(wake, pause);
  }

  const unsubscribe = onWake(wake);
  dispatch.whenEnded(wake);
  const pruning = setInterval(() => {
    prune(services).catch((error) => log.error({ err: error }, 'the delivery log could not be pruned'));
  }, PRUNE_MS);
  wake();

  return {
    wake,
    async stop() {
      isStopped = true;
      dispatch.stopClaiming();
      unsubscribe();
      clearInterval(pruning);
      clearTimeout(timer);
      await running;
      await dispatch.close();
    },
  };
}
