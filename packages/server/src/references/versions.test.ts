import { expect, test } from 'vitest';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';

const service = await startService();
const { clock } = service;

const lists = [
  ['order-statuses', { group: 'new', name: 'First' }, { name: 'Second' }, { name: 'Third' }],
  ['payment-statuses', { name: 'First' }, { color: '#112233' }, { name: 'Third' }],
  ['delivery-types', { name: 'First', kind: 'courier' }, { kind: 'pickup' }, { code: 'third' }],
  ['warehouses', { name: 'First' }, { city: 'Kazan' }, { address: '1 Main St' }],
] as const;

test.each(lists)('%s: a change with an old version is refused', async (list, create, theirs, mine) => {
  const { visitor, path } = await signedInOwner(service);
  const created = (await visitor.post(`${path}/${list}`, create)).body;
  const one = `${path}/${list}/${created.id}`;
  const read = async () => (await visitor.get(`${path}/${list}`)).body.find(({ id }: any) => id === created.id);
  expect((await read()).etag).toBe(created.etag);

  // Neither enabling nor sorting makes a new version.
  expect((await visitor.patch(one, { isActive: false }, { 'if-match': created.etag })).body.etag).toBe(created.etag);
  expect((await visitor.patch(one, { isActive: true })).status).toBe(200);

  const changed = await visitor.patch(one, theirs, { 'if-match': created.etag });
  expect([changed.status, changed.body]).toEqual([200, expect.objectContaining(theirs)]);
  expect(changed.body.etag).not.toBe(created.etag);
  const late = await visitor.patch(one, mine, { 'if-match': created.etag });
  expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
  expect(await read()).toEqual(changed.body);

  const again = await visitor.patch(one, mine, { 'if-match': (await read()).etag });
  expect([again.status, again.body]).toEqual([200, expect.objectContaining({ ...theirs, ...mine })]);
});

test('of two changes at the same time with one version, one is refused', async () => {
  const { visitor, path } = await signedInOwner(service);
  const { id, etag } = (await visitor.post(`${path}/warehouses`, { name: 'First' })).body;
  const changes = ['Kazan', 'Perm', 'Omsk'].map((city) =>
    visitor.patch(`${path}/warehouses/${id}`, { city }, { 'if-match': etag }),
  );
  const statuses = (await Promise.all(changes)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 412, 412]);
});

test('categories: a change with an old version is refused', async () => {
  const { visitor, path } = await signedInOwner(service);
  const [category] = (await visitor.post(`${path}/categories`, { name: 'Tea' })).body;
  const one = `${path}/categories/${category.id}`;
  const version = ({ updatedAt }: any) => ({ 'if-match': `"${new Date(updatedAt).toISOString()}"` });
  clock.now += 1000;
  const [changed] = (await visitor.patch(one, { name: 'Green tea' }, version(category))).body;
  expect(changed.name).toBe('Green tea');
  const late = await visitor.patch(one, { name: 'Black tea' }, version(category));
  expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
  expect((await visitor.patch(one, { name: 'Black tea' }, version(changed))).body[0].name).toBe('Black tea');
});

test('the API shows no versions', async () => {
  const { key } = await service.shop();
  const { body } = await service.get('/api/v1/references/order-statuses', key);
  expect(JSON.stringify(body)).toContain('"packing"');
  expect(JSON.stringify(body)).not.toContain('etag');
});
