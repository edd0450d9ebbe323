import { Counter, Histogram } from 'prom-client';
import { cachedGauge } from '../../queue/cached-gauge.ts';
import type { Services } from '../../services.ts';
import { MAX_QUEUE_DEPTH, nextScheduled, queueDepth, waitingEndpoints } from './queue.queries.ts';
import type { FinishedAttempt } from './record-outcomes.ts';

/**
 * Registers the webhook metrics and returns the `observe` callback for the dispatcher. Queue depth and age cover the
 * whole database; attempts cover this process only.
 */
export function webhookMetrics(services: Services): (attempt: FinishedAttempt) => void {
  const { db, now, registry } = services;
  const registers = [registry];
  cachedGauge(
    services,
    'store_sales_webhook_queue_depth',
    `Pending deliveries, including those in flight; counted up to ${MAX_QUEUE_DEPTH}.`,
    () => queueDepth(db),
  );
  cachedGauge(
    services,
    'store_sales_webhook_oldest_due_seconds',
    'How long the oldest delivery has been due.',
    async () => {
      const time = now();
      const [waiting, scheduled] = await Promise.all([waitingEndpoints(db, time), nextScheduled(db)]);
      const first = Math.min(scheduled.at ?? time, ...waiting.results.map(({ first_at }) => first_at ?? time));
      return Math.max(0, time - first) / 1000;
    },
  );
  const attempts = new Counter({
    name: 'store_sales_webhook_attempts_total',
    help: 'Delivery attempts by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const latency = new Histogram({
    name: 'store_sales_webhook_attempt_seconds',
    help: 'Time from the start of an attempt to the end of the response.',
    buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers,
  });

  const delivered = attempts.labels('delivered');

  return ({ response }) => {
    (response.error === null ? delivered : attempts.labels(failureOf(response.error, response.responseStatus))).inc();
    latency.observe(response.durationMs / 1000);
  };
}

/** Keeps the label set small: responses by status class, other failures by their code. */
const failureOf = (error: string, status: number | null) =>
  status !== null && status >= 300 ? `http_${Math.floor(status / 100)}xx` : error;
