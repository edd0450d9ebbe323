import { afterAll, describe, expect, test } from 'vitest';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { pingEndpoint } from '../endpoints/ping-endpoint.ts';
import { listen } from './listen.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
const hooks = webhooksOf(service);
const { services, clock } = service;
const dispatcher = hooks.dispatcher();
afterAll(() => dispatcher.close());

describe('the receiver for development', () => {
  async function deliver(secretOf: (own: string) => string | undefined) {
    // The address is known before the secret is: a first receiver finds a free port.
    const probe = await listen({ port: 0, print: () => {}, now: services.now });
    const { id, secret } = await hooks.endpoint(probe.url);
    await probe.close();
    const lines: string[] = [];
    const port = Number(new URL(probe.url).port);
    const receiver = await listen({
      port,
      secret: secretOf(secret),
      print: (line) => lines.push(line),
      now: services.now,
    });
    const { eventId, deliveryId } = await pingEndpoint(services, id);
    await dispatcher.idle();
    await receiver.close();
    const [attempt] = (await hooks.log(id))[0]?.attempts ?? [];
    return { lines, attempt, eventId, deliveryId };
  }

  test('prints one line and responds with 200', async () => {
    const { lines, attempt, eventId, deliveryId } = await deliver((own) => own);
    const at = new Date(clock.now).toISOString();
    expect(lines).toEqual([`${at}  ping  event ${eventId}  delivery ${deliveryId}  {}  signature ok`]);
    expect(attempt).toMatchObject({ responseStatus: 200, responseBody: 'ok' });
  });

  test('responds with 400 to a bad signature', async () => {
    const { lines, attempt } = await deliver(() => 'whsec_other');
    expect(lines[0]).toMatch(/REFUSED: The signature does not match/);
    expect(attempt).toMatchObject({ responseStatus: 400, error: 'http_status' });
  });

  test('without a secret it prints that nothing was verified', async () => {
    const { lines } = await deliver(() => undefined);
    expect(lines[0]).toMatch(/not verified/);
  });

  test('escapes control characters in requests that are not events', async () => {
    const lines: string[] = [];
    const receiver = await listen({ port: 0, print: (line) => lines.push(line), now: services.now });
    await fetch(`${receiver.url}x`, { method: 'POST', body: 'not\x1b[31m JSON' });
    await receiver.close();
    expect(lines[0]).toContain('POST /x  not\\u001b[31m JSON');
  });
});
