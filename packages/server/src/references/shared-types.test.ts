import { describe, expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { signedInMember } from '../../test/member.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { system } from '../actor.ts';
import { createKey } from '../keys/keys.ts';
import { addMember, changeTeam } from '../members/members.ts';

const service = await startService();

const keyOf = async (storeId: string) => {
  const rights = ['references:read', 'references:write', 'orders:read', 'orders:write'];
  return (await createKey(service.db, { storeId, name: 'k', rights }, service.clock.now)).secret;
};
const list = async (kind: 'payment' | 'delivery', key: string): Promise<any[]> =>
  (await service.get(`/api/v1/references/${kind}-types`, key)).body.data;

/** The ids of the types that a store offers. */
const offered = async (kind: 'payment' | 'delivery', key: string) =>
  new Set((await list(kind, key)).map(({ id }) => id));

/** An owner of two stores, and the keys of both. */
async function twoStores() {
  const first = await signedInOwner(service);
  const second = await service.store({ ownerId: first.owner.id, plan: 'optimal' });
  return {
    ...first,
    secondPath: `/stores/${second.id}`,
    secondId: second.id,
    firstKey: await keyOf(first.storeId),
    secondKey: await keyOf(second.id),
  };
}

describe('in the console, types that several stores share', () => {
  test('are created, renamed and changed only by an owner of all these stores', async () => {
    const { visitor, path, storeId, secondKey } = await twoStores();
    const [type] = (await visitor.get(`${path}/delivery-types`)).body;
    const one = `${path}/delivery-types/${type.id}`;
    const attempts = (who: typeof visitor) => [
      who.post(`${path}/payment-types`, { name: 'Transfer to my card' }),
      who.post(`${path}/delivery-types`, { name: 'Mine', kind: 'pickup' }),
      who.patch(one, { name: 'Mine' }),
      who.patch(one, { code: 'my-code', isActive: false }),
      who.patch(one, { trackingUrlTemplate: 'https://mine.example/{number}' }),
    ];
    const before = await list('delivery', secondKey);
    for (const role of ['manager', 'owner'] as const) {
      const { visitor: member } = await signedInMember(service, storeId, role);
      for (const { status, body } of await Promise.all(attempts(member)))
        expect([status, body.code]).toEqual([403, 'role_required']);
      // Sent again as it is, it changes nothing.
      expect((await member.patch(one, { name: type.name })).status).toBe(200);
      expect((await member.get('/stores')).body).toMatchObject([{ id: storeId, mayChangeTypes: false }]);
    }
    expect(await list('delivery', secondKey)).toEqual(before);
    expect(await list('payment', secondKey)).toHaveLength(2);
    expect((await visitor.get('/stores')).body.map(({ mayChangeTypes }: any) => mayChangeTypes)).toEqual([true, true]);
    for (const { status } of await Promise.all(attempts(visitor))) expect([200, 201]).toContain(status);
  });

  test('are switched on and off for one store by its manager', async () => {
    const { visitor, path, storeId, secondKey } = await twoStores();
    const { visitor: manager } = await signedInMember(service, storeId, 'manager');
    for (const kind of ['delivery', 'payment'] as const) {
      const [type] = (await visitor.get(`${path}/${kind}-types`)).body;
      const off = await manager.patch(`${path}/${kind}-types/${type.id}`, { isActive: false });
      expect([off.status, off.body.isActive]).toEqual([200, false]);
      expect(await offered(kind, secondKey)).toContain(type.id);
    }
  });

  test('of a member who owns all stores but founded none, may be changed too', async () => {
    const { path, storeId, secondId } = await twoStores();
    const { visitor: partner, account } = await signedInMember(service, storeId, 'owner');
    const create = () => partner.post(`${path}/payment-types`, { name: 'Partner' });
    expect((await create()).status).toBe(403);
    const edit = { storeId: secondId, actor: system, now: service.clock.now };
    await changeTeam(service.db, secondId, (tx) => addMember(tx, account, 'owner', edit));
    expect((await create()).status).toBe(201);
  });

  test('are not changed with a key that an integrator of one of these stores makes', async () => {
    const { visitor, path, storeId, secondId, secondPath } = await twoStores();
    const { visitor: integrator, account } = await signedInMember(service, storeId, 'integrator');
    const key = { name: 'k', rights: ['references:read', 'references:write'], life: '90d' };
    const refused = await integrator.post(`${path}/keys`, key);
    expect([refused.status, refused.body.errors]).toMatchObject([422, [{ pointer: '/rights', code: 'not_allowed' }]]);
    expect((await integrator.post(`${path}/keys`, { ...key, rights: ['references:read'] })).status).toBe(201);
    expect((await visitor.post(`${path}/keys`, key)).status).toBe(201);
    // Of the other stores, they own all.
    const edit = { storeId: secondId, actor: system, now: service.clock.now };
    await changeTeam(service.db, secondId, (tx) => addMember(tx, account, 'owner', edit));
    expect((await integrator.post(`${path}/keys`, key)).status).toBe(201);
    expect((await integrator.post(`${secondPath}/keys`, key)).status).toBe(422);
  });

  test('are those of one store alone, if the owner has no other', async () => {
    const { path, storeId } = await signedInOwner(service);
    const { visitor: integrator } = await signedInMember(service, storeId, 'integrator');
    const key = { name: 'k', rights: ['references:write'], life: '90d' };
    expect((await integrator.post(`${path}/keys`, key)).status).toBe(201);
  });

  test('leave a change in the history of each store, and a switch in that of its own', async () => {
    const { visitor, path, secondPath } = await twoStores();
    const [type] = (await visitor.get(`${path}/delivery-types`)).body;
    await visitor.patch(`${path}/delivery-types/${type.id}`, { name: 'Renamed', isActive: false });
    await visitor.post(`${path}/payment-types`, { name: 'Barter' });
    await visitor.post(`${path}/delivery-types`, { name: 'Drone', kind: 'courier' });
    const historyOf = async (store: string) =>
      (await visitor.get(`${store}/history?kind=references`)).body.entries.map(({ action, subject, details }: any) => [
        action,
        subject.name,
        details,
      ]);
    const shared = { name: [type.name, 'Renamed'] };
    expect(await historyOf(path)).toEqual([
      ['created', 'Drone', expect.anything()],
      ['created', 'Barter', expect.anything()],
      ['changed', 'Renamed', { ...shared, isActive: [true, false] }],
    ]);
    expect(await historyOf(secondPath)).toEqual([
      ['created', 'Drone', expect.anything()],
      ['created', 'Barter', expect.anything()],
      ['changed', 'Renamed', shared],
    ]);
  });
});

describe('a store that changes hands', () => {
  /** The second store of an owner gets another owner, and the first owner leaves it. */
  async function handedOver() {
    const former = await twoStores();
    const { visitor: next, account } = await signedInMember(service, former.secondId, 'owner');
    return { former, next, account, path: former.secondPath, storeId: former.secondId };
  }

  test('keeps its types, with their ids and states, and shares none with the former owner’s stores', async () => {
    const { former, next, path } = await handedOver();
    const [cash, card] = await list('payment', former.secondKey);
    await former.visitor.patch(`${path}/payment-types/${card.id}`, { isActive: false });
    const before = await Promise.all((['payment', 'delivery'] as const).map((kind) => offered(kind, former.secondKey)));
    expect((await former.visitor.delete(`${path}/membership`)).status).toBe(204);
    const after = await Promise.all((['payment', 'delivery'] as const).map((kind) => offered(kind, former.secondKey)));
    expect(after).toEqual(before);
    expect((await list('payment', former.secondKey))[0].name).toBe(cash.name);

    const made = await next.post(`${path}/payment-types`, { name: 'Transfer to the new owner' });
    expect(made.status).toBe(201);
    expect(await offered('payment', former.secondKey)).toContain(made.body.id);
    expect(await offered('payment', former.firstKey)).not.toContain(made.body.id);
    const [type] = await list('delivery', former.secondKey);
    expect((await next.patch(`${path}/delivery-types/${type.id}`, { name: 'By the new owner' })).status).toBe(200);
    const others = (await list('delivery', former.firstKey)).map(({ name }) => name);
    expect(others).not.toContain('By the new owner');

    const theirs = await former.visitor.post(`${former.path}/payment-types`, { name: 'Of the former owner' });
    expect(await offered('payment', former.secondKey)).not.toContain(theirs.body.id);
    // A key of the store is the new owner's too.
    const byKey = await service.post('/api/v1/references/payment-types', { name: 'By key' }, former.secondKey);
    expect(await offered('payment', former.firstKey)).not.toContain(byKey.body.data.id);
  });

  test('does so also when the former owner is removed or becomes a manager, and says it in its history', async () => {
    for (const way of ['remove', 'demote']) {
      const { former, next, account, path, storeId } = await handedOver();
      const member = `${path}/members/${former.owner.id}`;
      const reply = way === 'remove' ? next.delete(member) : next.patch(member, { role: 'manager' });
      expect((await reply).status).toBe(200);
      const made = await next.post(`${path}/payment-types`, { name: 'New' });
      expect(await offered('payment', former.firstKey)).not.toContain(made.body.id);
      const { body } = await next.get(`${path}/history?kind=store`);
      expect(body.entries).toContainEqual(
        expect.objectContaining({
          action: 'changed',
          subject: expect.objectContaining({ kind: 'store', id: storeId }),
          details: { owner: [former.owner.email, account.email] },
        }),
      );
    }
  });

  test('brings codes that the new owner has under others, and orders keep their types', async () => {
    const { former, next, account, path } = await handedOver();
    const own = await service.store({ ownerId: account.id, plan: 'optimal' });
    const ownKey = await keyOf(own.id);
    const before = await list('payment', ownKey);
    await former.visitor.delete(`${path}/membership`);
    expect((await list('payment', former.secondKey)).map(({ code }) => code).sort()).toEqual(['card-2', 'cash-2']);
    expect(await list('payment', ownKey)).toEqual(before);
    expect((await next.get(`${path}/payment-types`)).body).toHaveLength(4);
  });

  test('comes back to its first owner without a type twice', async () => {
    const { former, next, path, storeId } = await handedOver();
    await former.visitor.delete(`${path}/membership`);
    const before = await offered('payment', former.secondKey);
    const edit = { storeId, actor: system, now: service.clock.now };
    await changeTeam(service.db, storeId, (tx) => addMember(tx, former.owner, 'owner', edit));
    expect((await next.delete(`${path}/membership`)).status).toBe(204);
    expect(await offered('payment', former.secondKey)).toEqual(before);
    expect((await former.visitor.get(`${path}/payment-types`)).body).toHaveLength(2);
  });

  test('while another member of it is the owner’s partner, stays with the owner', async () => {
    const { former, account, path } = await handedOver();
    expect((await former.visitor.delete(`${path}/members/${account.id}`)).status).toBe(200);
    const made = await former.visitor.post(`${former.path}/payment-types`, { name: 'Shared' });
    expect(await offered('payment', former.secondKey)).toContain(made.body.id);
    expect((await browser(service).get(`${path}/payment-types`)).status).toBe(401);
  });
});
