import { expect, test } from 'vitest';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { uuid } from '../db/uuid.ts';
import { DAY } from '../time/duration.ts';

const service = await startService();
const { clock } = service;
const { storeId, path, visitor } = await signedInOwner(service);
const stranger = await signedInOwner(service);
const [reader, writer] = [await service.key(storeId, ['orders:read']), await service.key(storeId)];
const foreign = await service.key(stranger.storeId);

// 23:30 in Moscow, half an hour before the next day.
clock.now = Date.parse('2026-09-27T20:30:00Z');
await service.get('/api/v1/orders?limit=1', reader);
await service.get(`/api/v1/orders/${uuid(clock.now)}`, reader);
clock.now += 3_600_000;
const refused = await service.post('/api/v1/orders', { items: [] }, writer, { 'x-request-id': 'my-request' });
await service.get('/api/v1/references/warehouses', reader);
await service.get('/api/v1/orders', foreign);
await service.app.requestLog?.flush();

const list = async (query = '') => (await visitor.get(`${path}/requests${query}`)).body.requests;
const shortly = async (query: string) =>
  (await list(query)).map(({ method, route, status }: Record<string, unknown>) => `${method} ${route} ${status}`);

const everything = [
  'GET /references/warehouses 403',
  'POST /orders 422',
  'GET /orders/{id} 404',
  'GET /orders 200',
] as const;

test('lists the requests of the store, newest first', async () => {
  expect(await shortly('')).toEqual(everything);
  const [, request] = await list();
  expect(request).toEqual({
    id: expect.any(String),
    at: new Date(clock.now).toISOString(),
    key: { id: expect.any(String), name: 'Test key' },
    method: 'POST',
    route: '/orders',
    status: 422,
    code: 'invalid_body',
    durationMs: expect.any(Number),
    requestId: 'my-request',
  });
});

test('filters', async () => {
  const [{ key }] = await list('?status=403');
  const [warehouses, created, one, orders] = everything;
  expect(await shortly(`?key=${key.id}`)).toEqual([warehouses, one, orders]);
  expect(await shortly('?status=4xx')).toEqual([warehouses, created, one]);
  expect(await shortly('?status=200')).toEqual([orders]);
  expect(await shortly('?method=POST')).toEqual([created]);
  expect(await shortly('?route=%2Forders%2F%7Bid%7D')).toEqual([one]);
  expect(await shortly('?requestId=my-request')).toEqual([created]);
  expect(await shortly('?requestId=my-reques')).toEqual([]);
  expect(await shortly('?to=2026-09-27')).toEqual([one, orders]);
  expect(await shortly('?from=2026-09-28')).toEqual([warehouses, created]);
  expect(await shortly('?from=2026-09-28&to=2026-09-27')).toEqual([]);
  for (const wrong of ['status=600', 'status=4x', 'key=x', 'method=BREW', 'from=today', 'cursor=x', 'what=1'])
    expect((await visitor.get(`${path}/requests?${wrong}`)).status).toBe(400);
});

test('a cursor of another store is rejected', async () => {
  for (let index = 0; index < 60; index++) await service.get('/api/v1/orders', foreign);
  await service.app.requestLog?.flush();
  const first = await stranger.visitor.get(`${stranger.path}/requests`);
  expect(first.body.requests).toHaveLength(50);
  const next = `requests?cursor=${encodeURIComponent(first.body.nextCursor)}`;
  const second = await stranger.visitor.get(`${stranger.path}/${next}`);
  expect([second.body.requests.length, second.body.nextCursor]).toEqual([11, null]);
  expect((await visitor.get(`${path}/${next}`)).body.code).toBe('invalid_cursor');
});

test('shows one request with its problem document, to its own store only', async () => {
  const [, { id }] = await list();
  const { body } = await visitor.get(`${path}/requests/${id}`);
  expect(body).toMatchObject({ id, address: '127.0.0.1', query: '', problem: refused.body });
  expect((await stranger.visitor.get(`${stranger.path}/requests/${id}`)).status).toBe(404);
  expect((await visitor.get(`${path}/requests/nothing`)).status).toBe(404);
});

test('counts by day of the store and by status', async () => {
  const counts = async (query = '') => (await visitor.get(`${path}/requests/counts${query}`)).body;
  const { days, statuses, keptDays, routes } = await counts();
  expect(keptDays).toBe(7);
  expect(routes).toEqual(expect.arrayContaining(['PATCH /orders/{id}', 'POST /mcp']));
  expect(days).toHaveLength(8);
  expect(days.slice(-2)).toEqual([
    { date: '2026-09-27', succeeded: 1, refused: 1, failed: 0 },
    { date: '2026-09-28', succeeded: 0, refused: 2, failed: 0 },
  ]);
  expect(statuses).toEqual([200, 403, 404, 422].map((status) => ({ status, count: 1 })));
  expect(await counts('?from=2026-09-28&status=4xx')).toMatchObject({
    days: [{ date: '2026-09-28', refused: 2 }],
    statuses: [{ status: 403 }, { status: 422 }],
  });
  expect(await counts('?from=2030-01-01')).toMatchObject({ days: [], statuses: [] });
  clock.now += 10 * DAY;
  expect((await counts()).statuses).toEqual([]);
});
