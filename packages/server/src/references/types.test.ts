import { describe, expect, test } from 'vitest';
import { startService } from '../../test/service.ts';
import { setActive } from '../accounts/stores.ts';
import { sql } from '../db/sql.ts';
import { uuid } from '../db/uuid.ts';

const service = await startService();
const delivery = '/api/v1/references/delivery-types';
const payment = '/api/v1/references/payment-types';

const list = async (path: string, key: string) => (await service.get(path, key)).body.data as any[];
const typeOf = async (key: string, code: string) => (await list(delivery, key)).find((type) => type.code === code);

/** Two stores of one owner, and one of another. */
async function threeShops() {
  const first = await service.shop();
  return { first, second: await service.shop({ ownerId: first.ownerId }), otherOwner: await service.shop() };
}

describe('GET /references/delivery-types', () => {
  test('shows the defaults, on one page', async () => {
    const { key } = await service.shop();
    const { body } = await service.get(delivery, key);
    expect(body.page).toEqual({ nextCursor: null, hasMore: false });
    const listed = body.data.map(({ code, kind, provider, isActive }: any) => [code, kind, provider, isActive]);
    expect(listed.sort()).toEqual([
      ['carrier', 'carrier', 'cdek', true],
      ['courier', 'courier', null, true],
      ['pickup', 'pickup', null, true],
    ]);
  });

  test('leaves out one that was never enabled here', async () => {
    const { key, ownerId } = await service.shop();
    await service.db.run(
      sql`insert into delivery_types (owner_id, id, code, name, kind, created_at)
          values (${ownerId}, ${uuid(1)}, 'later', 'Later', 'pickup', 1)`,
    );
    expect(await typeOf(key, 'later')).toBeUndefined();
  });
});

