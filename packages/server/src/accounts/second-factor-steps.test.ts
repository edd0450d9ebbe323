import { type ConsoleEndpoint, consoleEndpoints, roles } from '@store-sales/contract/console';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Browser, browser } from '../../test/browser.ts';
import { signedInMember } from '../../test/member.ts';
import { addPasskey, ownerWithCodes, ownerWithPasskey, setUpCodes } from '../../test/second-factor.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { uuid } from '../db/uuid.ts';
import { DAY, MINUTE } from '../time/duration.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });

beforeEach(() => {
  // Long enough that failures of earlier tests no longer count.
  service.clock.now += DAY;
});

const table = Object.entries(consoleEndpoints as Record<string, ConsoleEndpoint>).map(([route, row]) => {
  const [method = '', template = ''] = route.split(' ');
  return { route, method, template, ...row };
});
const outcome = ({ status, body }: { status: number; body?: { code?: string } }) =>
  body?.code ? `${status} ${body.code}` : String(status);
const pathIn = (template: string, storeId: string) =>
  template.replace('{storeId}', storeId).replace(/\{\w+\}/g, () => uuid(service.clock.now));

async function verify(visitor: Browser, proof: object | ((request: any) => object)) {
  const { body: request } = await visitor.post('/session/verify/start');
  const given = typeof proof === 'function' ? proof(request) : proof;
  return visitor.post('/session/verify', { token: request.token, ...given });
}

