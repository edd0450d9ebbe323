import { createHmac } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { verify } from '@store-sales/contract';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, describe, expect, test } from 'vitest';
import { authority, hasOpenssl } from '../../../test/certificates.ts';
import { startNameServer } from '../../../test/name-server.ts';
import { startReceiver } from '../../../test/receiver.ts';
import type { Resolve } from '../address-guard/guard.ts';
import { newSecret } from '../endpoints/rotate-secret.ts';
import { type SendOptions, sender } from './send.ts';

const now = Date.parse('2026-09-27T10:00:00.750Z');
const at = Math.floor(now / 1000);
const secret = 'whsec_3f9a';
const body = JSON.stringify({ id: 'e1', type: 'order.created', data: { orderId: 'o1', externalId: 'Заказ' } });
const ids = { deliveryId: 'd1', eventId: 'e1' };
const message = (url: string, secrets = [secret]) => ({ url, secrets, type: 'order.created', ...ids, body });
const loopback: Resolve = async () => ['127.0.0.1'];
const senders: ReturnType<typeof sender>[] = [];

function open(options: Partial<SendOptions> = {}) {
  const names = options.nameServers ? {} : { resolve: loopback };
  const opened = sender({ allowInternal: true, timeoutMs: 5000, ...names, ...options });
  senders.push(opened);
  return opened;
}
afterAll(() => Promise.all(senders.map((each) => each.close())));

describe('the request', () => {
  test('has headers for type, delivery and signature, and the signed body', async () => {
    const receiver = await startReceiver();
    const response = await open().send(message(`${receiver.url}?shop=1`), now);
    expect(response).toMatchObject({ responseStatus: 200, error: null, responseBody: 'ok' });
    const [got] = receiver.received;
    expect(got).toMatchObject({ method: 'POST', path: '/hook?shop=1', body });
    expect(got?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'order.created',
      'x-service-delivery': 'd1',
      'user-agent': expect.stringMatching(/^store-sales\//),
    });
    expect(await verify(body, got?.headers['x-service-signature'], secret, { now })).toMatchObject({ ok: true });
  });

  test("is accepted by Stripe's own library, with one secret and with two", async () => {
    const receiver = await startReceiver();
    const stripe = new Stripe('sk_test_x');
    await open().send(message(receiver.url), now);
    await open().send(message(receiver.url, ['whsec_new', secret]), now);
    for (const { body: raw, headers } of receiver.received) {
      const header = headers['x-service-signature'] as string;
      const event = stripe.webhooks.constructEvent(raw, header, secret, 300, undefined, now);
      expect(event).toEqual(JSON.parse(body));
      const expected = stripe.webhooks.generateTestHeaderString({ payload: raw, secret, timestamp: at });
      expect(header.endsWith(expected.replace(/^t=\d+/, ''))).toBe(true);
      expect(() => stripe.webhooks.constructEvent(`${raw} `, header, secret, 300, undefined, now)).toThrow();
    }
  });

  test('is accepted by the libraries of Standard Webhooks and Svix, with either secret of a rotation', async () => {
    const receiver = await startReceiver();
    const [old, replacement] = [newSecret(), newSecret()];
    // The libraries have their own clock.
    await open().send(message(receiver.url, [replacement, old]), Date.now());
    const [{ body: raw, headers } = { body: '', headers: {} }] = receiver.received;
    const given = headers as Record<string, string>;
    expect(given['webhook-id']).toBe('e1');
    for (const each of [old, replacement]) {
      expect(new Webhook(each).verify(raw, given)).toEqual(JSON.parse(body));
      expect(new SvixWebhook(each).verify(raw, given)).toEqual(JSON.parse(body));
    }
    expect(() => new Webhook(newSecret()).verify(raw, given)).toThrow();
    expect(() => new Webhook(old).verify(`${raw} `, given)).toThrow();
    expect(() => new Webhook(old).verify(raw, { ...given, 'webhook-id': 'e2' })).toThrow();
  });

  test('a secret of the URL-safe alphabet keys the bytes that it encodes', async () => {
    const receiver = await startReceiver();
    const bytes = Buffer.alloc(32, 0xfb);
    await open().send(message(receiver.url, [`whsec_${bytes.toString('base64url')}`]), now);
    const expected = createHmac('sha256', bytes).update(`e1.${at}.${body}`).digest('base64');
    expect(receiver.received[0]?.headers['webhook-signature']).toBe(`v1,${expected}`);
  });

  test('connections are kept alive and reused', async () => {
    let connections = 0;
    const receiver = await startReceiver();
    const counter = createServer((socket) => {
      connections++;
      const upstream = connect(receiver.port, '127.0.0.1');
      socket.pipe(upstream).pipe(socket);
      socket.on('error', () => {});
      upstream.on('error', () => {});
    });
    await new Promise<void>((done) => counter.listen(0, '127.0.0.1', done));
    const { port } = counter.address() as { port: number };
    const one = open();
    for (let round = 0; round < 5; round++) await one.send(message(`http://127.0.0.1:${port}/`), now);
    await one.close();
    counter.close();
    expect([receiver.received.length, connections]).toEqual([5, 1]);
  });
});

