import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { StoreSales } from './index.ts';
import { mayRepeat, readRetryAfter, retryPolicy, waitBefore } from './retry.ts';

describe('the wait', () => {
  const policy = retryPolicy({ limit: 4, delay: 100, longest: 1000 });

  test('doubles, half of it by chance, up to the longest', () => {
    expect([1, 2, 3, 4].map((attempt) => waitBefore(attempt, policy, undefined, 0))).toEqual([50, 100, 200, 400]);
    expect([1, 2, 3, 4].map((attempt) => waitBefore(attempt, policy, undefined, 1))).toEqual([100, 200, 400, 800]);
    expect(waitBefore(9, { ...policy, limit: 9 }, undefined, 1)).toBe(1000);
    expect(waitBefore(5, policy, undefined, 0)).toBeUndefined();
  });

  test('is never shorter than the service asks, and not taken up when it asks too much', () => {
    expect(waitBefore(1, policy, 1, 0)).toBe(1000);
    expect(waitBefore(1, policy, 0, 1)).toBe(50);
    expect(waitBefore(1, policy, 2, 0)).toBeUndefined();
  });

  test('Retry-After is seconds or a date', () => {
    expect(readRetryAfter('7', 0)).toBe(7);
    expect(readRetryAfter('Thu, 01 Jan 1970 00:00:09 GMT', 4000)).toBe(5);
    expect(readRetryAfter('Thu, 01 Jan 1970 00:00:09 GMT', 90_000)).toBe(0);
    expect(readRetryAfter('soon', 0)).toBeUndefined();
    expect(readRetryAfter(null, 0)).toBeUndefined();
  });
});

test('what may be repeated after which answer', () => {
  const statuses = [0, 200, 400, 401, 404, 409, 412, 422, 429, 500, 502, 503, 504];
  expect(statuses.filter((status) => mayRepeat('safe', status))).toEqual([0, 429, 500, 502, 503, 504]);
  expect(statuses.filter((status) => mayRepeat('unsafe', status))).toEqual([429]);
});

const order = JSON.stringify({ data: { id: 'o' } });

/** A server that fails in the ways given, one after the other, and then answers. */
async function failing(...ways: RequestListener[]) {
  const seen: { method: string | undefined; id: string }[] = [];
  const server = createServer((request, response) => {
    seen.push({ method: request.method, id: String(request.headers['x-request-id']) });
    const way = ways.shift();
    if (way) return way(request, response);
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
const cut: RequestListener = (request) => request.socket.destroy();
const cutInTheMiddle: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' }).write('{"data"');
  response.socket?.end();
};

test.each([
  ['a proxy that has lost the service', status(502)],
  ['a connection that breaks', cut],
  ['an answer that breaks off', cutInTheMiddle],
  ['a limit of requests', status(429, { 'retry-after': '0' })],
])('%s is got over', async (_name, way) => {
  const { client, seen } = await failing(way, way);
  expect(await client.orders.get('o')).toEqual({ id: 'o' });
  expect(seen).toHaveLength(3);
  expect(new Set(seen.map(({ id }) => id)).size, 'one id for all attempts').toBe(1);
});

test('creations with an externalId and changes with If-Match are repeated; others are not', async () => {
  const lines = { items: [{ sku: 's', quantity: 1 }] };
  const tries = async (act: (client: StoreSales) => Promise<unknown>) => {
    const { client, seen } = await failing(cut);
    const outcome = await act(client).then(
      () => 'done',
      (error) => error.code,
    );
    return [outcome, seen.length];
  };
  expect(await tries((client) => client.orders.create({ ...lines, externalId: 'e' }))).toEqual(['done', 2]);
  expect(await tries((client) => client.orders.create(lines))).toEqual(['no_answer', 1]);
  expect(await tries((client) => client.orders.change('o', { notes: '' }, { ifMatch: '"1"' }))).toEqual(['done', 2]);
  expect(await tries((client) => client.orders.change('o', { notes: '' }))).toEqual(['no_answer', 1]);
  expect(await tries((client) => client.references.warehouses.create({ name: 'W' }))).toEqual(['no_answer', 1]);
});

test('a refusal is final, and so is the last attempt', async () => {
  const refused = await failing(status(404));
  await expect(refused.client.orders.get('o')).rejects.toMatchObject({ status: 404, code: 'unexpected_answer' });
  expect(refused.seen).toHaveLength(1);
  const down = await failing(status(503), status(503), status(503), status(503));
  await expect(down.client.orders.get('o')).rejects.toMatchObject({ status: 503 });
  expect(down.seen).toHaveLength(3);
});

test('a redirect is not followed', async () => {
  const { client } = await failing(status(301, { location: 'https://elsewhere.example/' }));
  await expect(client.orders.get('o')).rejects.toThrow(/redirected to https:\/\/elsewhere/);
});

test('silence has a time limit', async () => {
  let calls = 0;
  const silence: typeof fetch = (_url, init) => {
    calls++;
    return new Promise((_resolve, reject) =>
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
    );
  };
  const options = {
    baseUrl: 'http://x.test',
    apiKey: 'k',
    fetch: silence,
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

test('a signal ends the call, in flight and while waiting, with its own reason', async () => {
  const reason = new Error('enough');
  const inFlight = new AbortController();
  const one = await failing((_request) => inFlight.abort(reason));
  await expect(one.client.orders.get('o', { signal: inFlight.signal })).rejects.toBe(reason);
  expect(one.seen).toHaveLength(1);

  const waiting = new AbortController();
  const two = await failing(status(503, { 'retry-after': '50' }));
  const call = two.client.orders.get('o', { signal: waiting.signal });
  const ended = expect(call).rejects.toBe(reason);
  while (!two.seen.length) await new Promise((resolve) => setImmediate(resolve));
  waiting.abort(reason);
  await ended;

  await expect(two.client.orders.get('o', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(two.seen).toHaveLength(1);
});
