import { expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { insertCustomers } from '../../test/rows.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';

const service = await startService({ damages: 'customers that share a phone' });
const { clock } = service;
const errorsOf = (reply: any) => reply.body.errors.map(({ pointer, code }: any) => [pointer, code]);

test('a customer is created, read through the API and matched by a later order', async () => {
  const { storeId, visitor, path } = await signedInOwner(service);
  const key = await service.key(storeId);
  const sent = { name: ' Anna ', phone: '8 916 000-00-01', email: 'Anna@Example.com', externalId: 'c-1' };
  const created = await visitor.post(`${path}/customers`, sent);
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ ...sent, name: 'Anna' });
  const { id } = created.body;
  expect((await service.get(`/api/v1/customers/${id}`, key)).body.data).toEqual(created.body);
  expect((await service.get('/api/v1/customers?filter[phone]=%2B79160000001', key)).body.data).toEqual([created.body]);
  await addProduct(service, storeId, { sku: 'TEA' });
  const order = { customer: { phone: '+7 916 000 00 01' }, items: [{ sku: 'TEA', quantity: 1 }] };
  expect((await service.post('/api/v1/orders', order, key)).body.data.customer.id).toBe(id);
  const { entries } = (await visitor.get(`${path}/history?kind=customers`)).body;
  expect(entries).toMatchObject([{ action: 'created', subject: { kind: 'customer', id, name: 'Anna' } }]);
});

test('a phone, e-mail or external id of another customer is rejected and names that customer', async () => {
  const { storeId, visitor, path } = await signedInOwner(service);
  const first = { name: 'Anna', phone: '+7 916 000-00-01', email: 'a@example.com', externalId: 'c-1' };
  const { id } = (await visitor.post(`${path}/customers`, first)).body;
  const second = { name: 'Bob', phone: '89160000001', email: 'A@example.COM', externalId: 'c-1' };
  const reply = await visitor.post(`${path}/customers`, second);
  expect(reply.status).toBe(422);
  const other = { id, name: 'Anna' };
  expect(reply.body.errors).toMatchObject([
    { pointer: '/phone', code: 'taken', other },
    { pointer: '/email', code: 'taken', other },
    { pointer: '/externalId', code: 'taken', other },
  ]);
  // The same in another store is another customer.
  const elsewhere = await signedInOwner(service);
  expect((await elsewhere.visitor.post(`${elsewhere.path}/customers`, second)).status).toBe(201);
  // Phones that are shared already stay valid.
  const [shared] = await insertCustomers(service.db, storeId, [{ phone: '1', phone_key: '1' }]);
  await insertCustomers(service.db, storeId, [{ phone: '1', phone_key: '1' }]);
  const renamed = await visitor.patch(`${path}/customers/${shared?.id}`, { name: 'C', phone: '1' });
  expect([renamed.status, renamed.body.name]).toEqual([200, 'C']);
  // At the same time, one of them wins.
  const body = { name: 'D', phone: '+7 999 000-00-01', externalId: 'd' };
  const replies = await Promise.all(Array.from({ length: 5 }, () => visitor.post(`${path}/customers`, body)));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422]);
});

test('invalid fields are reported together', async () => {
  const { visitor, path } = await signedInOwner(service);
  const create = (body: object) => visitor.post(`${path}/customers`, body);
  expect(errorsOf(await create({}))).toEqual([['/name', 'required']]);
  expect(errorsOf(await create({ name: ' ', externalId: 'x' }))).toEqual([['/name', 'required']]);
  expect(errorsOf(await create({ phone: 'call me', email: 'nobody' }))).toEqual([
    ['/phone', 'invalid_format'],
    ['/email', 'invalid_format'],
  ]);
  expect((await create({ name: 'x'.repeat(201) })).status).toBe(422);
  expect((await create({ name: 'x', id: 'y' })).status).toBe(422);
});

test('a change moves updatedAt, a no-op and an outdated one do not', async () => {
  const { storeId, visitor, path } = await signedInOwner(service);
  const key = await service.key(storeId);
  const created = (await visitor.post(`${path}/customers`, { name: 'Anna', phone: '+1 234' })).body;
  const one = `${path}/customers/${created.id}`;
  clock.now += 1000;
  expect((await visitor.patch(one, { name: 'Anna' })).body).toEqual(created);
  const match = { 'if-match': `"${created.updatedAt}"` };
  const changed = await visitor.patch(one, { email: 'a@example.com', phone: '' }, match);
  expect(changed.body).toMatchObject({ name: 'Anna', phone: '', email: 'a@example.com' });
  expect(Date.parse(changed.body.updatedAt)).toBe(clock.now);
  const outdated = await visitor.patch(one, { name: 'B' }, match);
  expect([outdated.status, outdated.body.code]).toEqual([412, 'precondition_failed']);
  const since = await service.get(
    `/api/v1/customers?order=updatedAt:asc&filter[updatedAt][from]=${changed.body.updatedAt}`,
    key,
  );
  expect(since.body.data).toEqual([changed.body]);
  const [entry] = (await visitor.get(`${path}/history?kind=customers`)).body.entries;
  expect(entry.details).toEqual({ email: ['', 'a@example.com'], phone: ['+1 234', ''] });
  const stranger = await signedInOwner(service);
  const foreign = `${stranger.path}/customers/${created.id}`;
  expect((await stranger.visitor.patch(foreign, { name: 'B' })).status).toBe(404);
  expect((await stranger.visitor.patch(one, { name: 'B' })).status).toBe(404);
});
