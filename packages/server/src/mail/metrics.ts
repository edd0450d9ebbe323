import { Counter, Gauge } from 'prom-client';
import type { Services } from '../services.ts';
import type { MailerOptions } from './mailer.ts';
import { count, MAX_COUNT } from './queue.queries.ts';

/** Gauges are cached for this long. */
const COLLECT_MS = 5000;

/** Registers the metrics and returns the `observe` callback. Gauges cover the database, counters this process. */
export function mailMetrics({ registry, db, now, log }: Services): NonNullable<MailerOptions['observe']> {
  const registers = [registry];
  function gauge(name: string, help: string, state: 'waiting' | 'dead') {
    let readAt = Number.NEGATIVE_INFINITY;
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        if (Math.abs(now() - readAt) < COLLECT_MS) return;
        readAt = now();
        try {
          this.set(await count(db, state));
        } catch (err) {
          this.remove();
          log.warn({ err }, `failed to read ${name}`);
        }
      },
    });
  }
  gauge('store_sales_mails_waiting', `Mails to be sent or retried; counted up to ${MAX_COUNT}.`, 'waiting');
  gauge('store_sales_mails_dead', `Mails that could not be sent; counted up to ${MAX_COUNT}.`, 'dead');
  const attempts = new Counter({
    name: 'store_sales_mail_attempts_total',
    help: 'Attempts to send a mail by outcome: sent, failed (to be retried), dead.',
    labelNames: ['outcome'],
    registers,
  });
  return (outcome) => attempts.labels(outcome).inc();
}
