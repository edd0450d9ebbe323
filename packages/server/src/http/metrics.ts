import { collectDefaultMetrics, Histogram } from 'prom-client';
import type { Services } from '../services.ts';

/** The figures of this process, for Prometheus. */
export function metrics({ registry }: Services) {
  collectDefaultMetrics({ register: registry, prefix: 'store_sales_' });
  const requests = new Histogram({
    name: 'store_sales_http_request_seconds',
    help: 'Time to answer a request.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  });
  return {
    registry,
    observeRequest(method: string, route: string, status: number, ms: number) {
      requests.labels(method, route, String(status)).observe(ms / 1000);
    },
  };
}

export type Metrics = ReturnType<typeof metrics>;
