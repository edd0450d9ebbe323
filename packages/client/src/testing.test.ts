import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signedEvent, TEST_SECRET } from './testing.ts';
import { receiveWebhooks, verify, type WebhookEvent } from './webhooks.ts';

test('a signed event is accepted by the receiver and by Standard Webhooks', async () => {
  const handled: WebhookEvent[] = [];
  const hooks = receiveWebhooks({ secret: TEST_SECRET, onEvent: (event) => handled.push(event) });
  const data = { orderId: 'o-1', externalId: 'Заказ' };
  const signed = await signedEvent({ type: 'order.status_changed', data });
  const response = await hooks.fetch(new Request('https://shop.example/hooks', signed));
  expect([response.status, handled]).toEqual([200, [signed.event]]);
  expect(signed.event).toMatchObject({ type: 'order.status_changed', data });
  expect(new Webhook(TEST_SECRET).verify(signed.body, signed.headers)).toEqual(signed.event);
});

test('has random ids and the current time, unless they are given', async () => {
  const [one, two] = [await signedEvent(), await signedEvent()];
  expect(one.event).toMatchObject({ type: 'order.created', data: { orderId: expect.any(String), externalId: '' } });
  expect(one.event.id).not.toBe(two.event.id);
  expect(one.headers['x-service-delivery']).not.toBe(two.headers['x-service-delivery']);
  const ping = await signedEvent({ id: 'e-1', type: 'ping' }, { now: 1_790_000_000_000, delivery: 'd-1' });
  expect(ping.event).toEqual({ id: 'e-1', type: 'ping', createdAt: '2026-09-21T14:13:20.000Z', data: {} });
  expect(ping.headers).toMatchObject({ 'x-service-event': 'ping', 'x-service-delivery': 'd-1', 'webhook-id': 'e-1' });
  const old = await verify(ping.body, ping.headers['x-service-signature'], TEST_SECRET);
  expect(old).toMatchObject({ reason: expect.stringMatching(/^too_/) });
});

test('is signed with both secrets of a rotation', async () => {
  const secrets = [TEST_SECRET, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'];
  const { body, headers } = await signedEvent({}, { secret: secrets });
  for (const secret of secrets) {
    expect(await verify(body, headers['x-service-signature'], secret)).toMatchObject({ ok: true });
    expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
  }
  for (const secret of ['secret', 'whsec_', 'whsec_ä'])
    await expect(signedEvent({}, { secret })).rejects.toThrow(TypeError);
});
