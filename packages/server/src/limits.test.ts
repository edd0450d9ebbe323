import type { LimitParams } from '@store-sales/contract/console';
import { expect, test } from 'vitest';
import type { Reply } from '../test/service.ts';
import { startService } from '../test/service.ts';
import { signedInOwner } from '../test/signed-in-owner.ts';
import { rows, sql } from './db/sql.ts';
import { uuid } from './db/uuid.ts';
import { DAY } from './time/duration.ts';

const service = await startService();
const { db } = service;

/** Creates records until two are left, then six concurrently. Only the console's API sends `params`. */
async function expectLimit(
  limit: number,
  existing: number,
  create: (index: number) => Promise<Reply>,
  detail: string,
  params?: LimitParams,
) {
  for (let start = existing; start < limit - 2; start += 20) {
    const some = Array.from({ length: Math.min(20, limit - 2 - start) }, (_, index) => create(start + index));
    for (const { status } of await Promise.all(some)) expect(status).toBe(201);
  }
  const replies = await Promise.all(Array.from({ length: 6 }, (_, index) => create(limit + index)));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
  for (const { body } of replies.filter(({ status }) => status === 409))
    expect([body.code, body.detail, body.params]).toEqual(['limit_reached', detail, params]);
}

test.each([
  ['order-statuses', { group: 'new' }, 6, 'A store can have at most 200 order statuses.'],
  ['payment-statuses', {}, 4, 'A store can have at most 200 payment statuses.'],
  ['warehouses', {}, 0, 'A store can have at most 200 warehouses.'],
  ['payment-types', {}, 2, 'An owner can have at most 200 payment types.'],
])('%s', async (list, more, existing, detail) => {
  const { key } = await service.shop();
  const path = `/api/v1/references/${list}`;
  await expectLimit(200, existing, (index) => service.post(path, { ...more, name: `Name ${index}` }, key), detail);
  expect((await service.get(path, key)).body.data).toHaveLength(200);
  const other = await service.shop();
  expect((await service.post(path, { ...more, name: 'First' }, other.key)).status).toBe(201);
});

test('delivery types, counted over the stores of the owner', async () => {
  const { visitor, path, owner } = await signedInOwner(service);
  const second = await service.store({ ownerId: owner.id });
  const create = (index: number) =>
    visitor.post(`${index % 2 ? path : `/stores/${second.id}`}/delivery-types`, { name: `T${index}`, kind: 'courier' });
  const params = { limit: 'delivery_types', max: 200 } as const;
  await expectLimit(200, 3, create, 'An owner can have at most 200 delivery types.', params);
});

test('stores of an owner', async () => {
  const { visitor } = await signedInOwner(service);
  const create = (index: number) => visitor.post('/stores', storeNamed(index));
  const params = { limit: 'stores', max: 100 } as const;
  await expectLimit(100, 1, create, 'An owner can have at most 100 stores.', params);
  expect((await visitor.get('/stores')).body).toHaveLength(100);
});

const storeNamed = (index: number) => ({ name: `Store ${index}`, currency: 'RUB', timezone: 'Europe/Moscow' });

test('keys: revoked and expired ones do not count, and the oldest of them are deleted', async () => {
  const { visitor, path, storeId } = await signedInOwner(service);
  const create = (index: number, life = '1y') =>
    visitor.post(`${path}/keys`, { name: `Key ${index}`, rights: ['orders:read'], life });
  const detail = 'A store can have at most 100 active keys. Revoke one first.';
  await expectLimit(100, 0, create, detail, { limit: 'active_keys', max: 100 });

  const [{ id }] = (await visitor.get(`${path}/keys`)).body;
  await visitor.delete(`${path}/keys/${id}`);
  expect((await create(200, '1d')).status).toBe(201);
  expect((await create(201)).body.code).toBe('limit_reached');
  service.clock.now += DAY;
  await visitor.verify();
  expect((await create(202)).status).toBe(201);

  const old = Array.from({ length: 1500 }, (_, index) => [
    storeId,
    uuid(1),
    'Old',
    'p',
    `h${storeId}${index}`,
    'x',
    1,
    2,
  ]);
  await db.run(
    sql`insert into api_keys (store_id, id, name, prefix, key_hash, rights, created_at, expires_at) values ${rows(old)}`,
  );
  const ended = ({ revokedAt, expiresAt }: any) => revokedAt || Date.parse(expiresAt) <= service.clock.now;
  await visitor.delete(`${path}/keys/${(await visitor.get(`${path}/keys`)).body[0].id}`);
  expect((await create(203)).status).toBe(201);
  const left = (await visitor.get(`${path}/keys`)).body;
  expect(left.filter(ended)).toHaveLength(1000);
  // The most recently created remain.
  expect(left.filter(({ name }: any) => name !== 'Old')).toHaveLength(103);
});

test('categories', async () => {
  const { visitor, path, storeId } = await signedInOwner(service);
  const categories = Array.from({ length: 9998 }, (_, index) => [storeId, uuid(1), `c${index}`, 'Category', 1, 1]);
  for (let start = 0; start < categories.length; start += 2000)
    await db.run(
      sql`insert into categories (store_id, id, external_id, name, created_at, updated_at)
          values ${rows(categories.slice(start, start + 2000))}`,
    );
  const create = (index: number) => visitor.post(`${path}/categories`, { name: `Category ${index}` });
  const params = { limit: 'categories', max: 10_000 } as const;
  await expectLimit(10_000, 9998, create, 'A store can have at most 10,000 categories.', params);
});

test('Home works with more statuses than a statement has parameters', async () => {
  const { visitor, path, storeId } = await signedInOwner(service);
  const many = Array.from({ length: 600 }, (_, index) => [storeId, uuid(1), `S${index}`, `s${index}`, 'new', index]);
  await db.run(
    sql`insert into order_statuses (store_id, id, name, name_key, status_group, sort_order) values ${rows(many)}`,
  );
  const { status, body } = await visitor.get(`${path}/home?days=90`);
  expect([status, body.current]).toEqual([200, { orders: 0, revenue: 0 }]);
});