describe('PATCH /references/delivery-types/{id}', () => {
  test('name, code and kind change in all stores of the owner and in no other', async () => {
    const { first, second, otherOwner } = await threeShops();
    const { id } = await typeOf(first.key, 'courier');
    const change = { name: ' По городу ', code: 'city', kind: 'pickup' };
    const { status, body } = await service.patch(`${delivery}/${id}`, change, first.key);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id,
      code: 'city',
      name: 'По городу',
      kind: 'pickup',
      provider: null,
      isActive: true,
      trackingUrlTemplate: '',
    });
    expect(await typeOf(second.key, 'city')).toEqual(body.data);
    expect(await typeOf(otherOwner.key, 'courier')).toMatchObject({ name: 'Courier', kind: 'courier' });
    expect(await typeOf(otherOwner.key, 'city')).toBeUndefined();
  });

  test('only the fields passed change', async () => {
    const { key } = await service.shop();
    const before = await typeOf(key, 'courier');
    for (const change of [{ name: 'A' }, { code: 'b' }, { kind: 'carrier' }]) {
      const { body } = await service.patch(`${delivery}/${before.id}`, change, key);
      Object.assign(before, change);
      expect(body.data).toEqual(before);
    }
  });

  test('isActive counts in this store only, and a disabled type can be changed and enabled by its id', async () => {
    const { first, second } = await threeShops();
    const { id } = await typeOf(first.key, 'pickup');
    const off = await service.patch(`${delivery}/${id}`, { isActive: false }, first.key);
    expect(off.body.data).toMatchObject({ id, isActive: false });
    expect(await typeOf(first.key, 'pickup')).toBeUndefined();
    expect(await typeOf(second.key, 'pickup')).toMatchObject({ id, isActive: true });

    const renamed = await service.patch(`${delivery}/${id}`, { name: 'Shop' }, first.key);
    expect(renamed.body.data).toMatchObject({ name: 'Shop', isActive: false });
    expect(await typeOf(first.key, 'pickup')).toBeUndefined();
    expect(await typeOf(second.key, 'pickup')).toMatchObject({ name: 'Shop' });

    const on = await service.patch(`${delivery}/${id}`, { isActive: true }, first.key);
    expect(on.body.data).toMatchObject({ name: 'Shop', isActive: true });
    expect(await typeOf(first.key, 'pickup')).toEqual(on.body.data);
  });

  test('one without a row in the store is disabled there, and can be enabled', async () => {
    const { key, ownerId } = await service.shop();
    const id = uuid(1);
    await service.db.run(
      sql`insert into delivery_types (owner_id, id, code, name, kind, created_at)
          values (${ownerId}, ${id}, 'later', 'Later', 'pickup', 1)`,
    );
    expect((await service.patch(`${delivery}/${id}`, {}, key)).body.data.isActive).toBe(false);
    expect((await service.patch(`${delivery}/${id}`, { isActive: true }, key)).body.data.isActive).toBe(true);
    expect(await typeOf(key, 'later')).toMatchObject({ id });
  });

  test('the kind of a type with an integration is locked, the rest is not', async () => {
    const { key } = await service.shop();
    const type = await typeOf(key, 'carrier');
    const locked = await service.patch(`${delivery}/${type.id}`, { kind: 'courier', name: 'X' }, key);
    expect([locked.status, locked.body.code]).toEqual([409, 'integration_locked']);
    expect(await typeOf(key, 'carrier')).toEqual(type);
    const free = await service.patch(`${delivery}/${type.id}`, { kind: 'carrier', name: 'X', code: 'x' }, key);
    expect([free.status, free.body.data.name, free.body.data.provider]).toEqual([200, 'X', 'cdek']);
  });

  test('a code of another type of the owner is taken, a name is not', async () => {
    const { first, otherOwner } = await threeShops();
    const { id } = await typeOf(first.key, 'pickup');
    const taken = await service.patch(`${delivery}/${id}`, { code: 'courier', isActive: false }, first.key);
    expect([taken.status, taken.body.code]).toEqual([409, 'code_taken']);
    expect(await typeOf(first.key, 'pickup')).toMatchObject({ id, isActive: true });
    expect((await service.patch(`${delivery}/${id}`, { name: 'Courier' }, first.key)).status).toBe(200);
    const other = await typeOf(otherOwner.key, 'pickup');
    expect((await service.patch(`${delivery}/${other.id}`, { code: 'pickup-2' }, otherOwner.key)).status).toBe(200);
    expect((await service.patch(`${delivery}/${id}`, { code: 'pickup-2' }, first.key)).status).toBe(200);
  });

  test('a no-op change is accepted', async () => {
    const { key } = await service.shop();
    const { id, provider, ...same } = await typeOf(key, 'carrier');
    for (const change of [{}, same]) {
      const { status, body } = await service.patch(`${delivery}/${id}`, change, key);
      expect([status, body.data]).toEqual([200, { id, provider, ...same }]);
    }
  });

  test('10 concurrent changes of two codes to one: one of the types gets it', async () => {
    const { key } = await service.shop();
    const ids = [(await typeOf(key, 'pickup')).id, (await typeOf(key, 'courier')).id];
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => service.patch(`${delivery}/${ids[n % 2]}`, { code: 'one' }, key)),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([...Array(5).fill(200), ...Array(5).fill(409)]);
    expect((await list(delivery, key)).filter((type) => type.code === 'one')).toHaveLength(1);
  });

  test('a type of another owner, an unknown id and an invalid id are not found', async () => {
    const { first, otherOwner } = await threeShops();
    const { id } = await typeOf(otherOwner.key, 'pickup');
    for (const wrong of [id, uuid(1), 'pickup', '%00']) {
      const { status, body } = await service.patch(`${delivery}/${wrong}`, { name: 'Mine' }, first.key);
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    expect(await typeOf(otherOwner.key, 'pickup')).toMatchObject({ name: 'Pickup' });
  });

  test.each([
    [{ name: ' ' }, '/name'],
    [{ code: 'UPPER' }, '/code'],
    [{ kind: 'drone' }, '/kind'],
    [{ isActive: 'yes' }, '/isActive'],
    [{ provider: 'x' }, '/provider'],
  ])('%j is rejected', async (change, pointer) => {
    const { key } = await service.shop();
    const { id } = await typeOf(key, 'pickup');
    const { status, body } = await service.patch(`${delivery}/${id}`, change, key);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });
});

