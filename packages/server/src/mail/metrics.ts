import { Counter } from 'prom-client';
import { cachedGauge } from '../queue/cached-gauge.ts';
import type { Services } from '../services.ts';
import type { MailerOptions } from './mailer.ts';
import { count, MAX_COUNT } from './queue.queries.ts';

/** Registers the metrics and returns the `observe` callback. Gauges cover the database, counters this process. */
export function mailMetrics(services: Services): NonNullable<MailerOptions['observe']> {
  const { db, registry } = services;
  const gauge = (name: string, help: string, state: 'waiting' | 'dead') =>
    cachedGauge(services, name, help, () => count(db, state));
  gauge('store_sales_mails_waiting', `Mails to be sent or retried; counted up to ${MAX_COUNT}.`, 'waiting');
  gauge('store_sales_mails_dead', `Mails that could not be sent; counted up to ${MAX_COUNT}.`, 'dead');
  const attempts = new Counter({
    name: 'store_sales_mail_attempts_total',
    help: 'Attempts to send a mail by outcome: sent, failed (to be retried), dead.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  return (outcome) => attempts.labels(outcome).inc();
}
