import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { API_PREFIX, type Endpoint, endpoints, errorCodes } from '@store-sales/contract';
import { describe, expect, test } from 'vitest';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { MINUTE } from '../time/duration.ts';

const service = await startService();
const { key } = await service.shop();
const path = '/api/v1/credentials';
const rows = Object.entries(endpoints) as [string, Endpoint][];
const unknownId = '00000000-0000-7000-8000-000000000000';
const pathOf = (endpoint: Endpoint) => API_PREFIX + endpoint.path.replace('{id}', unknownId);

describe('request ids', () => {
  test('a valid one is used in header, body and log', async () => {
    const reply = await service.get('/api/v1/unknownId', undefined, { 'x-request-id': 'order-sync/42' });
    expect(reply.headers.get('x-request-id')).toBe('order-sync/42');
    expect(reply.body.requestId).toBe('order-sync/42');
    await expect.poll(() => service.lines.some((line) => line.includes('"requestId":"order-sync/42"'))).toBe(true);
  });

  test.each(['', 'with space', 'x'.repeat(129), 'tab\there'])('%j is replaced', async (id) => {
    const reply = await service.get(path, key, { 'x-request-id': id });
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('rejected requests', () => {
  test('an unknown path, a method that the path does not have', async () => {
    const missing = await service.get('/api/v1/unknownId');
    expect([missing.status, missing.body.code]).toEqual([404, 'not_found']);
    expect((await service.get('/console/assets/a%00b')).status).toBe(404);
    const wrong = await service.send('DELETE', '/api/v1/orders');
    expect([wrong.status, wrong.body.code]).toEqual([405, 'method_not_allowed']);
    expect(wrong.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
  });

  test.each(rows)('%s rejects an unknown parameter', async (_name, endpoint) => {
    const reply = await service.send(endpoint.method, `${pathOf(endpoint)}?colour=red`, {
      key,
      ...(endpoint.body && { body: {} }),
    });
    expect([reply.status, reply.body.code]).toEqual([400, 'unknown_parameter']);
    expect(reply.body.errors).toEqual([expect.objectContaining({ parameter: 'colour', code: 'unknown' })]);
  });

  test.each(rows.filter(([, endpoint]) => endpoint.body))(
    '%s rejects a body that is not JSON',
    async (_name, endpoint) => {
      const send = (rawBody: string, type = 'application/json') =>
        service.send(endpoint.method, pathOf(endpoint), { key, rawBody, headers: { 'content-type': type } });
      expect((await send('{')).body.code).toBe('malformed_json');
      expect((await send('')).body.code).toBe('malformed_json');
      expect((await send('{}', 'text/plain')).body.code).toBe('unsupported_media_type');
      expect((await send('[]')).body.code).toBe('invalid_body');
      expect((await send(`"${'x'.repeat(1024 * 1024)}"`)).body.code).toBe('body_too_large');
    },
  );
});

test('problem documents link to the error reference', async () => {
  const reply = await service.get('/api/v1/unknownId');
  expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(reply.body).toMatchObject({
    type: `${service.url}/docs/errors#not_found`,
    status: 404,
    title: errorCodes.not_found.title,
  });
});

test.each([
  ['/api/v1/orders?limit=1&limit=2', 'limit', 'repeated', 'invalid_parameter'],
  ['/api/v1/orders?filter[status]=', 'filter[status]', 'too_short', 'invalid_parameter'],
  ['/api/v1/orders?limit=%zz', 'limit', 'invalid_format', 'invalid_parameter'],
  ['/api/v1/orders?filter[externalId]=a%00b', 'filter[externalId]', 'invalid_characters', 'invalid_parameter'],
  ['/api/v1/orders?limit=1e1', 'limit', 'wrong_type', 'invalid_parameter'],
  ['/api/v1/orders?__proto__=1', '__proto__', 'unknown', 'unknown_parameter'],
])('%s is an error of %s', async (url, parameter, fieldError, code) => {
  const reply = await service.get(url, key);
  expect([reply.status, reply.body.code]).toEqual([400, code]);
  expect(reply.body.errors).toEqual([expect.objectContaining({ parameter, code: fieldError })]);
});

test('all errors of the parameters are listed', async () => {
  const reply = await service.get('/api/v1/orders?limit=0&order=up&colour=red&filter[createdAt][from]=yesterday', key);
  expect(reply.body.errors.map((fieldError: { parameter: string }) => fieldError.parameter).sort()).toEqual([
    'colour',
    'filter[createdAt][from]',
    'limit',
    'order',
  ]);
});

test.each([
  ['orders?filter[createdAt][from]=x&filter[status]=nope&limit=500', ['filter[createdAt][from]', 'limit']],
  ['orders?filter[status]=nope&filter[paymentStatus]=nope', ['filter[paymentStatus]', 'filter[status]']],
  ['orders?cursor=abc&filter[status]=nope', ['filter[status]']],
  ['orders?cursor=abc&limit=0', ['limit']],
  ['orders?cursor=abc&order=up', ['order']],
  ['products?cursor=abc&limit=0', ['limit']],
  ['customers?cursor=abc&limit=0&filter[phone]=abc', ['limit']],
])('%s is rejected for its shape, or for all that it names', async (query, parameters) => {
  const { status, body } = await service.get(`/api/v1/${query}`, key);
  expect([status, body.code]).toEqual([400, 'invalid_parameter']);
  expect(body.errors.map((fieldError: { parameter: string }) => fieldError.parameter).sort()).toEqual(parameters);
});

test('a wrongly encoded path gets a clear error', async () => {
  const reply = await service.get('/api/v1/products/%zz', key);
  expect([reply.status, reply.body.code]).toEqual([400, 'invalid_parameter']);
});

test('HEAD responds like GET, without a body', async () => {
  const reply = await service.send('HEAD', path, { key });
  expect([reply.status, reply.text]).toEqual([200, '']);
});

describe('the rate limit', () => {
  test('counts per key, sends the remaining requests, and resets every minute', async () => {
    const limited = await startService({ env: { RATE_LIMIT_PER_MINUTE: '3' } });
    const shop = await limited.shop();
    const other = await limited.key(shop.storeId);
    const start = limited.clock.now;
    for (const left of ['2', '1', '0']) {
      const reply = await limited.get(path, shop.key);
      expect([reply.status, reply.headers.get('ratelimit-remaining')]).toEqual([200, left]);
      expect(reply.headers.get('ratelimit-limit')).toBe('3');
      expect(reply.headers.get('ratelimit-policy')).toBe('"minute";q=3;w=60');
      expect(reply.headers.get('ratelimit')).toMatch(new RegExp(`^"minute";r=${left};t=\\d+$`));
    }
    limited.clock.now = start + 20_500;
    const rejected = await limited.get(path, shop.key);
    expect([rejected.status, rejected.body.code]).toEqual([429, 'rate_limited']);
    expect([rejected.headers.get('retry-after'), rejected.headers.get('ratelimit-reset')]).toEqual(['40', '40']);
    expect((await limited.get(path, other)).status).toBe(200);
    limited.clock.now = start + MINUTE;
    expect((await limited.get(path, shop.key)).status).toBe(200);
    limited.clock.now = start;
  });

  test('0 disables it', async () => {
    expect((await service.get(path, key)).headers.get('ratelimit-limit')).toBeNull();
  });
});

describe('health', () => {
  test('/healthz and /readyz', async () => {
    expect((await service.get('/healthz')).body).toEqual({ status: 'ok' });
    expect((await service.get('/readyz')).body).toEqual({ status: 'ready' });
  });

  test('/metrics counts requests by route, not by URL', async () => {
    await service.get('/api/v1/customers?filter[phone]=79161234567', key);
    const { status, text } = await service.get('/metrics');
    expect(status).toBe(200);
    expect(text).toContain(
      'store_sales_http_request_seconds_count{method="GET",route="/api/v1/customers",status="200"}',
    );
    expect(text).not.toContain('79161234567');
    expect(service.lines.join('')).not.toContain('79161234567');
  });

  test('without METRICS_TOKEN, /metrics is served to this machine only', async () => {
    expect((await service.get('/metrics')).status).toBe(200);
    for (const header of ['x-forwarded-for', 'forwarded'])
      expect((await service.get('/metrics', undefined, { [header]: '127.0.0.1' })).body.code).toBe('missing_key');
    for (const [remoteAddress, status] of [
      ['192.0.2.1', 401],
      ['::ffff:192.0.2.1', 401],
      ['2001:db8::1', 401],
      ['::1', 200],
      ['::ffff:127.0.0.1', 200],
    ] as const)
      expect((await service.app.inject({ url: '/metrics', remoteAddress })).statusCode).toBe(status);
  });

  test('METRICS_TOKEN is required for /metrics', async () => {
    const closed = await startService({ env: { METRICS_TOKEN: 'figures' } });
    expect((await closed.get('/metrics')).status).toBe(401);
    expect((await closed.get('/metrics', 'wrong')).status).toBe(401);
    expect((await closed.get('/metrics', 'figures')).status).toBe(200);
  });
});

describe('malformed requests', () => {
  test('an id longer than any stored one is not found', async () => {
    const reply = await service.get(`/api/v1/orders/${'x'.repeat(5000)}`, key);
    expect([reply.status, reply.body.code]).toEqual([404, 'not_found']);
  });

  test('too large headers are rejected, and others are served', async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const request = httpRequest(service.url + path, { headers: { 'x-long': 'x'.repeat(20_000) } }, (response) => {
        response.resume();
        resolve(response.statusCode as number);
      });
      request.on('error', reject);
      request.end();
    });
    expect(status).toBe(431);
    expect((await service.get(path, key)).status).toBe(200);
  });

  /** Sends the text as it is and returns the whole response. */
  const sendRaw = (request: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(request));
      let text = '';
      socket.on('data', (data) => {
        text += data;
      });
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });

  test('a request that is not HTTP closes only its own connection', async () => {
    expect(await sendRaw('nonsense\r\n\r\n')).toContain('400');
    expect((await service.get(path, key)).status).toBe(200);
  });

  test.each([
    ['without Host', ''],
    ['with an unknown expectation', 'Host: x\r\nExpect: miracles\r\n'],
  ])('a request %s gets a problem document', async (_name, headers) => {
    const response = await sendRaw(
      `GET ${path} HTTP/1.1\r\n${headers}X-Request-Id: raw-1\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toMatch(/^x-request-id: raw-1\r$/im);
    expect(response).toContain('"code":"malformed_request"');
  });

  test('a compressed body is rejected, not read as something else', async () => {
    const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
    const reply = await service.send('POST', '/api/v1/orders', { key, rawBody: '{}', headers });
    expect([reply.status, reply.body.code]).toEqual([415, 'unsupported_media_type']);
  });

  test('a GET with a body is rejected: its filters would be ignored', async () => {
    const body = '{"filter":{"status":"new"}}';
    const length = `Content-Length: ${body.length}\r\n`;
    const chunked = 'Transfer-Encoding: chunked\r\n';
    for (const [header, sent] of [
      [length, body],
      [chunked, `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
    ]) {
      const head = `GET /api/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n`;
      const response = await sendRaw(`${head}Content-Type: application/json\r\n${header}\r\n${sent}`);
      expect(response).toMatch(/^HTTP\/1\.1 400 /);
      expect(response).toContain('"code":"malformed_request"');
    }
  });
});