describe('payment types', () => {
  const codes = async (key: string) => (await list(payment, key)).map((type) => type.code).sort();

  test('the list has the defaults, on one page', async () => {
    const { key } = await service.shop();
    const { body } = await service.get(payment, key);
    expect(body.page).toEqual({ nextCursor: null, hasMore: false });
    const listed = body.data.map(({ id, ...type }: any) => type);
    expect(listed.sort((a: any, b: any) => (a.code < b.code ? -1 : 1))).toEqual([
      { code: 'card', name: 'Card', description: '', isActive: true },
      { code: 'cash', name: 'Cash', description: '', isActive: true },
    ]);
  });

  test('a new one is enabled in all active stores of the owner, in no inactive one and in no other', async () => {
    const { first, second, otherOwner } = await threeShops();
    const closed = await service.shop({ ownerId: first.ownerId });
    await setActive(service.db, closed.storeId, false, service.clock.now);
    const sent = { name: ' СБП ', code: 'sbp', description: 'По QR-коду' };
    const { status, body } = await service.post(payment, sent, first.key);
    expect(status).toBe(201);
    expect(body.data).toEqual({ id: expect.any(String), ...sent, name: 'СБП', isActive: true });
    for (const { key } of [first, second]) expect(await list(payment, key)).toContainEqual(body.data);
    expect(await codes(otherOwner.key)).toEqual(['card', 'cash']);
    await setActive(service.db, closed.storeId, true, service.clock.now);
    expect(await codes(closed.key)).toEqual(['card', 'cash']);
  });

  test('one that the store has disabled is not listed', async () => {
    const { key, storeId } = await service.shop();
    const cash = (await list(payment, key)).find((type) => type.code === 'cash');
    await service.db.run(
      sql`update store_payment_types set is_active = false
          where store_id = ${storeId} and payment_type_id = ${cash.id}`,
    );
    expect(await codes(key)).toEqual(['card']);
  });

  test('a code is derived with a number when left out, and taken when sent', async () => {
    const { first, second, otherOwner } = await threeShops();
    const create = (body: object, key = first.key) => service.post(payment, body, key);
    expect((await create({ name: 'Наличные курьеру' })).body.data).toMatchObject({
      code: 'nalichnye-kureru',
      description: '',
    });
    expect((await create({ name: 'Наличные курьеру' }, second.key)).body.data.code).toBe('nalichnye-kureru-2');
    expect((await create({ name: 'Cash' })).body.data.code).toBe('cash-2');
    expect((await create({ name: '¥' })).body.data.code).toBe('payment-type');
    expect((await create({ name: '¥' })).body.data.code).toBe('payment-type-2');
    const taken = await create({ name: 'New', code: 'cash-2' }, second.key);
    expect([taken.status, taken.body.code]).toEqual([409, 'code_taken']);
    expect(await codes(first.key)).toHaveLength(7);
    expect((await create({ name: 'New', code: 'cash-2' }, otherOwner.key)).status).toBe(201);
  });

  test('20 concurrent requests with one name get 20 codes; with one explicit code, one succeeds', async () => {
    const { first, second } = await threeShops();
    const at = (n: number) => (n % 2 ? first.key : second.key);
    const byName = await Promise.all(
      Array.from({ length: 20 }, (_, n) => service.post(payment, { name: 'QR' }, at(n))),
    );
    expect(byName.map((reply) => reply.status)).toEqual(Array(20).fill(201));
    expect(new Set(byName.map((reply) => reply.body.data.code)).size).toBe(20);
    const byCode = await Promise.all(
      Array.from({ length: 10 }, (_, n) => service.post(payment, { name: 'QR', code: 'one' }, at(n))),
    );
    expect(byCode.map((reply) => reply.status).sort()).toEqual([201, ...Array(9).fill(409)]);
    for (const { key } of [first, second]) expect(await codes(key)).toHaveLength(23);
  });

  test.each([
    [{}, '/name'],
    [{ name: ' ' }, '/name'],
    [{ name: 'x', code: 'a b' }, '/code'],
    [{ name: 'x', description: 'x'.repeat(2001) }, '/description'],
    [{ name: 'x', isActive: true }, '/isActive'],
  ])('%j is rejected', async (sent, pointer) => {
    const { key } = await service.shop();
    const { status, body } = await service.post(payment, sent, key);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });
});
