import { expect, test } from 'vitest';
import type { Reply } from '../test/service.ts';
import { startService } from '../test/service.ts';
import { signedInOwner } from '../test/signed-in-owner.ts';
import { rows, sql } from './db/sql.ts';
import { uuid } from './db/uuid.ts';

const service = await startService();
const { db } = service;

/** Creates records until there is room for two more, then six at once. */
async function expectLimit(limit: number, present: number, create: (index: number) => Promise<Reply>, detail: string) {
  for (let start = present; start < limit - 2; start += 20) {
    const some = Array.from({ length: Math.min(20, limit - 2 - start) }, (_, index) => create(start + index));
    for (const { status } of await Promise.all(some)) expect(status).toBe(201);
  }
  const replies = await Promise.all(Array.from({ length: 6 }, (_, index) => create(limit + index)));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
  for (const { body } of replies.filter(({ status }) => status === 409))
    expect([body.code, body.detail]).toEqual(['limit_reached', detail]);
}

test.each([
  ['order-statuses', { group: 'new' }, 6, 'A store has at most 200 order statuses.'],
  ['payment-statuses', {}, 4, 'A store has at most 200 payment statuses.'],
  ['warehouses', {}, 0, 'A store has at most 200 warehouses.'],
  ['payment-types', {}, 2, 'An owner has at most 200 payment types.'],
])('%s', async (list, more, present, detail) => {
  const { key } = await service.shop();
  const path = `/api/v1/references/${list}`;
  await expectLimit(200, present, (index) => service.post(path, { ...more, name: `Name ${index}` }, key), detail);
  expect((await service.get(path, key)).body.data).toHaveLength(200);
  const other = await service.shop();
  expect((await service.post(path, { ...more, name: 'First' }, other.key)).status).toBe(201);
});

test('delivery types, counted over the stores of the owner', async () => {
  const { visitor, path, owner } = await signedInOwner(service);
  const second = await service.store({ ownerId: owner.id });
  const create = (index: number) =>
    visitor.post(`${index % 2 ? path : `/stores/${second.id}`}/delivery-types`, { name: `T${index}`, kind: 'courier' });
  await expectLimit(200, 3, create, 'An owner has at most 200 delivery types.');
});

test('stores of an owner', async () => {
  const { visitor } = await signedInOwner(service);
  await expectLimit(100, 1, (index) => visitor.post('/stores', storeNamed(index)), 'An owner has at most 100 stores.');
  expect((await visitor.get('/stores')).body).toHaveLength(100);
});

const storeNamed = (index: number) => ({ name: `Store ${index}`, currency: 'RUB', timezone: 'Europe/Moscow' });

test('keys: revoked and expired ones leave room, and the oldest of them are deleted', async () => {
  const { visitor, path, storeId } = await signedInOwner(service);
  const create = (index: number, life = '1y') =>
    visitor.post(`${path}/keys`, { name: `Key ${index}`, rights: ['orders:read'], life });
  const detail = 'A store has at most 100 keys that work; revoke one first.';
  await expectLimit(100, 0, create, detail);

  const [{ id }] = (await visitor.get(`${path}/keys`)).body;
  await visitor.delete(`${path}/keys/${id}`);
  expect((await create(200, '1d')).status).toBe(201);
  expect((await create(201)).body.code).toBe('limit_reached');
  service.clock.now += 86_400_000;
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
  // Those that ended last are the ones that stay.
  expect(left.filter(({ name }: any) => name !== 'Old')).toHaveLength(103);
});

test('categories', async () => {
  const { visitor, path, storeId } = await signedInOwner(service);
  const made = Array.from({ length: 9998 }, (_, index) => [storeId, uuid(1), `c${index}`, 'Category', 1, 1]);
  for (let start = 0; start < made.length; start += 2000)
    await db.run(
      sql`insert into categories (store_id, id, external_id, name, created_at, updated_at)
          values ${rows(made.slice(start, start + 2000))}`,
    );
  const create = (index: number) => visitor.post(`${path}/categories`, { name: `Category ${index}` });
  await expectLimit(10_000, 9998, create, 'A store has at most 10,000 categories.');
});

test('Home works with more statuses than a statement has room for', async () => {
  const { visitor, path, storeId } = await signedInOwner(service);
  const many = Array.from({ length: 600 }, (_, index) => [storeId, uuid(1), `S${index}`, `s${index}`, 'new', index]);
  await db.run(
    sql`insert into order_statuses (store_id, id, name, name_key, status_group, sort_order) values ${rows(many)}`,
  );
  const { status, body } = await visitor.get(`${path}/home?days=90`);
  expect([status, body.present]).toEqual([200, { orders: 0, revenue: 0 }]);
});