describe('the response', () => {
  test.each([
    [200, null],
    [204, null],
    [299, null],
    [301, 'redirect'],
    [304, 'redirect'],
    [400, 'http_status'],
    [410, 'http_status'],
    [500, 'http_status'],
  ])('%i: %s', async (status, error) => {
    const receiver = await startReceiver();
    receiver.respondWith(status);
    expect(await open().send(message(receiver.url), now)).toMatchObject({ responseStatus: status, error });
  });

  test('a redirect is not followed', async () => {
    const inside = await startReceiver();
    const receiver = await startReceiver({
      respond: (_request, response) => void response.writeHead(307, { location: inside.url }).end(),
    });
    expect(await open().send(message(receiver.url), now)).toMatchObject({ responseStatus: 307, error: 'redirect' });
    expect(inside.received).toEqual([]);
  });

  test('the first 4 KiB are stored, without NUL characters', async () => {
    const receiver = await startReceiver({
      respond: (_request, response) => void response.end(Buffer.from([0x61, 0x00, 0xff, ...Buffer.alloc(5000, 'é')])),
    });
    const { responseBody } = await open().send(message(receiver.url), now);
    expect(responseBody).toMatch(/^a\ufffdé+\ufffd$/);
    expect(Buffer.from(responseBody).length).toBeLessThan(4110);
  });

  test('at most 64 KiB are read; a longer response is still a success', async () => {
    let sent = 0;
    let onClosed = () => {};
    const closed = new Promise<void>((done) => {
      onClosed = done;
    });
    const receiver = await startReceiver({
      respond(_request, response) {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(16_384, 'x'))) sent += 16_384;
        };
        response.on('drain', more).on('close', () => onClosed());
        more();
      },
    });
    const response = await open().send(message(receiver.url), now);
    await closed;
    expect(response).toMatchObject({ responseStatus: 200, error: null });
    expect(sent).toBeLessThan(20_000_000);
  });

  test('the timeout covers the whole exchange, including a response that trickles in', async () => {
    const silent = await startReceiver({ respond: () => {} });
    let onClosed = () => {};
    const closed = new Promise<void>((done) => {
      onClosed = done;
    });
    const trickling = await startReceiver({
      respond(_request, response) {
        const timer = setInterval(() => response.write('x'), 20);
        response.on('close', () => {
          clearInterval(timer);
          onClosed();
        });
      },
    });
    const short = open({ timeoutMs: 200 });
    expect(await short.send(message(silent.url), now)).toMatchObject({ responseStatus: null, error: 'timeout' });
    // A busy machine may not get the status in time; exchange.test.ts covers it without a real clock.
    const trickled = await short.send(message(trickling.url), now);
    expect(trickled).toMatchObject({ error: 'timeout' });
    expect(trickled.durationMs).toBeGreaterThanOrEqual(190);
    await closed;
  });

  test.each([
    ['a closed port', 'connection_refused', async (port: number) => `http://127.0.0.1:${port}/`],
    ['a name that is not found', 'name_not_found', async () => 'http://nowhere.test/'],
  ])('%s: %s', async (_name, error, url) => {
    const receiver = await startReceiver();
    await receiver.close();
    const resolve: Resolve = async () => {
      throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    };
    expect(await open({ resolve }).send(message(await url(receiver.port)), now)).toMatchObject({
      responseStatus: null,
      error,
    });
  });

  test.each([
    ['closes immediately', '', 'connection_closed'],
    ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'invalid_http'],
  ])('a server that %s', async (_name, greeting, error) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(greeting));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as { port: number };
    expect(await open().send(message(`http://127.0.0.1:${port}/`), now)).toMatchObject({ error });
    server.close();
  });
});

