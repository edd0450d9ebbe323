import { Registry } from 'prom-client';
import { afterAll, expect, test } from 'vitest';
import { startReceiver } from '../../../test/receiver.ts';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { MINUTE } from '../../time/duration.ts';
import { webhookMetrics } from './metrics.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
const hooks = webhooksOf(service);
const { services, clock } = service;
const registry = new Registry();
const dispatcher = hooks.dispatcher({ observe: webhookMetrics({ ...services, registry }) });
afterAll(() => dispatcher.close());

const value = async (name: string) =>
  Number(
    (await registry.metrics())
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')
      .pop(),
  );

test('queue depth, age of the oldest due delivery, attempts by outcome, latency', async () => {
  const receiver = await startReceiver();
  receiver.respondWith(503);
  const { storeId } = await hooks.endpoint(receiver.url);
  const pending = await value('store_sales_webhook_queue_depth');
  await hooks.record(storeId, 3);
  clock.now += 5000;
  expect(await value('store_sales_webhook_queue_depth')).toBe(pending + 3);
  expect(await value('store_sales_webhook_oldest_due_seconds')).toBe(5);
  const before = await value('store_sales_webhook_attempt_seconds_count');
  await dispatcher.idle();
  expect(await value('store_sales_webhook_attempts_total{outcome="http_5xx"}')).toBe(3);
  expect(await value('store_sales_webhook_attempt_seconds_count')).toBe(before + 3);
  // Cached for five seconds.
  expect(await value('store_sales_webhook_oldest_due_seconds')).toBe(5);
  clock.now += 5000;
  expect(await value('store_sales_webhook_oldest_due_seconds')).toBe(0);
  // Retries that no dispatcher has seen since they became due.
  clock.now += MINUTE;
  expect(await value('store_sales_webhook_oldest_due_seconds')).toBe(5);
});
