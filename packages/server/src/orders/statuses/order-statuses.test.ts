import { statusGroups } from '@store-sales/contract';
import { describe, expect, test } from 'vitest';
import { startService } from '../../../test/service.ts';
import { uuid } from '../../db/uuid.ts';

const service = await startService();
const path = '/api/v1/references/order-statuses';

const list = async (key: string) => (await service.get(path, key)).body.data as any[];
const create = (key: string, name: string, group = 'packing') => service.post(path, { group, name }, key);
const createStatus = async (key: string, name: string, group?: string) => (await create(key, name, group)).body.data;
const patch = (key: string, id: string, body: object) => service.patch(`${path}/${id}`, body, key);
const system = async (key: string, code: string) => (await list(key)).find((status) => status.code === code);

describe('GET /references/order-statuses', () => {
  test('shows one system status in each group, in workflow order, on one page', async () => {
    const { key } = await service.shop();
    const { body } = await service.get(path, key);
    expect(body.page).toEqual({ nextCursor: null, hasMore: false });
    expect(body.data.map(({ code, group, isActive, sortOrder }: any) => [code, group, isActive, sortOrder])).toEqual(
      statusGroups.map((group) => [group, group, true, 0]),
    );
  });

  test('shows inactive ones too, by group and then by sortOrder', async () => {
    const { key } = await service.shop();
    await create(key, 'Z', 'returned');
    const first = await createStatus(key, 'B', 'new');
    await create(key, 'A', 'new');
    await patch(key, first.id, { isActive: false });
    const listed = (await list(key)).filter((status) => ['new', 'returned'].includes(status.group));
    expect(listed.map(({ name, sortOrder, isActive }) => [name, sortOrder, isActive])).toEqual([
      ['New', 0, true],
      ['B', 1, false],
      ['A', 2, true],
      ['Returned', 0, true],
      ['Z', 1, true],
    ]);
  });
});

