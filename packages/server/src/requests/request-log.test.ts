import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { startService } from '../../test/service.ts';
import { setActive, setPlan } from '../accounts/stores.ts';
import { uuid } from '../db/uuid.ts';
import { createKey, revokeKey } from '../keys/keys.ts';
import { findRequest, listRequests } from './find-requests.ts';
import { MAX_PROBLEM, MAX_QUERY } from './line.ts';

const service = await startService();
const { db, services, clock } = service;

/** All lines of a store after a flush, newest first. */
async function linesOf(storeId: string) {
  await service.app.requestLog?.flush();
  return (await listRequests(services, storeId, {}, { limit: 1000 })).rows;
}

/** The newest line with its problem document. */
async function lastOf(storeId: string) {
  const [line] = await linesOf(storeId);
  const { problem, ...rest } = await findRequest(db, storeId, line?.id ?? '');
  return { ...rest, problem: problem === null ? null : JSON.parse(problem) };
}

/** Sends the URL as it is; `fetch` would normalize it. */
const rawGet = (path: string, key: string) =>
  new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const headers = { authorization: `Bearer ${key}` };
    httpRequest({ hostname, port, path, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });

describe('a request leaves a line', () => {
  test('200', async () => {
    const { storeId, key } = await service.shop();
    const reply = await service.get('/api/v1/orders?limit=5&filter%5Bstatus%5D=new', key);
    expect(await lastOf(storeId)).toEqual({
      id: expect.any(String),
      received_at: clock.now,
      key_id: expect.any(String),
      key_name: 'Test key',
      method: 'GET',
      route: '/orders',
      status: 200,
      code: null,
      duration_ms: expect.any(Number),
      request_id: reply.headers.get('x-request-id'),
      address: '127.0.0.1',
      query: 'limit=5&filter%5Bstatus%5D=new',
      problem: null,
    });
  });

  test('HEAD, with the request id of the caller', async () => {
    const { storeId, key } = await service.shop();
    await service.send('HEAD', '/api/v1/credentials', { key, headers: { 'x-request-id': 'mine!' } });
    expect(await lastOf(storeId)).toMatchObject({ method: 'HEAD', route: '/credentials', request_id: 'mine!' });
  });

  test('404 of a record', async () => {
    const { storeId, key } = await service.shop();
    const { body } = await service.get(`/api/v1/orders/${uuid(clock.now)}`, key);
    expect(await lastOf(storeId)).toMatchObject({
      route: '/orders/{id}',
      status: 404,
      code: 'not_found',
      query: '',
      problem: body,
    });
  });

  test('422, without the body of the request', async () => {
    const { storeId, key } = await service.shop();
    const { body } = await service.post('/api/v1/orders', { notes: 'my secret note', items: [] }, key);
    const line = await lastOf(storeId);
    expect(line).toMatchObject({ method: 'POST', route: '/orders', status: 422, code: 'invalid_body', problem: body });
    expect(JSON.stringify(line)).not.toContain('my secret note');
  });

  test('403 without the right, on the Basic plan, and of an inactive store', async () => {
    const { storeId } = await service.shop();
    const key = await service.key(storeId, ['products:read']);
    await service.get('/api/v1/orders', key);
    await setPlan(db, storeId, 'basic', clock.now);
    await service.get('/api/v1/orders', key);
    await setActive(db, storeId, false, clock.now);
    await service.get('/api/v1/orders', key);
    const lines = await linesOf(storeId);
    expect(lines.map(({ status, code }) => [status, code])).toEqual([
      [403, 'store_inactive'],
      [403, 'plan_required'],
      [403, 'insufficient_rights'],
    ]);
  });

  test('429', async () => {
    const limited = await startService({ env: { RATE_LIMIT_PER_MINUTE: '1' } });
    const { storeId, key } = await limited.shop();
    await limited.get('/api/v1/credentials', key);
    await limited.get('/api/v1/credentials', key);
    await limited.app.requestLog?.flush();
    const { rows } = await listRequests(limited.services, storeId, {});
    expect(rows.map(({ status, code }) => [status, code])).toEqual([
      [429, 'rate_limited'],
      [200, null],
    ]);
  });
});

describe('a message to /mcp', () => {
  const send = (on: typeof service, key: string, message: unknown) => on.post('/mcp', message, key);
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  test('leaves a line if it is refused, and its call one of its own', async () => {
    const { storeId, key } = await service.shop();
    const call = { ...list, method: 'tools/call', params: { name: 'listOrders', arguments: { limit: 1 } } };
    expect((await send(service, key, list)).status).toBe(200);
    expect((await send(service, key, call)).status).toBe(200);
    expect((await send(service, key, [])).status).toBe(422);
    await setPlan(db, storeId, 'basic', clock.now);
    const refused = await send(service, key, list);
    expect(refused.status).toBe(403);
    expect(await lastOf(storeId)).toMatchObject({
      problem: { code: 'plan_required', requestId: refused.body.requestId },
    });
    const lines = await linesOf(storeId);
    expect(lines.map(({ method, route, status, code }) => [method, route, status, code])).toEqual([
      ['POST', '/mcp', 403, 'plan_required'],
      ['POST', '/mcp', 422, 'invalid_body'],
      ['GET', '/orders', 200, null],
    ]);
  });

  test('leaves a line if it exceeds the rate limit, and none without a valid key', async () => {
    const limited = await startService({ env: { RATE_LIMIT_PER_MINUTE: '1' } });
    const { storeId, key } = await limited.shop();
    expect((await send(limited, key, list)).status).toBe(200);
    expect((await send(limited, key, list)).status).toBe(429);
    expect((await send(limited, `${key}x`, list)).status).toBe(401);
    await limited.app.requestLog?.flush();
    const { rows } = await listRequests(limited.services, storeId, {});
    expect(rows.map(({ route, code }) => [route, code])).toEqual([['/mcp', 'rate_limited']]);
  });
});