describe('names', () => {
  test('a silent name server and an unknown name are different failures', async () => {
    const { address } = await startNameServer({ 'dead.test': 'silent', 'failing.test': 'SERVFAIL' });
    const short = open({ timeoutMs: 600, nameServers: [address] });
    expect(await short.send(message('http://dead.test/'), now)).toMatchObject({ error: 'dns_failed' });
    const other = open({ nameServers: [address] });
    expect(await other.send(message('http://failing.test/'), now)).toMatchObject({
      error: 'dns_failed',
    });
    expect(await other.send(message('http://none.test/'), now)).toMatchObject({ error: 'name_not_found' });
  });

  test('with allowInternal, local names are resolved', async () => {
    const receiver = await startReceiver();
    const local = sender({ allowInternal: true, timeoutMs: 5000 });
    senders.push(local);
    const response = await local.send(message(`http://localhost:${receiver.port}/`), now);
    expect(response).toMatchObject({ responseStatus: 200, error: null });
  });

  test('resolved addresses are checked, also when cached', async () => {
    const receiver = await startReceiver();
    const { address, queries } = await startNameServer({ 'inside.test': ['127.0.0.1'] });
    const strict = open({ allowInternal: false, nameServers: [address] });
    for (let round = 0; round < 2; round++)
      expect(await strict.send(message(`https://inside.test:${receiver.port}/`), now)).toMatchObject({
        error: 'address_not_allowed',
      });
    expect(queries.filter((query) => query.startsWith('A '))).toHaveLength(1);
    expect(receiver.received).toEqual([]);
  });
});

describe('the guard inside the connector', () => {
  test.each(['https://127.0.0.1:PORT/', 'https://[::ffff:127.0.0.1]:PORT/', 'https://2130706433:PORT/'])(
    '%s is not connected to',
    async (url) => {
      const receiver = await startReceiver();
      const response = await open({ allowInternal: false }).send(message(url.replace('PORT', `${receiver.port}`)), now);
      expect(response).toMatchObject({ responseStatus: null, error: 'address_not_allowed' });
      expect(receiver.received).toEqual([]);
    },
  );

  test('DNS rebinding: a name that now resolves to an internal address is not connected to', async () => {
    const receiver = await startReceiver();
    const resolutions = [['93.184.215.14'], ['127.0.0.1']];
    const resolve: Resolve = async () => resolutions.shift() as string[];
    const { checkUrl } = await import('../address-guard/guard.ts');
    const url = `https://moving.test:${receiver.port}/`;
    expect((await checkUrl(url, { allowInternal: false, resolve })).href).toBe(url);
    const response = await open({ allowInternal: false, resolve }).send(message(url), now);
    expect(response).toMatchObject({ responseStatus: null, error: 'address_not_allowed' });
    expect(receiver.received).toEqual([]);
  });

  test('a name is resolved once per connection, so the checked address is the one connected to', async () => {
    let asked = 0;
    const receiver = await startReceiver();
    const resolve: Resolve = async () => {
      asked++;
      return ['127.0.0.1'];
    };
    await open({ resolve }).send(message(`http://once.test:${receiver.port}/`), now);
    expect([receiver.received.length, asked]).toEqual([1, 1]);
  });
});

describe.skipIf(!hasOpenssl)('certificates', () => {
  const own = hasOpenssl ? authority() : undefined;
  const issue = (name: string, options?: { isExpired?: boolean; isSelfSigned?: boolean }) => {
    if (!own) throw new Error('openssl is missing');
    return own.issue(name, options);
  };
  const trusting = () => open(own ? { ca: own.ca } : {});
  afterAll(() => own?.remove());

  test('a valid one is accepted', async () => {
    const receiver = await startReceiver({ tls: issue('hooks.test') });
    const response = await trusting().send(message(`https://hooks.test:${receiver.port}/`), now);
    expect(response).toMatchObject({ responseStatus: 200, error: null });
  });

  test.each([
    ['an expired one', { isExpired: true }, 'certificate_expired'],
    ['a self-signed one', { isSelfSigned: true }, 'certificate_self_signed'],
  ])('%s is rejected', async (_name, options, error) => {
    const receiver = await startReceiver({ tls: issue('hooks.test', options) });
    const response = await trusting().send(message(`https://hooks.test:${receiver.port}/`), now);
    expect(response).toMatchObject({ responseStatus: null, error });
    expect(receiver.received).toEqual([]);
  });

  test('one for another name is rejected', async () => {
    const receiver = await startReceiver({ tls: issue('other.test') });
    const response = await trusting().send(message(`https://hooks.test:${receiver.port}/`), now);
    expect(response).toMatchObject({ responseStatus: null, error: 'certificate_wrong_host' });
    expect(receiver.received).toEqual([]);
  });

  test('one of an unknown authority is rejected', async () => {
    const receiver = await startReceiver({ tls: issue('hooks.test') });
    const response = await open().send(message(`https://hooks.test:${receiver.port}/`), now);
    expect(response).toMatchObject({ responseStatus: null, error: 'certificate_unknown_authority' });
  });

  test('a plain HTTP server at an https URL is rejected', async () => {
    const receiver = await startReceiver();
    const response = await trusting().send(message(`https://hooks.test:${receiver.port}/`), now);
    expect(response).toMatchObject({ responseStatus: null, error: 'tls_failed' });
  });
});
