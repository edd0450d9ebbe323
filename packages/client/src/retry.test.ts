import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { StoreSales } from './index.ts';
import { canRetry, readRetryAfter, retryDelay, retryPolicy } from './retry.ts';

describe('the delay', () => {
  const policy = retryPolicy({ limit: 4, delay: 100, longest: 1000 });

  test('doubles up to the maximum, with up to 50 % jitter', () => {
    expect([1, 2, 3, 4].map((attempt) => retryDelay(attempt, policy, undefined, 0))).toEqual([50, 100, 200, 400]);
    expect([1, 2, 3, 4].map((attempt) => retryDelay(attempt, policy, undefined, 1))).toEqual([100, 200, 400, 800]);
    expect(retryDelay(9, { ...policy, limit: 9 }, undefined, 1)).toBe(1000);
    expect(retryDelay(5, policy, undefined, 0)).toBeUndefined();
    expect(retryDelay(1, policy, undefined, 0.123456789)).toBe(56);
    expect(retryDelay(1, policy, 0.0012345, 0.123456789)).toBe(7);
  });

  test('is at least Retry-After; a Retry-After above the maximum means no retry', () => {
    expect(retryDelay(1, policy, 1, 0)).toBe(1000);
    expect(retryDelay(1, policy, 0, 1)).toBe(50);
    expect(retryDelay(1, policy, 2, 0)).toBeUndefined();
  });

  test('Retry-After is seconds or a date', () => {
    expect(readRetryAfter('7', 0)).toBe(7);
    expect(readRetryAfter('Thu, 01 Jan 1970 00:00:09 GMT', 4000)).toBe(5);
    expect(readRetryAfter('Thu, 01 Jan 1970 00:00:09 GMT', 90_000)).toBe(0);
    expect(readRetryAfter('soon', 0)).toBeUndefined();
    expect(readRetryAfter(null, 0)).toBeUndefined();
  });
});

test('which statuses are retried', () => {
  const statuses = [0, 200, 400, 401, 404, 409, 412, 422, 429, 500, 502, 503, 504];
  const retried = (isIdempotent: boolean) => statuses.filter((status) => canRetry(isIdempotent, { status, code: '' }));
  expect(retried(true)).toEqual([0, 429, 500, 502, 503, 504]);
  expect(retried(false)).toEqual([429]);
  expect(canRetry(true, { status: 409, code: 'idempotency_in_progress' })).toBe(true);
});

const order = JSON.stringify({ data: { id: 'o' } });

