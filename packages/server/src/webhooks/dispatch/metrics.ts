import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Services } from '../../services.ts';
import { MAX_QUEUE_DEPTH, queueDepth, waitingEndpoints } from './queue.queries.ts';
import type { Ended } from './record-outcomes.ts';

/** Scrapers and curious clients share what was read within this time: with a long queue it takes a while to count. */
const COLLECT_MS = 5000;

/**
 * Adds the figures of webhooks to a registry and returns what to pass to the dispatcher as `observe`. Depth and
 * age are of the whole database, whichever process is asked; attempts are this process's own.
 */
export function webhookMetrics(registry: Registry, { db, now, log }: Services): (ended: Ended) => void {
  const registers = [registry];
  /** Read when scraped, at most once in COLLECT_MS. If a gauge cannot be read, it alone is left out. */
  function figure(name: string, help: string, read: () => Promise<number>) {
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
          log.warn({ err: error }, `${name} cannot be read`);
        }
      },
    });
  }

  figure(
    'store_sales_webhook_queue_depth',
    `Deliveries that wait, in flight or for their time; counted up to ${MAX_QUEUE_DEPTH}.`,
    () => queueDepth(db),
  );
  figure('store_sales_webhook_oldest_due_seconds', 'How long the oldest delivery has been due.', async () => {
    const time = now();
    const first = Math.min(...(await waitingEndpoints(db, time)).map(({ first_at }) => first_at ?? time));
    return Math.max(0, time - first) / 1000;
  });
  const attempts = new Counter({
    name: 'store_sales_webhook_attempts_total',
    help: 'Attempts to deliver, by what came of them.',
    labelNames: ['outcome'],
    registers,
  });
  const latency = new Histogram({
    name: 'store_sales_webhook_attempt_seconds',
    help: 'Time from the start of an attempt to the end of the answer.',
    buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers,
  });

  const delivered = attempts.labels('delivered');

  return ({ answer }) => {
    (answer.error === null ? delivered : attempts.labels(failureOf(answer.error, answer.responseStatus))).inc();
    latency.observe(answer.durationMs / 1000);
  };
}

/** A small set of labels: answers by their hundred, the rest by its fixed words. */
const failureOf = (error: string, status: number | null) =>
  status !== null && status >= 300 ? `answered ${Math.floor(status / 100)}xx` : error;
