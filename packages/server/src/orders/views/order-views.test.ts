import { expect, test } from 'vitest';
import { startService } from '../../../test/service.ts';
import { signedInOwner } from '../../../test/signed-in-owner.ts';

const service = await startService();
const view = (name: string, more = {}) => ({ name, filters: {}, columns: ['created', 'total'], ...more });

test('a view is saved, changed and deleted', async () => {
  const { visitor, path } = await signedInOwner(service);
  const views = `${path}/order-views`;
  const filters = { status: 'new', from: '2026-10-01', q: 'anna', order: 'updatedAt:asc' };
  const created = await visitor.post(views, view(' To pack ', { filters }));
  expect(created.status).toBe(201);
  expect(created.body).toEqual({ id: expect.any(String), name: 'To pack', filters, columns: ['created', 'total'] });
  await visitor.post(views, view('A first one'));
  expect((await visitor.get(views)).body.map(({ name }: any) => name)).toEqual(['A first one', 'To pack']);

  const taken = await visitor.post(views, view('TO PACK'));
  expect([taken.status, taken.body.code]).toEqual([409, 'name_taken']);
  const one = `${views}/${created.body.id}`;
  expect((await visitor.put(one, view('a FIRST one'))).status).toBe(409);
  expect((await visitor.put(one, view('to pack', { columns: [] }))).body).toMatchObject({
    name: 'to pack',
    filters: {},
  });
  expect((await visitor.delete(one)).status).toBe(204);
  expect((await visitor.delete(one)).status).toBe(404);
  expect((await visitor.put(one, view('x'))).status).toBe(404);
  expect((await visitor.get(views)).body).toHaveLength(1);
});

test.each([
  view(' '),
  view('x'.repeat(201)),
  view('x', { columns: ['secret'] }),
  view('x', { columns: ['total', 'total'] }),
  view('x', { filters: { cursor: 'x' } }),
  view('x', { filters: { q: 'x'.repeat(101) } }),
])('%j is rejected', async (body) => {
  const { visitor, path } = await signedInOwner(service);
  expect((await visitor.post(`${path}/order-views`, body)).status).toBe(422);
});

test('a store has at most 50 views, also with concurrent requests, and sees only its own', async () => {
  const { visitor, path } = await signedInOwner(service);
  const created = await Promise.all(
    Array.from({ length: 52 }, (_, index) => visitor.post(`${path}/order-views`, view(`View ${index}`))),
  );
  const refused = created.filter(({ status }) => status !== 201);
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(2).fill([409, 'limit_reached']));
  const other = await signedInOwner(service);
  expect((await other.visitor.get(`${other.path}/order-views`)).body).toEqual([]);
  const id = created.find(({ status }) => status === 201)?.body.id;
  expect((await other.visitor.delete(`${other.path}/order-views/${id}`)).status).toBe(404);
  expect((await other.visitor.get(`${path}/order-views`)).status).toBe(404);
});
