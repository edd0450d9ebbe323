import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { migratedDatabase } from '../../test/database.ts';
import { orderFixtures } from '../../test/orders.ts';
import { startService } from '../../test/service.ts';

const database = await migratedDatabase();
afterAll(() => database.drop());
const PUBLIC_URL = 'https://shop.example';
const service = await startService({ database, env: { PUBLIC_URL } });
const uncached = await startService({ database, env: { PUBLIC_URL, RESPONSE_CACHE_MB: '0' } });
const { shop } = orderFixtures(service);
const { key, tea } = await shop();
const notes = 'long '.repeat(500);
const order = (await service.post('/api/v1/orders', { items: [{ productId: tea, quantity: 1 }], notes }, key)).body
  .data;
const short = (await service.post('/api/v1/orders', { items: [{ productId: tea, quantity: 1 }] }, key)).body.data;

/** `fetch` decompresses; this is what was sent. */
async function raw(
  path: string,
  headers: Record<string, string>,
  init: { method?: string; body?: string } = {},
  at = service,
) {
  return new Promise<{ status: number; headers: Headers; bytes: Buffer }>((resolve, reject) => {
    const sent = request(
      at.url + path,
      { method: init.method ?? 'GET', headers: { authorization: `Bearer ${key}`, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode as number,
            headers: new Headers(response.headers as Record<string, string>),
            bytes: Buffer.concat(chunks),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(init.body);
  });
}
const decoded = ({ headers, bytes }: Awaited<ReturnType<typeof raw>>) => {
  const encoding = headers.get('content-encoding');
  return String(encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes);
};
const path = `/api/v1/orders/${order.id}`;

describe('compression', () => {
  test.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['gzip;q=0', null],
    ['gzip; q=0.000, br;q=0', null],
    ['*;q=0', null],
    ['deflate', null],
    ['identity', null],
    ['', null],
  ])('Accept-Encoding: %s gets a response with %s', async (accepted, expected) => {
    const plain = await raw(path, {});
    // Twice: the second one is from the cache.
    for (const each of [
      await raw(path, { 'accept-encoding': accepted }),
      await raw(path, { 'accept-encoding': accepted }),
    ]) {
      expect([each.headers.get('content-encoding'), each.headers.get('vary')]).toEqual([expected, 'Accept-Encoding']);
      expect(decoded(each)).toBe(String(plain.bytes));
      if (expected) expect(each.bytes.length).toBeLessThan(plain.bytes.length / 2);
    }
  });

  test('a response below 1 KiB is sent as it is', async () => {
    const { headers } = await raw(`/api/v1/orders/${short.id}`, { 'accept-encoding': 'gzip' });
    expect(Number(headers.get('content-length'))).toBeLessThan(1024);
    expect(headers.get('content-encoding')).toBeNull();
  });

  test('every method, errors and the document are compressed', async () => {
    const json = { 'content-type': 'application/json', 'accept-encoding': 'br' };
    const items = Array.from({ length: 30 }, () => ({ sku: 'none', quantity: 0 }));
    const replies = [
      await raw('/api/v1/orders', json, {
        method: 'POST',
        body: JSON.stringify({ items: [{ productId: tea, quantity: 1 }], notes }),
      }),
      await raw(path, json, { method: 'PATCH', body: JSON.stringify({ notes: `${notes}!` }) }),
      await raw('/api/v1/orders', json, { method: 'POST', body: JSON.stringify({ items }) }),
      await raw('/api/v1/openapi.json', json),
    ];
    expect(replies.map(({ status }) => status)).toEqual([201, 200, 422, 200]);
    for (const reply of replies) {
      expect([reply.headers.get('content-encoding'), reply.headers.get('vary')]).toEqual(['br', 'Accept-Encoding']);
      expect(reply.headers.get('content-length')).toBe(String(reply.bytes.length));
      expect(JSON.parse(decoded(reply))).toBeTypeOf('object');
    }
  });

  test('HEAD has the headers of GET and no body', async () => {
    const [get, head] = [
      await raw(path, { 'accept-encoding': 'br' }),
      await raw(path, { 'accept-encoding': 'br' }, { method: 'HEAD' }),
    ];
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary'])
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    expect(head.bytes.length).toBe(0);
  });

  test('the tag of a compressed response works in If-Match', async () => {
    const etag = (await raw(path, { 'accept-encoding': 'gzip' })).headers.get('etag') as string;
    expect(etag).toBe((await raw(path, {})).headers.get('etag'));
    expect((await service.patch(path, { notes: `${notes}?` }, key, { 'if-match': etag })).status).toBe(200);
    expect((await service.patch(path, { notes }, key, { 'if-match': etag })).status).toBe(412);
  });
});

test('the header Link leads to the last page', async () => {
  const links: (string | null)[] = [];
  let next: string | undefined = '/api/v1/orders?limit=1&order=createdAt:asc&filter%5Bsource%5D=api';
  const seen: string[] = [];
  while (next) {
    const { status, headers, bytes } = await raw(next, {});
    expect(status).toBe(200);
    seen.push(JSON.parse(String(bytes)).data[0].id);
    links.push(headers.get('link'));
    next =
      /^<(\/api\/v1\/orders\?limit=1&order=createdAt%3Aasc&filter%5Bsource%5D=api&cursor=[^>]+)>; rel="next"$/.exec(
        headers.get('link') ?? '',
      )?.[1];
  }
  expect([seen.slice(0, 2), links.at(-1)]).toEqual([[order.id, short.id], null]);
  expect((await raw(path, {})).headers.get('link')).toBeNull();
});

describe('If-None-Match', () => {
  const paths = [
    '/credentials',
    '/orders',
    '/orders?with=items&limit=1',
    `/orders/${order.id}`,
    '/events',
    '/products',
    `/products/${tea}`,
    '/customers',
    '/references/order-statuses',
    '/references/warehouses',
    '/openapi.json',
  ].map((each) => `/api/v1${each}`);

  test.each(paths)('%s is 304 without a body while nothing changes, on any node', async (each) => {
    for (const accepted of ['identity', 'br', 'gzip']) {
      const headers = { 'accept-encoding': accepted };
      const etag = (await raw(each, headers)).headers.get('etag') as string;
      expect(etag).toMatch(/^(W\/)?"[^"]+"$/);
      for (const at of [service, uncached])
        for (const known of [etag, etag.replace('W/', ''), `W/${etag.replace('W/', '')}`, `"other", ${etag}`, '*']) {
          const reply = await raw(each, { ...headers, 'if-none-match': known }, {}, at);
          expect([reply.status, reply.bytes.length]).toEqual([304, 0]);
          expect(reply.headers.get('etag')?.replace('W/', '')).toBe(etag.replace('W/', ''));
        }
      expect((await raw(each, { ...headers, 'if-none-match': '"other"' })).status).toBe(200);
    }
  });

  test('a change makes another version', async () => {
    const tags = async () =>
      Promise.all([`/api/v1/orders`, path].map(async (each) => (await service.get(each, key)).headers.get('etag')));
    const [list, one] = await tags();
    await service.patch(path, { notes: 'Changed' }, key);
    const [newList, newOne] = await tags();
    expect(newList).not.toBe(list);
    expect(newOne).not.toBe(one);
    expect((await service.get('/api/v1/orders', key, { 'if-none-match': list as string })).status).toBe(200);
  });

  test('what the caller may not see, or asks for wrongly, is no 304', async () => {
    const status = async (each: string, with_ = key) =>
      (await service.get(each, with_, { 'if-none-match': '*' })).status;
    expect(await status('/api/v1/orders', await service.key((await shop()).storeId, ['customers:read']))).toBe(403);
    expect(await status('/api/v1/orders', 'none')).toBe(401);
    expect(await status('/api/v1/orders?colour=red')).toBe(400);
    expect(await status('/api/v1/orders/00000000-0000-7000-8000-000000000000')).toBe(404);
  });
});
