import { describe, expect, test } from 'vitest';
import { startService } from '../../../test/service.ts';
import { uuid } from '../../db/uuid.ts';

const service = await startService();
const path = '/api/v1/references/payment-statuses';

const list = async (key: string) => (await service.get(path, key)).body.data as any[];
const create = (key: string, body: object) => service.post(path, body, key);
const createStatus = async (key: string, name: string) => (await create(key, { name })).body.data;
const patch = (key: string, id: string, body: object) => service.patch(`${path}/${id}`, body, key);
const system = async (key: string, code: string) => (await list(key)).find((status) => status.code === code);

describe('GET /references/payment-statuses', () => {
  test('shows the system statuses, of which only paid counts as paid, on one page', async () => {
    const { key } = await service.shop();
    const { body } = await service.get(path, key);
    expect(body.page).toEqual({ nextCursor: null, hasMore: false });
    expect(body.data.map(({ code, isPaid, isActive, sortOrder }: any) => [code, isPaid, isActive, sortOrder])).toEqual([
      ['unpaid', false, true, 0],
      ['paid', true, true, 1],
      ['partially_paid', false, true, 2],
      ['refunded', false, true, 3],
    ]);
  });

  test('shows inactive ones too, by sortOrder', async () => {
    const { key } = await service.shop();
    const { id } = await createStatus(key, 'B');
    await create(key, { name: 'A' });
    await patch(key, id, { isActive: false });
    const listed = (await list(key)).slice(4).map(({ name, sortOrder, isActive }) => [name, sortOrder, isActive]);
    expect(listed).toEqual([
      ['B', 4, false],
      ['A', 5, true],
    ]);
  });
});

describe('POST /references/payment-statuses', () => {
  test('creates an active status without a code after the last; the colour is stored as sent', async () => {
    const { key } = await service.shop();
    const { status, body } = await create(key, { name: ' Оплачен бонусами ', isPaid: true, color: '#aBcDeF' });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      ...{ id: expect.any(String), code: null, name: 'Оплачен бонусами', isPaid: true },
      ...{ isActive: true, sortOrder: 4, color: '#aBcDeF' },
    });
    expect(await list(key)).toContainEqual(body.data);
  });

  test('does not count as paid and is grey by default', async () => {
    const { key } = await service.shop();
    expect(await createStatus(key, 'Plain')).toMatchObject({ isPaid: false, color: '#9CA3AF' });
  });

  test('a name is taken in the store whatever its case, also by a system or a disabled status, and free in another', async () => {
    const first = await service.shop();
    const second = await service.shop({ ownerId: first.ownerId });
    const { id } = await createStatus(first.key, 'Бонусы');
    await patch(first.key, id, { isActive: false });
    for (const name of ['бонусы', ' БОНУСЫ', 'UNPAID']) {
      const { status, body } = await create(first.key, { name });
      expect([status, body.code]).toEqual([409, 'name_taken']);
    }
    expect((await create(second.key, { name: 'Бонусы' })).status).toBe(201);
  });

  test('of 10 concurrent requests with one name one succeeds; 10 with different names get distinct positions', async () => {
    const { key } = await service.shop();
    const same = await Promise.all(Array.from({ length: 10 }, () => create(key, { name: 'One' })));
    expect(same.map((reply) => reply.status).sort()).toEqual([201, ...Array(9).fill(409)]);
    const others = await Promise.all(Array.from({ length: 10 }, (_, n) => create(key, { name: `Other ${n}` })));
    expect(new Set(others.map((reply) => reply.body.data.sortOrder)).size).toBe(10);
  });

  test.each([
    [{}, '/name'],
    [{ name: ' ' }, '/name'],
    [{ name: 'x', isPaid: 1 }, '/isPaid'],
    [{ name: 'x', color: 'red' }, '/color'],
    [{ name: 'x', color: '#12345' }, '/color'],
    [{ name: 'x', isActive: true }, '/isActive'],
  ])('%j is rejected', async (sent, pointer) => {
    const { key } = await service.shop();
    const { status, body } = await create(key, sent);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });
});

describe('PATCH /references/payment-statuses/{id}', () => {
  test('changes only the fields passed', async () => {
    const { key } = await service.shop();
    const status = await createStatus(key, 'One');
    const changes = [{ name: 'Two' }, { isPaid: true }, { color: '#000000' }, { isActive: false }, { isActive: true }];
    for (const change of changes) {
      const reply = await patch(key, status.id, change);
      Object.assign(status, change);
      expect([reply.status, reply.body.data]).toEqual([200, status]);
      expect(await list(key)).toContainEqual(status);
    }
  });

  test.each(['unpaid', 'paid', 'partially_paid', 'refunded'])('the system status %s cannot be edited', async (code) => {
    const { key } = await service.shop();
    const status = await system(key, code);
    const edits = [
      { name: 'Mine' },
      { isPaid: !status.isPaid },
      { color: '#123456' },
      { name: 'Mine', isActive: true },
    ];
    for (const edit of edits) {
      const { status: code, body } = await patch(key, status.id, edit);
      expect([code, body.code]).toEqual([409, 'system_record']);
    }
    expect(await system(key, code)).toEqual(status);
  });

  test.each(['unpaid', 'paid'])('the system status %s cannot be disabled', async (code) => {
    const { key } = await service.shop();
    const { id } = await system(key, code);
    const { status, body } = await patch(key, id, { isActive: false });
    expect([status, body.code]).toEqual([409, 'system_record']);
    expect((await system(key, code)).isActive).toBe(true);
  });

  test.each(['partially_paid', 'refunded'])('the system status %s can be disabled and enabled', async (code) => {
    const { key } = await service.shop();
    const status = await system(key, code);
    for (const isActive of [false, true]) {
      const reply = await patch(key, status.id, { isActive });
      expect([reply.status, reply.body.data]).toEqual([200, { ...status, isActive }]);
      expect(await system(key, code)).toEqual({ ...status, isActive });
    }
  });

  test('a no-op change is accepted on any record', async () => {
    const { key } = await service.shop();
    for (const status of [await system(key, 'paid'), await system(key, 'refunded'), await createStatus(key, 'Own')]) {
      const { id, code, sortOrder, ...same } = status;
      for (const change of [{}, same]) {
        const reply = await patch(key, id, change);
        expect([reply.status, reply.body.data]).toEqual([200, status]);
      }
    }
  });

  test('a taken name rejects the whole change', async () => {
    const { key } = await service.shop();
    const status = await createStatus(key, 'One');
    const reply = await patch(key, status.id, { name: 'PAID', isPaid: true, isActive: false });
    expect([reply.status, reply.body.code]).toEqual([409, 'name_taken']);
    expect(await list(key)).toContainEqual(status);
  });

  test('a status of another store, an unknown id and an invalid id are not found', async () => {
    const first = await service.shop();
    const second = await service.shop({ ownerId: first.ownerId });
    const { id } = await createStatus(second.key, 'Theirs');
    for (const wrong of [id, uuid(1), 'paid', '%00']) {
      const { status, body } = await patch(first.key, wrong, { isActive: false });
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
  });
});