describe('step-up', () => {
  test('protects what shows secrets, changes the team or the second factor', () => {
    expect(table.filter(({ stepUp }) => stepUp).map(({ route }) => route)).toEqual([
      'POST /second-factor/codes',
      'PUT /second-factor/codes',
      'DELETE /second-factor/codes',
      'POST /second-factor/passkeys/start',
      'POST /second-factor/passkeys',
      'DELETE /second-factor/passkeys/{passkeyId}',
      'POST /second-factor/recovery-codes',
      'PUT /stores/{storeId}/second-factor',
      'PATCH /stores/{storeId}/members/{accountId}',
      'DELETE /stores/{storeId}/members/{accountId}',
      'POST /stores/{storeId}/invitations',
      'POST /stores/{storeId}/invitations/{invitationId}/renew',
      'POST /stores/{storeId}/keys',
      'POST /stores/{storeId}/webhooks',
      'POST /stores/{storeId}/webhooks/{endpointId}/rotate',
    ]);
  });

  test.each(table.filter(({ stepUp }) => stepUp))(
    '$route is refused 15 minutes after the sign-in, with and without a factor',
    async ({ method, template }) => {
      for (const { visitor, storeId } of [await signedInOwner(service), await ownerWithCodes(service)]) {
        service.clock.now += 15 * MINUTE + 1;
        expect(outcome(await visitor.send(method, pathIn(template, storeId)))).toBe('403 verification_required');
      }
    },
  );

  test('no other row asks for it', async () => {
    const { visitor, storeId } = await ownerWithCodes(service);
    service.clock.now += DAY;
    const others = table.filter(({ stepUp, route }) => !stepUp && !route.endsWith('/changes'));
    for (const { method, template, access } of others)
      if (access !== 'anyone' && !template.startsWith('/sessions') && !template.endsWith('/membership'))
        expect(outcome(await visitor.send(method, pathIn(template, storeId)))).not.toBe('403 verification_required');
  });

  test('protects a change of the address of an endpoint, not of its events', async () => {
    const { visitor, path, code } = await ownerWithCodes(service);
    const url = 'http://127.0.0.1:1/hook';
    const { body: created } = await visitor.post(`${path}/webhooks`, { url, events: ['order.created'] });
    service.clock.now += 15 * MINUTE + 1;
    const change = async (body: object) => outcome(await visitor.patch(`${path}/webhooks/${created.id}`, body));
    expect(await change({ events: ['order.status_changed'] })).toBe('200');
    expect(await change({ url, events: ['order.created'] })).toBe('200');
    expect(await change({ url: 'http://127.0.0.1:1/other', events: ['order.status_changed'] })).toBe(
      '403 verification_required',
    );
    const { body } = await visitor.get(`${path}/webhooks/${created.id}`);
    expect([body.url, body.events]).toEqual([url, ['order.created']]);
    expect((await verify(visitor, { code: code() })).status).toBe(204);
    expect(await change({ url: 'http://127.0.0.1:1/other' })).toBe('200');
  });

  test('a sign-in counts for 15 minutes, a verification too', async () => {
    const { visitor, path, code } = await ownerWithCodes(service);
    const invite = async () =>
      outcome(await visitor.post(`${path}/invitations`, { email: 'new@example.com', role: 'viewer' }));
    service.clock.now += 14 * MINUTE;
    expect(await invite()).toBe('201');
    service.clock.now += 2 * MINUTE;
    expect(await invite()).toBe('403 verification_required');
    expect((await verify(visitor, { code: code() })).status).toBe(204);
    service.clock.now += 15 * MINUTE;
    expect(await invite()).toBe('201');
    service.clock.now += 1;
    expect(await invite()).toBe('403 verification_required');
  });

  test('works with a passkey, a code and a recovery code, each once; not with the password', async () => {
    const { visitor, device, recoveryCodes } = await ownerWithPasskey(service);
    const { code } = await setUpCodes(service, visitor);
    const signed = { passkey: {} };
    const passkey = (request: any) => {
      signed.passkey = device.get(request.passkey);
      return signed;
    };
    expect((await verify(visitor, passkey)).status).toBe(204);
    expect(outcome(await verify(visitor, signed))).toBe('403 wrong_proof');
    for (const proof of [{ code: code() }, { recoveryCode: recoveryCodes[0] }]) {
      expect((await verify(visitor, proof)).status).toBe(204);
      expect(outcome(await verify(visitor, proof))).toBe('403 wrong_proof');
    }
    expect(outcome(await verify(visitor, { password: 'correct horse' }))).toBe('403 wrong_proof');
  });

  test('works with the password for an account without a factor', async () => {
    const { visitor } = await signedInOwner(service);
    service.clock.now += DAY;
    const { body } = await visitor.post('/session/verify/start');
    expect(body).toEqual({ token: expect.any(String), methods: ['password'], passkey: null });
    expect(outcome(await verify(visitor, { password: 'wrong horse' }))).toBe('403 wrong_proof');
    expect((await verify(visitor, { password: 'correct horse' })).status).toBe(204);
    expect((await visitor.post('/second-factor/codes')).status).toBe(200);
  });

  test('counts for one session: another one, and another person, verify by themselves', async () => {
    const { visitor, owner, code } = await ownerWithCodes(service);
    const other = browser(service);
    const { body: request } = await other.signIn(owner.email);
    await other.post('/session/second-factor', { token: request.token, code: code() });
    service.clock.now += DAY;
    const { body: started } = await visitor.post('/session/verify/start');
    const proof = { token: started.token, code: code() };
    expect(outcome(await other.post('/session/verify', proof))).toBe('409 offer_expired');
    expect((await visitor.post('/session/verify', proof)).status).toBe(204);
    expect((await visitor.post('/second-factor/recovery-codes')).status).toBe(200);
    expect(outcome(await other.post('/second-factor/recovery-codes'))).toBe('403 verification_required');
  });

  test('the first factor makes the other sessions verify again', async () => {
    const { visitor, owner } = await signedInOwner(service);
    const other = browser(service);
    await other.signIn(owner.email);
    await addPasskey(service, visitor);
    expect(outcome(await other.post('/second-factor/codes'))).toBe('403 verification_required');
    expect((await visitor.post('/second-factor/codes')).status).toBe(200);
  });

  test('a token ends after five minutes, and five wrong proofs make the session wait', async () => {
    const { visitor, code } = await ownerWithCodes(service);
    const { body: request } = await visitor.post('/session/verify/start');
    service.clock.now += 5 * MINUTE;
    expect(outcome(await visitor.post('/session/verify', { token: request.token, code: code() }))).toBe(
      '409 offer_expired',
    );
    for (let count = 0; count < 5; count++)
      expect(outcome(await verify(visitor, { code: '000000' }))).toBe('403 wrong_proof');
    expect(outcome(await verify(visitor, { code: code() }))).toBe('429 too_many_attempts');
    service.clock.now += 5_000;
    expect((await verify(visitor, { code: code() })).status).toBe(204);
  });
});

