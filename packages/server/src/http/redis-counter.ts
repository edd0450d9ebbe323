import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { Gauge } from 'prom-client';
import type { Services } from '../services.ts';
import { MINUTE, SECOND } from '../time/duration.ts';
import type { SharedCounter } from './rate-limit.ts';

/** After a failure, the next question waits this long, so that a silent Redis delays one request and not all of them. */
const PAUSE_MS = 5 * SECOND;

/** Counts in Redis or Valkey. Connects in the background, and again whenever the connection is lost. */
export function redisCounter(url: string, { config, log, registry }: Services): SharedCounter & { close(): void } {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    // A connection that has gone silent is replaced.
    pingInterval: 2 * SECOND,
    socket: { connectTimeout: 2 * SECOND, socketTimeout: 5 * SECOND, reconnectStrategy: () => SECOND },
  });
  let isReachable: boolean | undefined;
  let pausedUntil = 0;
  const reachable = (now: boolean, err?: unknown) => {
    if (now === isReachable) return;
    isReachable = now;
    if (now) log.info('Redis is reachable: rate limits count over all nodes');
    else log.warn({ err }, 'Redis cannot be reached: rate limits count on this node alone');
  };
  client.on('error', (err) => reachable(false, err));
  // A connection is ready before the server has said anything.
  client.on('ready', () =>
    client.ping().then(
      () => {
        pausedUntil = 0;
        reachable(true);
      },
      () => {},
    ),
  );
  client.connect().catch((err) => reachable(false, err));
  new Gauge({
    name: 'store_sales_redis_reachable',
    help: '1 while rate limits count over all nodes; 0 while Redis cannot be reached and each node counts alone.',
    registers: [registry],
    collect() {
      this.set(isReachable ? 1 : 0);
    },
  });

  return {
    async add(keyId, minute, amount) {
      if (performance.now() < pausedUntil) throw new Error('Redis did not respond a moment ago.');
      const name = `store-sales:requests:${keyId}:${minute}`;
      try {
        const response = client
          .multi()
          .incrBy(name, amount)
          .pExpire(name, 2 * MINUTE)
          .exec();
        const [total] = await Promise.race([response, timeout(config.REDIS_TIMEOUT)]);
        reachable(true);
        return Number(total);
      } catch (error) {
        pausedUntil = performance.now() + PAUSE_MS;
        reachable(false, error);
        throw error;
      }
    },
    close: () => client.destroy(),
  };
}

async function timeout(ms: number): Promise<never> {
  await sleep(ms, undefined, { ref: false });
  // A response that arrived while this process was busy is read first.
  await nextIteration();
  throw new Error(`Redis did not respond within ${ms} ms.`);
}
