import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';

/** Counting a long queue is expensive. */
const COLLECT_MS = 5000;

/** Registers a gauge that is read at most every five seconds, and left out of the scrape when reading it fails. */
export function cachedGauge(
  { registry, now, log }: { registry: Registry; now(): number; log: Logger },
  name: string,
  help: string,
  read: () => Promise<number>,
) {
  let readAt = Number.NEGATIVE_INFINITY;
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      if (Math.abs(now() - readAt) < COLLECT_MS) return;
      readAt = now();
      try {
        this.set(await read());
      } catch (err) {
        this.remove();
        log.warn({ err }, `failed to read ${name}`);
      }
    },
  });
}
