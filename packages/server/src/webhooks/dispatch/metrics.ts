import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Services } from '../../services.ts';
import { MAX_QUEUE_DEPTH, nextScheduled, queueDepth, waitingEndpoints } from './queue.queries.ts';
import type { FinishedAttempt } from './record-outcomes.ts';

/** Gauges are cached for this long: counting a long queue is expensive. */
const COLLECT_MS = 5000;

/**
 * Registers the webhook metrics and returns the `observe` callback for the dispatcher. Queue depth and age cover the
 * whole database; attempts cover this process only.
 */
export function webhookMetrics(registry: Registry, { db, now, log }: Services): (attempt: FinishedAttempt) => void {
  const registers = [registry];
  /** A gauge that is left out of the scrape when reading it fails. */
  function gauge(name: string, help: string, read: () => Promise<number>) {
    let readAt = Number.NEGATIVE_INFINITY;
    return new Gauge({
      name,
      help,
      registers,
      async collect() {
        if (Math.abs(now() - readAt) < COLLECT_MS) return;
        readAt = now();
        try {
          this.set(await read());
        } catch (error) {
          this.remove();
          log.warn({ err: error }, `failed to read ${name}`);
        }
      },
    });
  }

  gauge(
    'store_sales_webhook_queue_depth',
    `Pending deliveries, including those in flight; counted up to ${MAX_QUEUE_DEPTH}.`,
    () => queueDepth(db),
  );
  gauge('store_sales_webhook_oldest_due_seconds', 'How long the oldest delivery has been due.', async () => {
    const time = now();
    const [waiting, scheduled] = await Promise.all([waitingEndpoints(db, time), nextScheduled(db)]);
    const first = Math.min(scheduled.at ?? time, ...waiting.results.map(({ first_at }) => first_at ?? time));
    return Math.max(0, time - first) / 1000;
  });
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
