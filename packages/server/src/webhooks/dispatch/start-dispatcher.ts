import { startWorker, type Worker } from '../../queue/start-worker.ts';
import type { Services } from '../../services.ts';
import { onWake } from '../outbox/wake.ts';
import type { DispatchOptions } from './dispatch-state.ts';
import { createDispatcher } from './dispatcher.ts';

/**
 * Minimum time between two cycles, so that under load each transaction claims and records many deliveries. When idle, a
 * cycle starts immediately.
 */
const GAP_MS = 20;
/** The same while claims are waiting for a slot: no attempt waits for the database then. */
const BUSY_GAP_MS = 100;

/**
 * Runs a dispatcher in this process. `stop` stops claiming, waits for attempts in flight (at most the attempt timeout) and
 * records their outcomes.
 */
export function startDispatcher(services: Services, options: DispatchOptions = {}): Worker {
  const { log, now } = services;
  const dispatch = createDispatcher(services, options);
  const worker = startWorker({
    async cycle() {
      const { nextAt, isSaturated } = await dispatch.cycle();
      return { dueInMs: nextAt === undefined ? undefined : nextAt - now(), gapMs: isSaturated ? BUSY_GAP_MS : GAP_MS };
    },
    onError: (err) => log.error({ err }, 'failed to claim or record webhook deliveries; retrying'),
    onWake,
    stopClaiming: dispatch.stopClaiming,
    close: dispatch.close,
  });
  dispatch.onAttemptFinished(worker.wake);
  return worker;
}
