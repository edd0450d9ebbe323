import { describe, expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { signedInMember } from '../../test/member.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { DAY } from '../time/duration.ts';

const service = await startService();
let serial = 0;
const newEmail = () => `member${++serial}@example.com`;

/** An owner who has invited someone, and the token of the link. */
async function invited(role = 'manager', email = newEmail()) {
  const owner = await signedInOwner(service);
  const { status, body } = await owner.visitor.post(`${owner.path}/invitations`, { email, role });
  expect(status).toBe(201);
  const [address, token = ''] = (body.link as string).split('#');
  expect(address).toBe(`${service.url}/console/invitation`);
  return { ...owner, email, token, invitationId: body.team.invitations[0].id as string };
}

const join = (token: string, visitor = browser(service)) =>
  visitor.post('/invitation/account', { token, name: 'Boris', password: 'a long password' });

describe('an invitation', () => {
  test('shows the store, makes an account, signs it in, and works once', async () => {
    const { visitor, store, storeId, path, email, token } = await invited();
    const guest = browser(service);
    expect((await guest.post('/invitation', { token })).body).toEqual({
      storeName: store.name,
      email,
      role: 'manager',
      hasAccount: false,
    });
    service.clock.now += 1000;
    expect((await join(token, guest)).body).toEqual({ storeId });
    expect((await guest.get('/stores')).body).toMatchObject([{ id: storeId, role: 'manager' }]);
    expect((await guest.get('/session')).body.account).toMatchObject({ email, name: 'Boris', mayCreateStores: false });
    const { body: team } = await visitor.get(`${path}/members`);
    expect(team.members.map(({ name, role }: any) => `${name} ${role}`)).toEqual(['Owner owner', 'Boris manager']);
    expect(team.invitations).toEqual([]);

    for (const again of [await join(token), await browser(service).post('/invitation', { token })])
      expect([again.status, again.body.code]).toEqual([404, 'invitation_invalid']);
    const { body: history } = await visitor.get(`${path}/history?kind=members`);
    expect(history.entries.map((entry: any) => `${entry.actor.name} ${entry.action} ${entry.subject.name}`)).toEqual([
      `Boris joined ${email}`,
      `Owner invited ${email}`,
    ]);
    const created = await guest.post('/stores', { name: 'Mine', currency: 'RUB', timezone: 'Europe/Moscow' });
    expect([created.status, created.body.code]).toEqual([403, 'role_required']);
  });

  test('is accepted by an account with its e-mail address, and by no other', async () => {
    const { owner: guest, visitor: guestVisitor } = await signedInOwner(service);
    const { storeId, token } = await invited('integrator', guest.email.toUpperCase());
    expect((await browser(service).post('/invitation', { token })).body.hasAccount).toBe(true);
    const other = await signedInOwner(service);
    const refused = await other.visitor.post('/invitation/accept', { token });
    expect([refused.status, refused.body.code]).toEqual([403, 'invitation_for_another']);
    expect((await browser(service).post('/invitation/accept', { token })).status).toBe(401);
    // The address has an account already: its password is not replaced.
    expect((await join(token)).body.code).toBe('name_taken');
    expect((await guestVisitor.post('/invitation/accept', { token })).body).toEqual({ storeId });
    expect((await guestVisitor.get('/stores')).body.map(({ role }: any) => role).sort()).toEqual([
      'integrator',
      'owner',
    ]);
  });

  test('expired, altered, withdrawn, replaced or of another store is refused', async () => {
    const { visitor, path, token, invitationId, email } = await invited();
    const [storeId = '', secret = ''] = token.split('.');
    const other = await signedInOwner(service);
    const wrong = [`${storeId}.${secret.slice(0, -1)}`, `${other.storeId}.${secret}`, secret, storeId, '.', 'x'];
    for (const each of wrong) expect((await join(each)).body.code).toBe('invitation_invalid');

    const { body } = await visitor.post(`${path}/invitations/${invitationId}/renew`);
    const renewed = body.link.split('#')[1];
    expect((await join(token)).body.code).toBe('invitation_invalid');
    // The same address again, with another role.
    const again = await visitor.post(`${path}/invitations`, { email: ` ${email.toUpperCase()} `, role: 'viewer' });
    expect(again.body.team.invitations).toHaveLength(1);
    expect((await join(renewed)).body.code).toBe('invitation_invalid');
    const latest = again.body.link.split('#')[1];
    expect((await browser(service).post('/invitation', { token: latest })).body.role).toBe('viewer');
    service.clock.now += 7 * DAY;
    expect((await join(latest)).body.code).toBe('invitation_invalid');
    const id = again.body.team.invitations[0].id;
    await visitor.verify();
    const last = (await visitor.post(`${path}/invitations/${id}/renew`)).body.link.split('#')[1];
    const { body: team } = await visitor.get(`${path}/members`);
    expect((await visitor.delete(`${path}/invitations/${team.invitations[0].id}`)).body.invitations).toEqual([]);
    expect((await join(last)).body.code).toBe('invitation_invalid');
  });

  test('opened by two clicks at once makes one account', async () => {
    const { visitor, path, token } = await invited();
    const replies = await Promise.all([join(token), join(token), join(token)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect((await visitor.get(`${path}/members`)).body.members).toHaveLength(2);
  });

  test('names the field that is wrong, and refuses a member', async () => {
    const { visitor, path, owner } = await signedInOwner(service);
    const invite = async (email: string, role: string) => {
      const { status, body } = await visitor.post(`${path}/invitations`, { email, role });
      return [status, body.errors?.[0]?.pointer];
    };
    expect(await invite('no address', 'viewer')).toEqual([422, '/email']);
    expect(await invite('a@b\r\nBcc: c@d', 'viewer')).toEqual([422, '/email']);
    expect(await invite(newEmail(), 'admin')).toEqual([422, '/role']);
    expect(await invite(owner.email.toUpperCase(), 'viewer')).toEqual([422, '/email']);
  });
});

describe('a member', () => {
  test('is removed: all sessions end at once', async () => {
    const { visitor, path, storeId } = await signedInOwner(service);
    const { account, visitor: member } = await signedInMember(service, storeId, 'manager');
    const elsewhere = browser(service);
    await elsewhere.signIn(account.email);
    expect((await member.get(`${path}/orders`)).status).toBe(200);
    const { body: team } = await visitor.delete(`${path}/members/${account.id}`);
    expect(team.members).toHaveLength(1);
    for (const each of [member, elsewhere]) expect((await each.get(`${path}/orders`)).status).toBe(401);
    await member.signIn(account.email);
    expect((await member.get(`${path}/orders`)).status).toBe(404);
    expect((await visitor.delete(`${path}/members/${account.id}`)).status).toBe(404);
  });

  test('has a changed role from the next request on', async () => {
    const { visitor, path, storeId } = await signedInOwner(service);
    const { account, visitor: member } = await signedInMember(service, storeId, 'viewer');
    expect((await member.post(`${path}/warehouses`, { name: 'North' })).body.code).toBe('role_required');
    await visitor.patch(`${path}/members/${account.id}`, { role: 'manager' });
    expect((await member.post(`${path}/warehouses`, { name: 'North' })).status).toBe(201);
    await visitor.patch(`${path}/members/${account.id}`, { role: 'viewer' });
    expect((await member.post(`${path}/warehouses`, { name: 'South' })).body.code).toBe('role_required');
  });

  test('leaves a store and stays signed in', async () => {
    const { path, storeId } = await signedInOwner(service);
    const { visitor: member } = await signedInMember(service, storeId, 'viewer');
    expect((await member.delete(`${path}/membership`)).status).toBe(204);
    expect((await member.get('/stores')).body).toEqual([]);
  });

  test('that is the last owner stays one, also when two go at once', async () => {
    const { owner, visitor, path, storeId } = await signedInOwner(service);
    const refused = [
      await visitor.delete(`${path}/members/${owner.id}`),
      await visitor.delete(`${path}/membership`),
      await visitor.patch(`${path}/members/${owner.id}`, { role: 'manager' }),
    ];
    for (const { status, body } of refused) expect([status, body.code]).toEqual([409, 'last_owner']);
    const second = await signedInMember(service, storeId, 'owner');
    const both = await Promise.all([visitor, second.visitor].map((each) => each.delete(`${path}/membership`)));
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  test('is named in the history and in the timeline of an order', async () => {
    const { visitor, path, storeId } = await signedInOwner(service);
    const { account, visitor: member } = await signedInMember(service, storeId, 'manager');
    await member.patch('/profile', { name: 'Vera' });
    const { body: product } = await member.post(`${path}/products`, { name: 'Tea', price: 100, sku: 'T' });
    const { body: created } = await member.post(`${path}/orders`, { items: [{ productId: product.id, quantity: 1 }] });
    const { body: order } = await visitor.get(`${path}/orders/${created.order.id}`);
    expect(JSON.stringify(order.timeline)).toContain('Vera');
    const { body: history } = await visitor.get(`${path}/history?actor=${account.id}`);
    expect(history.entries[0]).toMatchObject({ actor: { name: 'Vera', id: account.id }, action: 'created' });
  });

  test('sees their own sign-ins in the history, not those of others', async () => {
    const { owner, path, storeId } = await signedInOwner(service);
    const { account, visitor: member } = await signedInMember(service, storeId, 'viewer');
    const { body } = await member.get(`${path}/history?kind=account`);
    const names = body.entries.map((entry: any) => entry.subject.name);
    expect(names).toContain(account.email);
    expect(names).not.toContain(owner.email);
  });
});

test('a store has a limited number of members and invitations', async () => {
  const { visitor, path } = await signedInOwner(service);
  const invite = () => visitor.post(`${path}/invitations`, { email: newEmail(), role: 'viewer' });
  for (let count = 1; count < 100; count++) expect((await invite()).status).toBe(201);
  const { status, body } = await invite();
  expect([status, body.code, body.params]).toEqual([409, 'limit_reached', { limit: 'members', max: 100 }]);
});