describe('POST /references/order-statuses', () => {
  test.each(statusGroups)('creates an active status without a code after the last of group %s', async (group) => {
    const { key } = await service.shop();
    const { status, body } = await create(key, ' Ждёт склада ', group);
    expect(status).toBe(201);
    expect(body.data).toEqual({
      ...{ id: expect.any(String), code: null, name: 'Ждёт склада', group, isActive: true, sortOrder: 1 },
    });
    expect(await list(key)).toContainEqual(body.data);
  });

  test.each([
    ['Собран', 'СОБРАН'],
    ['Собран', '  собран '],
    ['Ёлка', 'ёлка'],
    ['Cafe\u0301', 'CAFÉ'],
    ['Straße', 'STRASSE'],
    ['ﬁnal', 'FINAL'],
    ['Packing', 'packing'],
  ])('%j keeps %j taken in its group', async (first, second) => {
    const { key } = await service.shop();
    await create(key, first);
    const before = await list(key);
    const { status, body } = await create(key, second);
    expect([status, body.code]).toEqual([409, 'name_taken']);
    expect(await list(key)).toEqual(before);
  });

  test('a name is free in another group and in another store', async () => {
    const first = await service.shop();
    const second = await service.shop({ ownerId: first.ownerId });
    expect((await create(first.key, 'Same', 'packing')).status).toBe(201);
    expect((await create(first.key, 'Same', 'new')).status).toBe(201);
    expect((await create(second.key, 'Same', 'packing')).status).toBe(201);
    expect((await list(second.key)).filter((status) => status.name === 'Same')).toHaveLength(1);
  });

  test('a disabled status keeps its name', async () => {
    const { key } = await service.shop();
    const { id } = await createStatus(key, 'Old');
    await patch(key, id, { isActive: false });
    expect((await create(key, 'OLD')).body.code).toBe('name_taken');
  });

  test('of 10 concurrent requests with one name one succeeds; 10 with different names get distinct positions', async () => {
    const { key } = await service.shop();
    const same = await Promise.all(Array.from({ length: 10 }, (_, n) => create(key, n % 2 ? 'ОДИН' : 'один')));
    expect(same.map((reply) => reply.status).sort()).toEqual([201, ...Array(9).fill(409)]);
    const others = await Promise.all(Array.from({ length: 10 }, (_, n) => create(key, `Other ${n}`)));
    const positions = others.map((reply) => reply.body.data.sortOrder).sort((a, b) => a - b);
    expect(positions).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test.each([
    [{ name: 'x' }, '/group', 'required'],
    [{ group: 'new' }, '/name', 'required'],
    [{ group: 'shipping', name: 'x' }, '/group', 'not_allowed'],
    [{ group: 'new', name: ' \u00a0' }, '/name', 'too_short'],
    [{ group: 'new', name: 'x'.repeat(201) }, '/name', 'too_long'],
    [{ group: 'new', name: 'x', code: 'x' }, '/code', 'unknown'],
  ])('%j is rejected', async (sent, pointer, code) => {
    const { key } = await service.shop();
    const { status, body } = await service.post(path, sent, key);
    expect(status).toBe(422);
    expect(body.errors).toContainEqual(expect.objectContaining({ pointer, code }));
  });
});

describe('PATCH /references/order-statuses/{id}', () => {
  test('renames, disables and enables; only what is passed changes', async () => {
    const { key } = await service.shop();
    const status = await createStatus(key, 'One');
    for (const change of [{ name: 'Two' }, { isActive: false }, { name: 'two' }, { isActive: true }]) {
      const reply = await patch(key, status.id, change);
      Object.assign(status, change);
      expect([reply.status, reply.body.data]).toEqual([200, status]);
      expect(await list(key)).toContainEqual(status);
    }
    const both = await patch(key, status.id.toUpperCase(), { name: ' Three ', isActive: false });
    expect(both.body.data).toEqual({ ...status, name: 'Three', isActive: false });
  });

  test('a name taken in the group rejects the whole change', async () => {
    const { key } = await service.shop();
    await create(key, 'One');
    const two = await createStatus(key, 'Two');
    const { status, body } = await patch(key, two.id, { name: ' ONE', isActive: false });
    expect([status, body.code]).toEqual([409, 'name_taken']);
    expect(await list(key)).toContainEqual(two);
    expect((await patch(key, two.id, { name: 'Completed' })).status).toBe(200);
  });

  test('of 10 concurrent renames to one name one succeeds', async () => {
    const { key } = await service.shop();
    const statuses = await Promise.all(Array.from({ length: 10 }, (_, n) => createStatus(key, `S ${n}`)));
    const replies = await Promise.all(statuses.map(({ id }) => patch(key, id, { name: 'Winner' })));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect((await list(key)).filter((status) => status.name === 'Winner')).toHaveLength(1);
  });

  test.each([...statusGroups])('the system status %s can be neither renamed nor disabled', async (code) => {
    const { key } = await service.shop();
    const status = await system(key, code);
    for (const change of [{ name: 'Mine' }, { isActive: false }, { name: status.name.toUpperCase() }]) {
      const { status: code, body } = await patch(key, status.id, change);
      expect([code, body.code]).toEqual([409, 'system_record']);
    }
    expect(await system(key, code)).toEqual(status);
  });

  test('a no-op change is accepted on any record', async () => {
    const { key } = await service.shop();
    for (const status of [await system(key, 'new'), await createStatus(key, 'Own')])
      for (const change of [{}, { name: ` ${status.name} ` }, { name: status.name, isActive: true }]) {
        const reply = await patch(key, status.id, change);
        expect([reply.status, reply.body.data]).toEqual([200, status]);
      }
  });

  test('a status of another store, an unknown id and an invalid id are not found', async () => {
    const first = await service.shop();
    const second = await service.shop({ ownerId: first.ownerId });
    const { id } = await createStatus(second.key, 'Theirs');
    for (const wrong of [id, uuid(1), 'new', '%00']) {
      const { status, body } = await patch(first.key, wrong, { name: 'Mine' });
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    expect((await list(second.key)).some((status) => status.name === 'Theirs')).toBe(true);
  });

  test.each([
    [{ name: ' ' }, '/name'],
    [{ group: 'new' }, '/group'],
    [{ isActive: null }, '/isActive'],
  ])('%j is rejected', async (change, pointer) => {
    const { key } = await service.shop();
    const { id } = await createStatus(key, 'One');
    const { status, body } = await patch(key, id, change);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });
});