describe('a store that requires a second factor', () => {
  test('is closed, on every row and for every role, to members without one', async () => {
    const { visitor: owner, path, storeId } = await ownerWithCodes(service);
    const members = await Promise.all(roles.map((role) => signedInMember(service, storeId, role)));
    const { body } = await owner.put(`${path}/second-factor`, { isRequired: true });
    expect(body.requiresSecondFactor).toBe(true);
    for (const { visitor } of members)
      for (const { method, template } of table.filter(
        ({ access, needsNoFactor }) => Array.isArray(access) && !needsNoFactor,
      ))
        expect(outcome(await visitor.send(method, pathIn(template, storeId)))).toBe('403 second_factor_required');
    const [{ visitor: member }] = members as [(typeof members)[number]];
    expect((await member.get('/stores')).body).toMatchObject([{ id: storeId, requiresSecondFactor: true }]);
    await addPasskey(service, member);
    expect((await member.get(`${path}/orders`)).status).toBe(200);
    expect((await owner.get(`${path}/orders`)).status).toBe(200);
    const team = (await owner.get(`${path}/members`)).body.members as { id: string; hasSecondFactor: boolean }[];
    expect(team.filter(({ hasSecondFactor }) => hasSecondFactor)).toHaveLength(2);
  });

  test('lets members without one leave', async () => {
    const { visitor: owner, path, storeId } = await ownerWithCodes(service);
    const { visitor: member } = await signedInMember(service, storeId, 'viewer');
    await owner.put(`${path}/second-factor`, { isRequired: true });
    expect(outcome(await member.send('DELETE', `${path}/membership`))).toBe('204');
    expect((await member.get('/stores')).body).toEqual([]);
  });

  test('is switched by an owner who has one, and the switch is in the history', async () => {
    const { visitor, path, storeId } = await signedInOwner(service);
    const put = async (by: Browser, isRequired: boolean) =>
      outcome(await by.put(`${path}/second-factor`, { isRequired }));
    expect(await put(visitor, true)).toBe('409 second_factor_missing');
    const { visitor: manager } = await signedInMember(service, storeId, 'manager');
    expect(await put(manager, true)).toBe('403 role_required');
    await setUpCodes(service, visitor);
    service.clock.now += 1000;
    for (const isRequired of [true, true, false]) expect(await put(visitor, isRequired)).toBe('200');
    const { body } = await visitor.get(`${path}/history?kind=store`);
    expect(body.entries.map(({ details }: { details: object }) => details)).toEqual(
      expect.arrayContaining([{ requiresSecondFactor: [false, true] }, { requiresSecondFactor: [true, false] }]),
    );
    expect((await manager.get(`${path}/orders`)).status).toBe(200);
  });

  test('does not concern strangers, who learn nothing', async () => {
    const { visitor, path } = await ownerWithCodes(service);
    await visitor.put(`${path}/second-factor`, { isRequired: true });
    const { visitor: stranger } = await signedInOwner(service);
    expect(outcome(await stranger.get(`${path}/orders`))).toBe('404 not_found');
  });
});

test('sessions show the address of the sign-in', async () => {
  const { visitor } = await signedInOwner(service);
  expect((await visitor.get('/sessions')).body).toMatchObject([{ address: '127.0.0.1', isCurrent: true }]);
});