describe('requests above MAX_WAITING_REQUESTS', () => {
  test('get 503 and Retry-After, with a log line a second; health checks are always served', async () => {
    const small = await startService({ env: { MAX_WAITING_REQUESTS: '4' } });
    const shop = await small.shop();
    // Four wait for the store's limit, until the others are rejected.
    const others = Promise.withResolvers<void>();
    for (let slot = 0; slot < 64; slot++) void small.services.limit('orderWrite', shop.storeId, () => others.promise);
    const order = { items: [{ sku: 'NONE', quantity: 1 }] };
    let rejectedCount = 0;
    const sent = Array.from({ length: 40 }, async () => {
      const reply = await small.post('/api/v1/orders', order, shop.key);
      if (reply.status === 503 && ++rejectedCount === 36) others.resolve();
      return reply;
    });
    const replies = await Promise.all(sent);
    const rejected = replies.filter(({ status }) => status === 503);
    expect(rejected).toHaveLength(36);
    for (const { body, headers } of rejected)
      expect([body.code, headers.get('retry-after')]).toEqual(['unavailable', '2']);
    const logged = () =>
      small.lines.filter((line) => line.includes('overloaded')).map((line) => JSON.parse(line).rejected);
    // A line a second; a slow machine may need more than one second to reject them all.
    const counted = () => logged().reduce((sum, count) => sum + count, 0);
    await expect.poll(counted).toBe(rejected.length);
    expect(logged().length).toBeLessThan(rejected.length / 2);
    const health = await Promise.all(Array.from({ length: 40 }, () => small.get('/healthz')));
    expect(health.every(({ status }) => status === 200)).toBe(true);
    expect((await small.get(path, shop.key)).status).toBe(200);
  });

  test('a disconnected client frees its slot', async () => {
    const small = await startService({ env: { MAX_WAITING_REQUESTS: '4' } });
    const shop = await small.shop();
    const { port } = new URL(small.url);
    for (let count = 0; count < 20; count++)
      await new Promise<void>((resolve) => {
        const head = `POST /api/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${shop.key}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`;
        const socket = connect(Number(port), '127.0.0.1', () =>
          socket.write(head, () => setTimeout(() => socket.destroy(), 5)),
        );
        socket.on('close', () => resolve());
      });
    await expect.poll(async () => (await small.get(path, shop.key)).status).toBe(200);
  });

  test('a session counts for its owner, also in a request for a store that they do not have', async () => {
    const small = await startService({ env: { MAX_WAITING_REQUESTS: '4' } });
    const { visitor } = await signedInOwner(small);
    const readStore = () => visitor.get(`/stores/${unknownId}/orders`);
    expect((await readStore()).status).toBe(404);
    const { port, host } = new URL(small.url);
    const head = `POST /console/api/session HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${small.url}\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`;
    const stalled = Array.from({ length: 2 }, () => connect(Number(port), '127.0.0.1'));
    for (const socket of stalled) {
      socket.write(head);
      // It counts from now on; a third request could have been counted before it otherwise.
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 100 /);
    }
    expect((await small.get(path)).status).toBe(503);
    expect((await readStore()).status).toBe(404);
    for (const socket of stalled) socket.destroy();
  });
});
