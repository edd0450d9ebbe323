import { beforeAll, describe, expect, test } from 'vitest';
import { addProduct } from '../../../test/catalog.ts';
import { startService } from '../../../test/service.ts';

const service = await startService();
let storeId: string;
let full: string;
let writeOnly: string;
const lines = { items: [{ sku: 'P', quantity: 2 }] };
const secret = { customer: { name: 'Anna', phone: '+7 900 123-45-67' }, notes: 'third floor' };

beforeAll(async () => {
  ({ storeId, key: full } = await service.shop());
  writeOnly = await service.key(storeId, ['orders:write']);
  await addProduct(service, storeId, { sku: 'P' });
});

const create = (externalId: string, key: string, more: object = {}) =>
  service.post('/api/v1/orders', { externalId, ...lines, ...more }, key);

describe('a key with orders:write alone', () => {
  test('gets the whole order from its own 201', async () => {
    const { status, body } = await create('own', writeOnly, secret);
    expect([status, body.data.notes, body.data.items.length]).toEqual([201, 'third floor', 1]);
  });

  test('gets only the ids of the order from a replay', async () => {
    const { data } = (await create('known', full, secret)).body;
    const replay = await create('known', writeOnly);
    expect(replay.status).toBe(200);
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(replay.body).toEqual({
      data: { id: data.id, number: data.number, externalId: 'known', createdAt: data.createdAt },
    });
    expect(Object.keys(replay.body.data)).toEqual(['id', 'number', 'externalId', 'createdAt']);
    expect(replay.text).not.toContain('Anna');
    // If-Match is for writers: they get the version.
    expect(replay.headers.get('etag')).toBe((await create('known', full)).headers.get('etag'));
  });

  test('gets the same from concurrent replays', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => create('race', writeOnly, secret)));
    const [created, ...others] = replies.sort((a, b) => b.status - a.status);
    expect([created?.status, created?.body.data.notes]).toEqual([201, 'third floor']);
    for (const { status, body } of others)
      expect([status, Object.keys(body.data)]).toEqual([200, ['id', 'number', 'externalId', 'createdAt']]);
  });

  test('gets the same from a change, even of an order it created', async () => {
    const { data } = (await create('changed', writeOnly, secret)).body;
    for (const change of [{ status: 'packing' }, { status: 'packing' }]) {
      const { status, headers, body } = await service.patch(`/api/v1/orders/${data.id}`, change, writeOnly);
      expect(status).toBe(200);
      expect(body.data).toEqual({
        id: data.id,
        number: data.number,
        externalId: 'changed',
        createdAt: data.createdAt,
      });
      const seen = await service.get(`/api/v1/orders/${data.id}`, full);
      expect([seen.body.data.status.code, seen.headers.get('etag')]).toEqual(['packing', headers.get('etag')]);
    }
  });

  test('changes only the version it names', async () => {
    const created = await create('versions', writeOnly);
    const path = `/api/v1/orders/${created.body.data.id}`;
    const ifMatch = { 'if-match': created.headers.get('etag') as string };
    const changed = await service.patch(path, { notes: 'a' }, writeOnly, ifMatch);
    const again = { 'if-match': changed.headers.get('etag') as string };
    expect((await service.patch(path, { notes: 'b' }, writeOnly, again)).status).toBe(200);
    const late = await service.patch(path, { notes: 'c' }, writeOnly, ifMatch);
    expect([late.status, late.body.code, late.text.includes('Anna')]).toEqual([412, 'precondition_failed', false]);
  });

  test('gets an externalId of "" where the order has none', async () => {
    const { data } = (await service.post('/api/v1/orders', lines, full)).body;
    const { body } = await service.patch(`/api/v1/orders/${data.id}`, { notes: 'x' }, writeOnly);
    expect(body.data.externalId).toBe('');
  });
});

test('a key that may also read gets the whole order each time', async () => {
  const key = await service.key(storeId, ['orders:write', 'orders:read']);
  const { data } = (await create('both', key, secret)).body;
  expect((await create('both', key)).body.data).toEqual(data);
  const { body } = await service.patch(`/api/v1/orders/${data.id}`, { notes: 'second floor' }, key);
  expect([body.data.notes, body.data.customer.name, body.data.items]).toEqual(['second floor', 'Anna', data.items]);
});
