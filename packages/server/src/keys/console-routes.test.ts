import { expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { startService } from '../../test/service.ts';
import { DAY } from '../time/duration.ts';

const service = await startService();

async function signedInOwner(plan = 'optimal') {
  const owner = await service.owner();
  const store = await service.store({ ownerId: owner.id, plan });
  const visitor = browser(service);
  await visitor.signIn(owner.email);
  return { owner, store, visitor, path: `/stores/${store.id}/keys` };
}

test('a key is created, works, is listed without its secret, and is revoked', async () => {
  const { owner, store, visitor, path } = await signedInOwner();
  expect((await visitor.get(path)).body).toEqual([]);
  const created = await visitor.post(path, { name: ' Site ', rights: ['orders:read', 'orders:write'], life: '90d' });
  expect(created.status).toBe(201);
  const { secret, key } = created.body;
  expect(key).toEqual({
    id: expect.any(String),
    name: 'Site',
    prefix: secret.slice(0, 10),
    rights: ['orders:read', 'orders:write'],
    createdBy: { id: owner.id, name: owner.name },
    createdAt: new Date(service.clock.now).toISOString(),
    expiresAt: new Date(service.clock.now + 90 * DAY).toISOString(),
    revokedAt: null,
    lastUsedAt: null,
  });
  expect(created.headers.get('cache-control')).toBe('no-store');
  expect((await service.get('/api/v1/credentials', secret)).body.data.store.id).toBe(store.id);
  await expect
    .poll(async () => (await visitor.get(path)).body)
    .toEqual([{ ...key, lastUsedAt: new Date(service.clock.now).toISOString() }]);
  expect((await visitor.get(path)).text).not.toContain(secret.slice(10));

  const revoked = await visitor.delete(`${path}/${key.id}`);
  expect(revoked.body.revokedAt).toBe(new Date(service.clock.now).toISOString());
  expect((await service.get('/api/v1/credentials', secret)).body.code).toBe('invalid_key');
  expect((await visitor.get(path)).body[0].revokedAt).toBe(revoked.body.revokedAt);
});

test('the newest key comes first', async () => {
  const { visitor, path } = await signedInOwner();
  for (const name of ['one', 'two']) {
    await visitor.post(path, { name, rights: ['orders:read'], life: '1y' });
    service.clock.now += 1000;
  }
  expect((await visitor.get(path)).body.map(({ name }: any) => name)).toEqual(['two', 'one']);
});

test.each([
  ['no rights', { name: 'k', rights: [], life: '90d' }],
  ['a retired right', { name: 'k', rights: ['products:write'], life: '90d' }],
  ['no name', { name: ' ', rights: ['orders:read'], life: '90d' }],
  ['six years', { name: 'k', rights: ['orders:read'], life: '6y' }],
  ['a lifetime of 0 days', { name: 'k', rights: ['orders:read'], life: '0d' }],
  ['no life', { name: 'k', rights: ['orders:read'] }],
])('%s is rejected', async (_name, body) => {
  const { visitor, path } = await signedInOwner();
  expect((await visitor.post(path, body)).status).toBe(422);
  expect((await visitor.get(path)).body).toEqual([]);
});

test('on the Basic plan everything is rejected with a reason', async () => {
  const { visitor, path } = await signedInOwner('basic');
  const replies = [
    await visitor.get(path),
    await visitor.post(path, { name: 'k', rights: ['orders:read'], life: '90d' }),
    await visitor.delete(`${path}/x`),
  ];
  for (const { status, body } of replies) {
    expect([status, body.code]).toEqual([403, 'plan_required']);
    expect(body.detail).toMatch(/the Optimal plan.*the basic plan/);
  }
});
