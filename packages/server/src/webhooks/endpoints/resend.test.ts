import { afterAll, describe, expect, test } from 'vitest';
import { startReceiver } from '../../../test/receiver.ts';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { system } from '../../actor.ts';
import { DAY, HOUR, MINUTE } from '../../time/duration.ts';
import { resendDelivery, resendFailed } from './resend.ts';

// The timeout is long, so that held responses do not time out on a busy machine.
const service = await startService({
  env: { WEBHOOK_ALLOW_INTERNAL: 'true', WEBHOOK_RETRY_DELAYS: '1m,5m', WEBHOOK_TIMEOUT: '10m' },
});
const hooks = webhooksOf(service);
const { clock, services } = service;
const dispatcher = hooks.dispatcher();
afterAll(() => dispatcher.close());

/** An endpoint whose receiver fails, with `count` permanently failed deliveries. */
async function withFailed(count: number) {
  const receiver = await startReceiver();
  receiver.respondWith(500);
  const endpoint = await hooks.endpoint(receiver.url);
  await hooks.record(endpoint.storeId, count);
  for (const delay of [0, MINUTE, 5 * MINUTE]) {
    clock.now += delay;
    await dispatcher.idle();
  }
  expect(await hooks.statuses(endpoint.id)).toEqual({ failed: count });
  receiver.received.length = 0;
  return { receiver, ...endpoint };
}

describe('resending', () => {
  test('a delivery keeps its id and gets the full retry schedule again', async () => {
    const { receiver, id } = await withFailed(2);
    const [first] = await hooks.log(id);
    await resendDelivery(services, first?.id as string, undefined, system);
    for (const delay of [0, MINUTE, 5 * MINUTE, DAY]) {
      clock.now += delay;
      await dispatcher.idle();
    }
    expect(receiver.received.map(({ headers }) => headers['x-service-delivery'])).toEqual([
      first?.id,
      first?.id,
      first?.id,
    ]);
    const [again, other] = await hooks.log(id);
    expect([again?.attempts.length, other?.attempts.length]).toEqual([6, 3]);
    expect(again?.status).toBe('failed');
  });

  test('a delivered one is delivered again', async () => {
    const receiver = await startReceiver();
    const { id, storeId } = await hooks.endpoint(receiver.url);
    await hooks.record(storeId);
    await dispatcher.idle();
    await resendDelivery(services, (await hooks.log(id))[0]?.id as string, undefined, system);
    await dispatcher.idle();
    expect(receiver.received.length).toBe(2);
    expect(receiver.received[0]?.body).toBe(receiver.received[1]?.body);
  });

  test('a delivery with an attempt in flight waits until that has finished', async () => {
    const responses: (() => void)[] = [];
    const receiver = await startReceiver({
      respond: (_request, response) => void responses.push(() => response.writeHead(500).end()),
    });
    const { id, storeId } = await hooks.endpoint(receiver.url);
    await hooks.record(storeId);
    const other = hooks.dispatcher();
    await other.cycle();
    await receiver.count(1);
    await resendDelivery(services, (await hooks.log(id))[0]?.id as string, undefined, system);
    await dispatcher.idle();
    expect(receiver.received.length).toBe(1);
    receiver.respondWith(200);
    for (const respond of responses) respond();
    await other.close();
    expect((await hooks.log(id))[0]).toMatchObject({ status: 'pending', attempts: [{ responseStatus: 500 }] });
  });

  test('resends everything that failed since a time, and nothing that failed before', async () => {
    const { receiver, id, storeId } = await withFailed(2);
    const since = clock.now + 1;
    receiver.respondWith(500);
    clock.now += HOUR;
    await hooks.record(storeId, 3);
    for (const delay of [0, MINUTE, 5 * MINUTE]) {
      clock.now += delay;
      await dispatcher.idle();
    }
    receiver.received.length = 0;
    receiver.respondWith(200);
    expect(await resendFailed(services, id, since, system)).toEqual({ count: 3 });
    await dispatcher.idle();
    expect(await hooks.statuses(id)).toEqual({ delivered: 3, failed: 2 });
  });

  test('only the owner can resend', async () => {
    const { id } = await withFailed(1);
    const { id: otherStoreId } = await service.store();
    const resending = resendDelivery(services, (await hooks.log(id))[0]?.id as string, otherStoreId, system);
    await expect(resending).rejects.toMatchObject({ code: 'not_found' });
  });
});
