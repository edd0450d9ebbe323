import { describe, expect, test } from 'vitest';
import { startService } from '../../test/service.ts';
import { sql } from '../db/sql.ts';
import { uuid } from '../db/uuid.ts';

const service = await startService();
const path = '/api/v1/references/warehouses';

describe('POST /references/warehouses', () => {
  test('returns 201 with an active warehouse', async () => {
    const { key } = await service.shop();
    const { status, body } = await service.post(
      path,
      { name: ' Склад Москва ', code: 'msk_1', address: 'ул. Лесная, 5', city: 'Москва' },
      key,
    );
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(String),
      code: 'msk_1',
      name: 'Склад Москва',
      address: 'ул. Лесная, 5',
      city: 'Москва',
      isActive: true,
    });
    expect((await service.get(path, key)).body).toEqual({
      data: [body.data],
      page: { nextCursor: null, hasMore: false },
    });
  });

  test('derives the code from the name and appends a number when it is taken, also to a code that was sent', async () => {
    const { key } = await service.shop();
    const create = async (body: object) => (await service.post(path, body, key)).body.data;
    expect(await create({ name: 'Склад Москва' })).toMatchObject({ code: 'sklad-moskva', address: '', city: '' });
    expect((await create({ name: 'Склад  москва!' })).code).toBe('sklad-moskva-2');
    expect((await create({ name: 'x', code: 'sklad-moskva' })).code).toBe('sklad-moskva-3');
    expect((await create({ name: 'x', code: 'sklad-moskva-5' })).code).toBe('sklad-moskva-5');
    expect((await create({ name: 'Склад Москва' })).code).toBe('sklad-moskva-4');
    expect((await create({ name: 'Склад Москва' })).code).toBe('sklad-moskva-6');
    expect((await create({ name: '仓库' })).code).toBe('warehouse');
    expect((await create({ name: '🏬' })).code).toBe('warehouse-2');
    const long = 'a'.repeat(64);
    expect((await create({ name: long })).code).toBe(long);
    expect((await create({ name: long })).code).toBe(`${'a'.repeat(62)}-2`);
  });

  test('50 concurrent requests with one name get 50 codes', async () => {
    const { key } = await service.shop();
    const replies = await Promise.all(Array.from({ length: 50 }, () => service.post(path, { name: 'Склад' }, key)));
    expect(replies.every((reply) => reply.status === 201)).toBe(true);
    const codes = replies.map((reply) => reply.body.data.code);
    expect(new Set(codes)).toEqual(new Set(['sklad', ...Array.from({ length: 49 }, (_, n) => `sklad-${n + 2}`)]));
  });

  test('a derived and an explicit code can be created concurrently', async () => {
    const { key } = await service.shop();
    const bodies = Array.from({ length: 20 }, (_, n) => (n % 2 ? { name: 'a' } : { name: 'b', code: 'a-2' }));
    const replies = await Promise.all(bodies.map((body) => service.post(path, body, key)));
    expect(new Set(replies.map((reply) => reply.body.data.code)).size).toBe(20);
  });

  test('the same code is free in another store of the owner', async () => {
    const first = await service.shop();
    const second = await service.shop({ ownerId: first.ownerId });
    for (const { key } of [first, second])
      expect((await service.post(path, { name: 'Main' }, key)).body.data.code).toBe('main');
    expect((await service.get(path, first.key)).body.data).toHaveLength(1);
  });

  test.each([
    [{}, '/name', 'required'],
    [{ name: '' }, '/name', 'too_short'],
    [{ name: '  ' }, '/name', 'too_short'],
    [{ name: 'x'.repeat(201) }, '/name', 'too_long'],
    [{ name: null }, '/name', 'wrong_type'],
    [{ name: 'x', code: 'Main' }, '/code', 'invalid_format'],
    [{ name: 'x', code: '' }, '/code', 'invalid_format'],
    [{ name: 'x', code: 'a'.repeat(65) }, '/code', 'invalid_format'],
    [{ name: 'x', address: 'x'.repeat(2001) }, '/address', 'too_long'],
    [{ name: 'x', isActive: false }, '/isActive', 'unknown'],
  ])('%j is rejected', async (sent, pointer, code) => {
    const { key } = await service.shop();
    const { status, body } = await service.post(path, sent, key);
    expect([status, body.code]).toEqual([422, 'invalid_body']);
    expect(body.errors).toContainEqual(expect.objectContaining({ pointer, code }));
    expect((await service.get(path, key)).body.data).toEqual([]);
  });

  test('accepts a name of 200 characters and an address of 2,000', async () => {
    const { key } = await service.shop();
    const sent = { name: 'я'.repeat(200), address: 'ю'.repeat(2000), city: 'э'.repeat(200) };
    const { status, body } = await service.post(path, sent, key);
    expect(status).toBe(201);
    expect(body.data).toMatchObject(sent);
    expect(body.data.code).toHaveLength(64);
  });
});

test('warehouses are listed in order of creation', async () => {
  const { key } = await service.shop();
  const start = service.clock.now;
  for (const name of ['c', 'a', 'b']) {
    service.clock.now += 1;
    await service.post(path, { name }, key);
  }
  service.clock.now = start;
  expect((await service.get(path, key)).body.data.map((warehouse: any) => warehouse.name)).toEqual(['c', 'a', 'b']);
});

describe('GET /references/categories', () => {
  const categories = '/api/v1/references/categories';

  test('shows those of the store, with microseconds and an offset', async () => {
    const { storeId, key, ownerId } = await service.shop();
    const other = await service.shop({ ownerId });
    const [top, child] = [uuid(1), uuid(1)];
    const time = Date.parse('2026-03-04T05:06:07.089Z');
    const insert = (id: string, externalId: string | null, parent: string | null, at: number) =>
      service.db.run(
        sql`insert into categories (store_id, id, external_id, name, parent_id, created_at, updated_at)
            values (${storeId}, ${id}, ${externalId}, 'Чай', ${parent}, ${at}, ${at + 1})`,
      );
    await insert(top, 'tea', null, time + 5);
    await insert(child, null, top, time);
    const { body } = await service.get(categories, key);
    expect(body).toEqual({
      data: [
        {
          ...{ id: child, externalId: '', name: 'Чай', parentId: top },
          createdAt: '2026-03-04T05:06:07.089000+00:00',
          updatedAt: '2026-03-04T05:06:07.090000+00:00',
        },
        {
          ...{ id: top, externalId: 'tea', name: 'Чай', parentId: null },
          createdAt: '2026-03-04T05:06:07.094000+00:00',
          updatedAt: '2026-03-04T05:06:07.095000+00:00',
        },
      ],
      page: { nextCursor: null, hasMore: false },
    });
    expect((await service.get(categories, other.key)).body.data).toEqual([]);
  });
});

test.each(['warehouses', 'categories', 'delivery-types', 'payment-types', 'order-statuses', 'payment-statuses'])(
  'the list of %s accepts no parameters',
  async (list) => {
    const { key } = await service.shop();
    const { status, body } = await service.get(`/api/v1/references/${list}?limit=10`, key);
    expect([status, body.code, body.errors[0].parameter]).toEqual([400, 'unknown_parameter', 'limit']);
  },
);
