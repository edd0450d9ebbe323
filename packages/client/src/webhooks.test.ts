import { createServer, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { eventHeaders } from '@store-sales/contract';
import Fastify from 'fastify';
import { afterAll, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { receiveWebhooks, SeenInMemory, signatureHeader, verify, type WebhookEvent } from './webhooks.ts';

const secret = 'whsec_test';
const now = 1_790_000_000_000;
let handled: WebhookEvent[] = [];
let errors: unknown[] = [];
beforeEach(() => {
  handled = [];
  errors = [];
});

let serial = 0;
const eventOf = (orderId = 'o-1') => ({
  id: `event-${++serial}`,
  type: 'order.created',
  createdAt: '2026-09-27T10:00:00.000Z',
  data: { orderId, externalId: 'Заказ' },
});
const bodyOf = (event: object = eventOf()) => JSON.stringify(event);
const signed = (body: string, at = now, key: string | string[] = secret) =>
  signatureHeader([key].flat(), Math.floor(at / 1000), body);

const hooksWith = (options: Partial<Parameters<typeof receiveWebhooks>[0]> = {}) =>
  receiveWebhooks({
    secret,
    onEvent: (event) => void handled.push(event),
    onError: (error) => errors.push(error),
    now: () => now,
    ...options,
  });

describe('a request', () => {
  test('with a valid signature is handled once', async () => {
    const { receive } = hooksWith();
    const event = eventOf();
    const rawBody = bodyOf(event);
    const incoming = { rawBody, signature: await signed(rawBody), delivery: 'd' };
    expect(await receive(incoming)).toEqual({ status: 200, text: 'handled' });
    expect(await receive({ ...incoming, rawBody: Buffer.from(rawBody) })).toMatchObject({ text: 'already handled' });
    expect(handled).toEqual([event]);
  });

  test.each([
    ['another body', async (body: string) => ({ rawBody: `${body} `, signature: await signed(body) })],
    ['another secret', async (body: string) => ({ rawBody: body, signature: await signed(body, now, 'whsec_other') })],
    ['an old timestamp', async (body: string) => ({ rawBody: body, signature: await signed(body, now - 301_000) })],
    [
      'a timestamp in the future',
      async (body: string) => ({ rawBody: body, signature: await signed(body, now + 301_000) }),
    ],
    ['no signature', async (body: string) => ({ rawBody: body, signature: undefined })],
    ['no JSON', async () => ({ rawBody: 'hello', signature: await signed('hello') })],
    ['no event', async () => ({ rawBody: '{}', signature: await signed('{}') })],
  ])('with %s is rejected', async (_name, make) => {
    const outcome = await hooksWith().receive({ ...(await make(bodyOf())), delivery: 'd' });
    expect(outcome.status).toBe(400);
    expect(handled).toEqual([]);
    expect(errors).toHaveLength(1);
  });

  test('is accepted with either secret during a rotation, and within the tolerance', async () => {
    const rawBody = bodyOf();
    const signature = await signed(rawBody, now, ['whsec_old', secret]);
    expect((await hooksWith().receive({ rawBody, signature, delivery: 'd' })).status).toBe(200);
    const olds = hooksWith({ secret: ['whsec_old', 'whsec_older'] });
    expect((await olds.receive({ rawBody, signature, delivery: 'd' })).status).toBe(200);
    const strict = hooksWith({ tolerance: 10, now: () => now + 11_000 });
    expect((await strict.receive({ rawBody, signature, delivery: 'd' })).status).toBe(400);
  });

  test('whose handler fails gets 500 and is handled on retry', async () => {
    let fail = true;
    const { receive } = hooksWith({
      onEvent(event) {
        if (fail) throw new Error('database unavailable');
        handled.push(event);
      },
    });
    const rawBody = bodyOf();
    const incoming = { rawBody, signature: await signed(rawBody), delivery: 'd' };
    expect((await receive(incoming)).status).toBe(500);
    expect(errors).toEqual([new Error('database unavailable')]);
    fail = false;
    expect((await receive(incoming)).status).toBe(200);
    expect(handled).toHaveLength(1);
  });

  test('is handled again if remember fails', async () => {
    const seen = new SeenInMemory();
    let isDown = true;
    const { receive } = hooksWith({
      seen: {
        seen: (id) => seen.seen(id),
        async remember(id) {
          if (isDown) throw new Error('down');
          seen.remember(id);
        },
      },
    });
    const rawBody = bodyOf();
    const incoming = { rawBody, signature: await signed(rawBody), delivery: 'd' };
    expect((await receive(incoming)).status).toBe(500);
    isDown = false;
    expect((await receive(incoming)).text).toBe('handled');
    expect((await receive(incoming)).text).toBe('already handled');
  });
});

test('events of one order are handled sequentially, others concurrently', async () => {
  const steps: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { receive } = hooksWith({
    async onEvent({ id, data }) {
      steps.push(`+${id}`);
      if ('orderId' in data && data.orderId === 'slow') await released;
      steps.push(`-${id}`);
      if (data.orderId === 'quick') release();
    },
  });
  const send = async (id: string, orderId: string) => {
    const rawBody = bodyOf({ ...eventOf(orderId), id });
    return receive({ rawBody, signature: await signed(rawBody), delivery: 'd' });
  };
  const [first, second] = [send('a', 'slow'), send('a', 'slow').then(() => send('b', 'slow'))];
  const outcomes = await Promise.all([first, second, send('c', 'quick')]);
  expect(outcomes.every(({ status }) => status === 200)).toBe(true);
  expect(steps.indexOf('-c')).toBeLessThan(steps.indexOf('-a'));
  expect(steps.filter((step) => step.endsWith('a'))).toEqual(['+a', '-a']);
  expect(steps.indexOf('+b')).toBeGreaterThan(steps.indexOf('-a'));
});

test('SeenInMemory is bounded', () => {
  const seen = new SeenInMemory(2);
  for (const id of ['a', 'b', 'c']) seen.remember(id);
  expect(['a', 'b', 'c'].map((id) => seen.seen(id))).toEqual([false, true, true]);
});

test('a missing secret is rejected', () => {
  for (const wrong of ['', [], ['']]) expect(() => hooksWith({ secret: wrong })).toThrow(/secret is missing/);
});

test('the type of an event narrows its data', () => {
  const check = (event: WebhookEvent) => {
    if (event.type !== 'ping') expectTypeOf(event.data.orderId).toEqualTypeOf<string>();
  };
  expect(check).toBeTypeOf('function');
});

test('verify accepts the signature of the service', async () => {
  expect(await verify('body', await signed('body'), secret, { now })).toMatchObject({ ok: true });
});

describe('on a server', () => {
  const stops: (() => unknown)[] = [];
  afterAll(() => Promise.all(stops.map((stop) => stop())));

  async function nodeServer(listener: RequestListener) {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  }

  async function fastifyServer(hooks: ReturnType<typeof hooksWith>) {
    const app = Fastify();
    app.post('/other', async ({ body }) => body);
    app.register(hooks.fastify, { path: '/hooks' });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    stops.push(() => app.close());
    const other = await fetch(`${url}/other`, {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
    });
    expect(await other.json(), 'other routes keep their parser').toEqual({ a: 1 });
    return `${url}/hooks`;
  }

  const servers = {
    'node:http': (hooks) => nodeServer(hooks.node),
    // express.raw() puts the bytes into `body`.
    'Express with express.raw()': (hooks) =>
      nodeServer(async (request, response) => {
        const chunks = await request.toArray();
        await hooks.express(Object.assign(request, { body: Buffer.concat(chunks) }), response);
      }),
    Fastify: fastifyServer,
    fetch: (hooks) =>
      nodeServer(async (request, response) => {
        const hasBody = request.method === 'POST';
        const result = await hooks.fetch(
          new Request('http://receiver.test/hooks', {
            method: request.method as string,
            headers: request.headers as Record<string, string>,
            ...(hasBody && { body: Readable.toWeb(request) as ReadableStream<Uint8Array>, duplex: 'half' }),
          }),
        );
        response.writeHead(result.status, Object.fromEntries(result.headers)).end(await result.text());
      }),
  } satisfies Record<string, (hooks: ReturnType<typeof hooksWith>) => Promise<string>>;

  describe.each(Object.entries(servers))('%s', (name, start) => {
    const post = (url: string, body: string, signature: string) =>
      fetch(url, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          [eventHeaders.signature]: signature,
          [eventHeaders.delivery]: 'delivery-1',
        },
      });

    test('verifies the raw body and responds with the right status', async () => {
      const deliveries: string[] = [];
      const url = await start(
        hooksWith({
          onEvent(event, { id }) {
            deliveries.push(id);
            if (event.type === 'ping') throw new Error('no');
            handled.push(event);
          },
        }),
      );
      // Whitespace and escapes that re-serializing would lose.
      const event = eventOf();
      const body = `  ${JSON.stringify(event, null, 3).replace('З', '\\u0417')}\n`;
      expect((await post(url, body, await signed(body))).status).toBe(200);
      expect(handled).toEqual([event]);
      expect(deliveries).toEqual(['delivery-1']);
      const tampered = await post(url, body.replace('o-1', 'o-2'), await signed(body));
      expect([tampered.status, await tampered.text()]).toEqual([400, expect.stringContaining('does not match')]);
      const ping = bodyOf({ id: 'p', type: 'ping', createdAt: '', data: {} });
      expect((await post(url, ping, await signed(ping))).status).toBe(500);
    });

    test('rejects other methods and large bodies', async () => {
      const url = await start(hooksWith());
      expect([404, 405]).toContain((await fetch(url)).status);
      const large = 'x'.repeat(300_000);
      // With a parser the limit is the parser's; the body is still not an event.
      const expected = name.startsWith('Express') ? 400 : 413;
      expect((await post(url, large, await signed(large))).status).toBe(expected);
      expect(handled).toEqual([]);
    });
  });

  /** Sends a chunked body until there is a response; returns its status and the bytes sent. */
  const sendEndlessBody = (url: string) =>
    new Promise<{ status: number | undefined; sent: number }>((resolve, reject) => {
      const chunk = Buffer.alloc(64 * 1024, 'x');
      let sent = 0;
      const outgoing = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } });
      outgoing.on('response', (response) => {
        resolve({ status: response.statusCode, sent });
        outgoing.destroy();
      });
      outgoing.on('error', reject);
      const write = () => {
        if (outgoing.destroyed || sent > 64 * 1024 * 1024) return;
        sent += chunk.length;
        outgoing.write(chunk, () => setImmediate(write));
      };
      write();
    });

  const { 'Express with express.raw()': _parsed, ...unparsed } = servers;
  test.each(Object.entries(unparsed))('%s: an endless body is rejected without buffering it', async (_name, start) => {
    const { status, sent } = await sendEndlessBody(await start(hooksWith()));
    expect(status).toBe(413);
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    expect(handled).toEqual([]);
  });

  test('a body that is already parsed gets a helpful error', async () => {
    const hooks = hooksWith();
    const url = await nodeServer(async (request, response) => {
      const text = Buffer.concat(await request.toArray()).toString();
      await hooks.express(Object.assign(request, { body: JSON.parse(text) }), response);
    });
    const body = bodyOf();
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { [eventHeaders.signature]: await signed(body) },
    });
    expect(response.status).toBe(500);
    expect(String(errors[0])).toMatch(/before express\.json/);
  });
});