/** A server that runs the given failures, one per request, and then succeeds. */
async function failing(...failures: RequestListener[]) {
  const seen: { method: string | undefined; id: string; key: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const { 'x-request-id': id, 'idempotency-key': key } = request.headers as Record<string, string>;
    seen.push({ method: request.method, id: String(id), key });
    const fail = failures.shift();
    if (fail) return fail(request, response);
    response.setHeader('content-type', 'application/json').end(order);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = new StoreSales({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: 'k',
    retries: { limit: 2, delay: 1 },
  });
  return { client, seen };
}

const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(code, { 'content-type': 'text/html', ...headers }).end('<h1>Bad gateway</h1>');
const disconnect: RequestListener = (request) => request.socket.destroy();
const disconnectInBody: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' }).write('{"data"');
  response.socket?.end();
};

test.each([
  ['502 of a proxy', status(502)],
  ['a broken connection', disconnect],
  ['an incomplete response', disconnectInBody],
  ['a rate limit', status(429, { 'retry-after': '0' })],
])('%s is retried', async (_name, failure) => {
  const { client, seen } = await failing(failure, failure);
  expect(await client.orders.get('o')).toEqual({ id: 'o' });
  expect(seen).toHaveLength(3);
  expect(new Set(seen.map(({ id }) => id)).size, 'one request id for all attempts').toBe(1);
});

test('only creations and changes with If-Match are retried', async () => {
  const lines = { items: [{ sku: 's', quantity: 1 }] };
  const attempts = async (act: (client: StoreSales) => Promise<unknown>) => {
    const { client, seen } = await failing(disconnect);
    const outcome = await act(client).then(
      () => 'done',
      (error) => error.code,
    );
    return [outcome, seen.length];
  };
  expect(await attempts((client) => client.orders.create({ ...lines, externalId: 'e' }))).toEqual(['done', 2]);
  expect(await attempts((client) => client.orders.create(lines))).toEqual(['done', 2]);
  expect(await attempts((client) => client.orders.change('o', { notes: '' }, { ifMatch: '"1"' }))).toEqual(['done', 2]);
  expect(await attempts((client) => client.orders.change('o', { notes: '' }))).toEqual(['no_answer', 1]);
  expect(await attempts((client) => client.references.warehouses.create({ name: 'W' }))).toEqual(['done', 2]);
  const rename = (client: StoreSales) => client.references.orderStatuses.change('s', { name: 'N' });
  expect(await attempts(rename)).toEqual(['no_answer', 1]);
});

test('a creation without an externalId has one Idempotency-Key for all attempts', async () => {
  const lines = { items: [{ sku: 's', quantity: 1 }] };
  const keysOf = async (act: (client: StoreSales) => Promise<unknown>) => {
    const { client, seen } = await failing(disconnect, status(503, { 'retry-after': '0' }));
    await act(client).catch(() => {});
    return seen.map(({ key }) => key);
  };
  const keys = await keysOf((client) => client.orders.create(lines));
  expect(keys).toEqual([keys[0], keys[0], keys[0]]);
  expect(keys[0]).toMatch(/^[!-~]{20,255}$/);
  expect((await keysOf((client) => client.orders.create(lines)))[0]).not.toBe(keys[0]);
  const own = await keysOf((client) => client.references.warehouses.create({ name: 'W' }, { idempotencyKey: 'mine' }));
  expect(own).toEqual(['mine', 'mine', 'mine']);
  expect(await keysOf((client) => client.orders.create({ ...lines, externalId: 'e' }))).toEqual(
    Array(3).fill(undefined),
  );
  expect(await keysOf((client) => client.orders.create(lines, { retries: 0 }))).toEqual([undefined]);
  expect(await keysOf((client) => client.orders.change('o', { notes: '' }, { ifMatch: '"1"' }))).toEqual(
    Array(3).fill(undefined),
  );
});

test('a request whose first attempt is still being processed is retried', async () => {
  const inProgress: RequestListener = (_request, response) =>
    response
      .writeHead(409, { 'content-type': 'application/problem+json', 'retry-after': '0' })
      .end(JSON.stringify({ code: 'idempotency_in_progress', detail: '' }));
  const { client, seen } = await failing(disconnect, inProgress);
  expect(await client.orders.create({ items: [{ sku: 's', quantity: 1 }] })).toEqual({ id: 'o' });
  expect(seen).toHaveLength(3);
});

test('neither a 404 nor the last attempt is retried', async () => {
  const missing = await failing(status(404));
  await expect(missing.client.orders.get('o')).rejects.toMatchObject({ status: 404, code: 'unexpected_answer' });
  expect(missing.seen).toHaveLength(1);
  const down = await failing(status(503), status(503), status(503), status(503));
  await expect(down.client.orders.get('o')).rejects.toMatchObject({ status: 503 });
  expect(down.seen).toHaveLength(3);
});

test('a redirect is not followed', async () => {
  const { client } = await failing(status(301, { location: 'https://elsewhere.example/' }));
  await expect(client.orders.get('o')).rejects.toThrow(/redirected to https:\/\/elsewhere/);
});

test('a request times out', async () => {
  let calls = 0;
  const neverRespond: typeof fetch = (_url, init) => {
    calls++;
    return new Promise((_resolve, reject) =>
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
    );
  };
  const options = {
    baseUrl: 'http://x.test',
    apiKey: 'k',
    fetch: neverRespond,
    timeout: 5,
    retries: { limit: 1, delay: 1 },
  };
  await expect(new StoreSales(options).orders.get('o', { requestId: 'mine' })).rejects.toMatchObject({
    code: 'timed_out',
    status: 0,
    requestId: 'mine',
  });
  expect(calls).toBe(2);
});

test('a signal aborts the call, in flight and during a delay, with its own reason', async () => {
  const reason = new Error('aborted');
  const inFlight = new AbortController();
  const one = await failing((_request) => inFlight.abort(reason));
  await expect(one.client.orders.get('o', { signal: inFlight.signal })).rejects.toBe(reason);
  expect(one.seen).toHaveLength(1);

  const waiting = new AbortController();
  const two = await failing(status(503, { 'retry-after': '50' }));
  const call = two.client.orders.get('o', { signal: waiting.signal });
  const aborted = expect(call).rejects.toBe(reason);
  while (!two.seen.length) await new Promise((resolve) => setImmediate(resolve));
  waiting.abort(reason);
  await aborted;

  await expect(two.client.orders.get('o', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(two.seen).toHaveLength(1);
});
