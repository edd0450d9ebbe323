import { collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client';
import type { ServerTime } from '../db/clock/server-time.ts';
import type { Services } from '../services.ts';

/** Prometheus metrics of this process. */
export function metrics({ registry }: Services, connections: () => number) {
  collectDefaultMetrics({ register: registry, prefix: 'store_sales_' });
  const requests = new Histogram({
    name: 'store_sales_http_request_seconds',
    help: 'Duration of HTTP requests.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'store_sales_http_connections',
    help: 'Open client connections.',
    registers: [registry],
    collect() {
      this.set(connections());
    },
  });
  // Ten times faster than `labels()`; bounded by the number of routes and statuses.
  const series = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>();
  return {
    registry,
    observeRequest(method: string, route: string, status: number, ms: number) {
      const name = `${method} ${status} ${route}`;
      const known = series.get(name) ?? requests.labels(method, route, String(status));
      series.set(name, known);
      known.observe(ms / 1000);
    },
  };
}

export type Metrics = ReturnType<typeof metrics>;

export function clockMetrics(
  registry: Registry,
  time: Pick<ServerTime, 'offset' | 'isOverridden'>,
  storesAheadMs: () => number,
) {
  new Gauge({
    name: 'store_sales_clock_offset_seconds',
    help: "How far this machine's clock is ahead of the database server's; 0 with SQLite.",
    registers: [registry],
    collect() {
      this.set(time.offset() / 1000);
    },
  });
  new Gauge({
    name: 'store_sales_clock_overridden',
    help: "1 while this machine's clock is too far ahead and the database server's time is used instead.",
    registers: [registry],
    collect() {
      this.set(time.isOverridden() ? 1 : 0);
    },
  });
  new Gauge({
    name: 'store_sales_clock_ahead_seconds',
    help: 'How far the latest change of a store is ahead of the present.',
    registers: [registry],
    collect() {
      this.set(storesAheadMs() / 1000);
    },
  });
}
