import { expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { startService } from '../../test/service.ts';
import { resetPassword } from '../accounts/owners.ts';
import { setActive, setPlan } from '../accounts/stores.ts';
import { revokeKey } from '../keys/keys.ts';
import { type HistoryQuery, listHistory } from './history.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });

async function signedInOwner() {
  const owner = await service.owner();
  const visitor = browser(service);
  await visitor.signIn(owner.email);
  const created = await visitor.post('/stores', { name: 'Tea', currency: 'RUB', timezone: 'Europe/Moscow' });
  const storeId = created.body.id as string;
  await setPlan(service.db, storeId, 'optimal', service.clock.now);
  const path = `/stores/${storeId}/history`;
  const ask = async (query = '') => (await visitor.get(path + query)).body;
  return { owner, visitor, storeId, path, ask };
}

/** `owner changed store Tea` */
const lines = ({ entries }: any): string[] =>
  entries.map((entry: any) => `${entry.actor.kind} ${entry.action} ${entry.subject.kind} ${entry.subject.name}`);

test('every change of a setting is recorded with its actor, newest first', async () => {
  const { owner, visitor, storeId, ask } = await signedInOwner();
  const step = async <Result>(work: Promise<Result>) => {
    service.clock.now += 1000;
    return work;
  };
  await step(visitor.patch(`/stores/${storeId}`, { name: 'Coffee' }));
  // A no-op change is not recorded.
  await step(visitor.patch(`/stores/${storeId}`, { name: 'Coffee' }));
  const key = await step(
    visitor.post(`/stores/${storeId}/keys`, {
      name: 'Site',
      rights: ['references:write', 'references:read'],
      life: '90d',
    }),
  );
  const hooks = `/stores/${storeId}/webhooks`;
  const url = 'http://127.0.0.1:1/hook';
  const { body: endpoint } = await step(visitor.post(hooks, { url, events: ['order.created'] }));
  await step(visitor.patch(`${hooks}/${endpoint.id}`, { events: ['order.status_changed'] }));
  const rotated = await step(visitor.post(`${hooks}/${endpoint.id}/rotate`));
  await step(visitor.post(`${hooks}/${endpoint.id}/disable`));
  await step(visitor.post(`${hooks}/${endpoint.id}/enable`, { sendMissed: true }));
  await step(visitor.put('/password', { current: 'correct horse', password: 'battery staple' }));
  service.clock.now += 1000;
  await revokeKey(service.db, key.body.key.id, service.clock.now);
  await revokeKey(service.db, key.body.key.id, service.clock.now);
  await step(setActive(service.db, storeId, false, service.clock.now));

  const page = await ask();
  expect(lines(page)).toEqual([
    'system disabled store Coffee',
    'system revoked key Site',
    `owner password_changed account ${owner.email}`,
    `owner enabled endpoint ${url}`,
    `owner disabled endpoint ${url}`,
    `owner rotated endpoint ${url}`,
    `owner changed endpoint ${url}`,
    `owner created endpoint ${url}`,
    'owner created key Site',
    'owner changed store Coffee',
    ...lines(page).slice(10),
  ]);
  expect(lines(page).slice(10).sort()).toEqual([
    'owner created store Tea',
    `owner signed_in account ${owner.email}`,
    `system created account ${owner.email}`,
    'system plan_changed store Tea',
  ]);
  expect(page.entries[9]).toMatchObject({
    actor: { kind: 'owner', id: owner.id, name: 'Owner' },
    details: { name: ['Tea', 'Coffee'] },
    at: expect.stringMatching(/Z$/),
  });
  expect(page.entries[6].details).toEqual({ events: [['order.created'], ['order.status_changed']] });
  const text = JSON.stringify(page);
  for (const secret of [key.body.secret, endpoint.secret, rotated.body.secret, 'battery', 'horse'])
    expect(text).not.toContain(secret);
});

test('changes of references name the key', async () => {
  const { storeId, ask } = await signedInOwner();
  const key = await service.key(storeId);
  const post = (path: string, body: unknown) => service.post(`/api/v1/references/${path}`, body, key);
  const change = (path: string, body: unknown) => service.patch(`/api/v1/references/${path}`, body, key);
  await post('warehouses', { name: 'North' });
  const { body: status } = await post('order-statuses', { group: 'packing', name: 'Wrapping' });
  await change(`order-statuses/${status.data.id}`, { name: 'Gift wrap' });
  const { body: payment } = await post('payment-statuses', { name: 'Deposit' });
  await change(`payment-statuses/${payment.data.id}`, { isActive: false });
  await change(`payment-statuses/${payment.data.id}`, { isActive: false });
  await post('payment-types', { name: 'Crypto' });
  const { body: deliveries } = await service.get('/api/v1/references/delivery-types', key);
  await change(`delivery-types/${deliveries.data[0].id}`, { name: 'Shop' });

  const page = await ask('?kind=references');
  expect(lines(page).sort()).toEqual([
    'key changed delivery_type Shop',
    'key changed order_status Gift wrap',
    'key changed payment_status Deposit',
    'key created order_status Wrapping',
    'key created payment_status Deposit',
    'key created payment_type Crypto',
    'key created warehouse North',
  ]);
  expect(new Set(page.entries.map((entry: any) => entry.actor.name))).toEqual(new Set(['Test key']));
  const keyId = page.entries[0].actor.id;
  expect(lines(await ask(`?actor=${keyId}`))).toHaveLength(7);
  expect(lines(await ask(`?actor=${keyId}&kind=key`))).toEqual([]);
  expect(lines(await ask('?actor=owner&kind=store'))).toEqual(['owner created store Tea']);
  expect(lines(await ask('?actor=system&kind=store'))).toEqual(['system plan_changed store Tea']);
});

test('account events: sign-ins and password changes, also from the command line', async () => {
  const { owner, ask, visitor } = await signedInOwner();
  service.clock.now += 1000;
  await resetPassword(service.db, owner.email, 'battery staple', service.clock.now);
  service.clock.now += 1000;
  await visitor.signIn(owner.email, 'battery staple');
  const page = await ask('?kind=account');
  expect(lines(page).slice(0, 2)).toEqual([
    `owner signed_in account ${owner.email}`,
    `system password_changed account ${owner.email}`,
  ]);
  expect(page.entries[0].details).toMatchObject({ address: expect.any(String), userAgent: expect.any(String) });
});

test('is paged without gaps, and rejects invalid parameters', async () => {
  const { storeId, visitor, ask, path } = await signedInOwner();
  const key = await service.key(storeId);
  for (let count = 0; count < 55; count++)
    await service.post('/api/v1/references/warehouses', { name: `W${count}` }, key);
  const first = await ask('?kind=references');
  expect(first.entries).toHaveLength(50);
  const second = await ask(`?kind=references&cursor=${first.nextCursor}`);
  expect(second.nextCursor).toBeNull();
  const names = [...first.entries, ...second.entries].map((entry: any) => entry.subject.name);
  expect(new Set(names).size).toBe(55);
  for (const wrong of ['?kind=x', '?actor=x', '?cursor=x', '?foo=1'])
    expect((await visitor.get(path + wrong)).status).toBe(400);
});

test('a filter looks at a limited number of entries, and finds all of them over several pages', async () => {
  const { owner, storeId } = await signedInOwner();
  const key = await service.key(storeId);
  for (let count = 0; count < 40; count++) {
    service.clock.now += count % 3;
    await service.post('/api/v1/references/warehouses', { name: `W${count}` }, key);
    if (count % 10 === 5) await setPlan(service.db, storeId, count % 20 === 5 ? 'basic' : 'optimal', service.clock.now);
    if (count % 20 === 5) await setPlan(service.db, storeId, 'optimal', service.clock.now);
  }
  const scope = { storeId, accountId: owner.id };
  async function walk(query: HistoryQuery, options?: Parameters<typeof listHistory>[3]) {
    const [ids, pages]: [string[], number[]] = [[], []];
    for (let cursor: string | undefined; ; ) {
      const page = await listHistory(service.services, scope, { ...query, cursor }, options);
      ids.push(...page.entries.map(({ id }) => id));
      pages.push(page.entries.length);
      if (page.nextCursor === null) return { ids, pages };
      cursor = page.nextCursor;
    }
  }
  const all = (await walk({})).ids;
  for (const query of [
    { kinds: ['store'] },
    { kinds: ['account', 'warehouse'] },
    { actor: 'system' },
    { kinds: ['key'] },
  ] as const) {
    const { ids } = await walk(query);
    expect((await walk(query, { sliceSize: 3, maxSlices: 2 })).ids).toEqual(ids);
    expect((await walk({ ...query, limit: 2 }, { sliceSize: 7 })).ids).toEqual(ids);
    expect(all.filter((id) => ids.includes(id))).toEqual(ids);
  }
  const { pages } = await walk({ kinds: ['store'] }, { sliceSize: 10, maxSlices: 1 });
  expect(pages.length).toBeGreaterThan(3);
});