describe('a request leaves no line', () => {
  test('without a valid key', async () => {
    const { storeId, key } = await service.shop();
    const { key: revoked, secret } = await createKey(db, { storeId, name: 'r', rights: ['orders:read'] }, clock.now);
    await revokeKey(db, revoked.id, clock.now);
    const expired = await service.key(storeId, ['orders:read'], 1000);
    clock.now += 2000;
    expect((await service.get('/api/v1/orders')).status).toBe(401);
    expect((await service.get('/api/v1/orders', `${key}x`)).status).toBe(401);
    expect((await service.get('/api/v1/orders', secret)).status).toBe(401);
    expect((await service.get('/api/v1/orders', expired)).status).toBe(401);
    expect((await service.send('HEAD', '/api/v1/orders')).status).toBe(401);
    // The key of an unknown path is not checked.
    expect((await service.get('/api/v1/unknown', key)).status).toBe(404);
    expect((await service.send('DELETE', '/api/v1/orders', { key })).status).toBe(405);
    expect(await linesOf(storeId)).toEqual([]);
  });

  test('when it is turned off', async () => {
    const off = await startService({ env: { REQUEST_LOG_DAYS: '0' } });
    const { storeId, key } = await off.shop();
    expect((await off.get('/api/v1/credentials', key)).status).toBe(200);
    expect(off.app.requestLog).toBeUndefined();
    expect((await listRequests(off.services, storeId, {})).rows).toEqual([]);
  });
});

describe('what a client sends', () => {
  const percent = (text: string) => [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('');

  test.each<[string, (key: string) => string]>([
    ['as a value', (key) => `?api_key=${key}&limit=1`],
    ['as a name', (key) => `?${key}=1`],
    ['percent-encoded', (key) => `?key=${percent(key)}`],
    ['percent-encoded as a name', (key) => `?${percent(key)}`],
    ['percent-encoded twice', (key) => `?key=${percent(key).replaceAll('%', '%25')}`],
    ['in a wrong encoding', (key) => `?key=%zz${key}`],
    ['without its last letters', (key) => `?key=${key.slice(0, -8)}`],
    ['behind a long text', (key) => `?key=${'x'.repeat(MAX_QUERY - 30)}${key}`],
  ])('a key %s is masked', async (_, query) => {
    const { storeId, key } = await service.shop();
    expect(await rawGet(`/api/v1/orders${query(key)}`, key)).toBe(400);
    const line = JSON.stringify(await lastOf(storeId));
    const shown = decodeURIComponent(decodeURIComponent(line.replaceAll('%zz', '')));
    expect(shown).not.toContain(key.slice(4, 20));
    expect(line).toContain('ssk_***');
  });

  test('a key as the request id is masked', async () => {
    const { storeId, key } = await service.shop();
    await service.get('/api/v1/orders?x=1', key, { 'x-request-id': key });
    expect(JSON.stringify(await lastOf(storeId))).not.toContain(key.slice(4, 20));
  });

  test('a long query and a long problem document are cut', async () => {
    const { storeId, key } = await service.shop();
    await rawGet(`/api/v1/orders?${'x'.repeat(15_000)}=1`, key);
    const long = await lastOf(storeId);
    expect(long.query).toBe(`${'x'.repeat(MAX_QUERY)}…`);
    expect(JSON.stringify(long.problem).length).toBeLessThanOrEqual(MAX_PROBLEM);
    expect(long.problem).toMatchObject({ code: 'unknown_parameter', errors: [], omittedErrors: 1 });

    const items = Array.from({ length: 400 }, () => ({ quantity: 0 }));
    const { body } = await service.post('/api/v1/orders', { items }, key);
    const { problem } = await lastOf(storeId);
    expect(JSON.stringify(problem).length).toBeLessThanOrEqual(MAX_PROBLEM);
    expect(problem.errors.length).toBeGreaterThan(10);
    expect(problem.errors).toEqual(body.errors.slice(0, problem.errors.length));
    expect(problem.omittedErrors).toBe(body.errors.length - problem.errors.length);
  });

  test.each(['?a=%00', '?%00=1', '?a=%ff%fe', '?a=%ed%a0%80', '?%', '?&&&=&', '?a=%F0%9F%98%80'])(
    '%s is kept as it is',
    async (query) => {
      const { storeId, key } = await service.shop();
      await rawGet(`/api/v1/orders${query}`, key);
      const { query: kept, problem } = await lastOf(storeId);
      expect(kept).toBe(query.slice(1));
      expect(problem.status).toBe(400);
    },
  );

  test('a long forwarded address is cut', async () => {
    const proxied = await startService({ env: { TRUST_PROXY: '1' } });
    const { storeId, key } = await proxied.shop();
    await proxied.get('/api/v1/credentials', key, { 'x-forwarded-for': `${'y'.repeat(5000)}, ${'x'.repeat(5000)}` });
    await proxied.app.requestLog?.flush();
    const { rows } = await listRequests(proxied.services, storeId, {});
    expect(rows[0]?.address).toBe('x'.repeat(64));
  });
});

test('the last lines are written on a graceful stop', async () => {
  const stopping = await startService({ database: { ...service.config, drop: async () => {} } as never });
  const { storeId, key } = await stopping.shop();
  await stopping.get('/api/v1/credentials', key);
  await stopping.app.close();
  expect((await listRequests(services, storeId, {})).rows).toHaveLength(1);
});
