import { beforeEach, describe, expect, test } from 'vitest';
import { authenticator } from '../../test/authenticator.ts';
import { browser } from '../../test/browser.ts';
import {
  addPasskey,
  afterPassword,
  codesOf,
  ownerWithCodes,
  ownerWithPasskey,
  setUpCodes,
} from '../../test/second-factor.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { sql } from '../db/sql.ts';
import { DAY, MINUTE } from '../time/duration.ts';
import { resetPassword } from './owners.ts';
import { resetSecondFactor } from './second-factor/factors.ts';
import { codeAt } from './second-factor/totp.ts';

const service = await startService();

beforeEach(() => {
  // Long enough that failures of earlier tests no longer count.
  service.clock.now += DAY;
});

const outcome = ({ status, body }: { status: number; body?: { code?: string } }) =>
  body?.code ? `${status} ${body.code}` : String(status);
const historyOf = async (ownerId: string) =>
  (
    await service.db.all<{ action: string; details: string }>(
      sql`select action, details from history where scope_id = ${ownerId} order by created_at, id`,
    )
  ).map(({ action, details }) => ({ action, ...JSON.parse(details) }));

describe('codes', () => {
  test('are those of RFC 6238', () => {
    // Appendix B, SHA-1, the last six of eight digits.
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    const seconds = [59, 1111111109, 1111111111, 1234567890, 2000000000, 20000000000];
    expect(seconds.map((at) => codeAt(secret, Math.floor(at / 30)))).toEqual([
      '287082',
      '081804',
      '050471',
      '005924',
      '279037',
      '353130',
    ]);
  });

  test('are active only after a code was entered, and come with ten recovery codes', async () => {
    const { visitor, owner } = await signedInOwner(service);
    const { body: offer } = await visitor.post('/second-factor/codes');
    expect(offer.uri).toBe(
      `otpauth://totp/Store%20Sales%3A${encodeURIComponent(owner.email)}?secret=${offer.secret}&issuer=Store%20Sales&algorithm=SHA1&digits=6&period=30`,
    );
    const code = codesOf(service, offer.secret);
    expect(outcome(await visitor.put('/second-factor/codes', { token: offer.token, code: code(5) }))).toBe(
      '403 wrong_proof',
    );
    expect((await browser(service).signIn(owner.email)).status).toBe(204);

    const added = await visitor.put('/second-factor/codes', { token: offer.token, code: ` ${code()} ` });
    expect(added.status).toBe(200);
    expect(new Set(added.body.recoveryCodes).size).toBe(10);
    expect(added.body.recoveryCodes[0]).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    expect((await visitor.get('/second-factor')).body).toEqual({
      passkeys: [],
      codesSince: new Date(service.clock.now).toISOString(),
      recoveryCodesLeft: 10,
    });
    expect((await browser(service).signIn(owner.email)).status).toBe(200);
  });

  test('are stored encrypted, recovery codes hashed', async () => {
    const { visitor, owner } = await signedInOwner(service);
    const { body: offer } = await visitor.post('/second-factor/codes');
    const code = codesOf(service, offer.secret)();
    const { body } = await visitor.put('/second-factor/codes', { token: offer.token, code });
    const stored = JSON.stringify([
      await service.db.all(sql`select * from code_generators where owner_id = ${owner.id}`),
      await service.db.all(sql`select * from recovery_codes where owner_id = ${owner.id}`),
      await service.db.all(sql`select * from history where scope_id = ${owner.id}`),
    ]);
    for (const secret of [offer.secret, code, ...body.recoveryCodes]) {
      expect(stored).not.toContain(secret);
      expect(service.lines.join('')).not.toContain(secret);
    }
  });

  test('are not set up with the token of another account, an altered one, or after 15 minutes', async () => {
    const [one, other] = [await signedInOwner(service), await signedInOwner(service)];
    const { body: offer } = await one.visitor.post('/second-factor/codes');
    const code = codesOf(service, offer.secret);
    const confirm = (visitor: typeof one.visitor, token: string) =>
      visitor.put('/second-factor/codes', { token, code: code() });
    expect(outcome(await confirm(other.visitor, offer.token))).toBe('409 offer_expired');
    expect(outcome(await confirm(one.visitor, `${offer.token.slice(0, -2)}AA`))).toBe('409 offer_expired');
    service.clock.now += 15 * MINUTE;
    expect(outcome(await confirm(one.visitor, offer.token))).toBe('409 offer_expired');
  });

  test('of an old secret stop working when codes are set up again', async () => {
    const { visitor, owner, code: old } = await ownerWithCodes(service);
    const { code, recoveryCodes } = await setUpCodes(service, visitor);
    // The recovery codes of before remain.
    expect(recoveryCodes).toBeNull();
    const { prove } = await afterPassword(service, owner.email);
    expect(outcome(await prove({ code: old() }))).toBe('403 wrong_proof');
    expect((await prove({ code: code() })).status).toBe(204);
  });
});

describe('signing in', () => {
  test('needs the code after the password, and the password alone opens nothing', async () => {
    const { owner, code } = await ownerWithCodes(service);
    const { visitor, request, prove } = await afterPassword(service, owner.email);
    expect(request).toEqual({ token: expect.any(String), methods: ['code', 'recovery_code'], passkey: null });
    expect(visitor.jar.size).toBe(0);
    expect((await visitor.get('/stores')).status).toBe(401);
    expect((await prove({ code: code() })).status).toBe(204);
    expect((await visitor.get('/stores')).status).toBe(200);
  });

  test('accepts the codes before and after the current one, and no others', async () => {
    const { owner, code } = await ownerWithCodes(service);
    service.clock.now += MINUTE;
    for (const [steps, status] of [
      [-2, 403],
      [2, 403],
      [-1, 204],
      [1, 204],
    ] as const) {
      const { prove } = await afterPassword(service, owner.email);
      expect((await prove({ code: code(steps) })).status).toBe(status);
    }
  });

  test('refuses a code that was used, and older ones', async () => {
    const { owner, code } = await ownerWithCodes(service);
    const first = await afterPassword(service, owner.email);
    expect((await first.prove({ code: code() })).status).toBe(204);
    for (const steps of [0, -1]) {
      const { prove } = await afterPassword(service, owner.email);
      expect(outcome(await prove({ code: code(steps) }))).toBe('403 wrong_proof');
    }
  });

  test('with one code raced by several requests succeeds once', async () => {
    const { owner, code } = await ownerWithCodes(service);
    const pending = await Promise.all([1, 2, 3, 4].map(() => afterPassword(service, owner.email)));
    const replies = await Promise.all(pending.map(({ prove }) => prove({ code: code() })));
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 403, 403, 403]);
  });

  test('with a recovery code works once, however it is typed, and is in the history', async () => {
    const { owner, recoveryCodes } = await ownerWithCodes(service);
    const [used = ''] = recoveryCodes;
    const typed = used.toUpperCase().replaceAll('-', ' ').replaceAll('O', '0').replaceAll('L', '1');
    const first = await afterPassword(service, owner.email);
    expect((await first.prove({ recoveryCode: typed })).status).toBe(204);
    const second = await afterPassword(service, owner.email);
    expect(outcome(await second.prove({ recoveryCode: used }))).toBe('403 wrong_proof');
    expect(await historyOf(owner.id)).toContainEqual({ action: 'recovery_code_used', left: 9 });
  });

  test('with a recovery code raced by several requests succeeds once', async () => {
    const { owner, recoveryCodes } = await ownerWithCodes(service);
    const pending = await Promise.all([1, 2, 3, 4].map(() => afterPassword(service, owner.email)));
    const replies = await Promise.all(pending.map(({ prove }) => prove({ recoveryCode: recoveryCodes[3] })));
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 403, 403, 403]);
  });

  test('refuses recovery codes of another account and those that were replaced', async () => {
    const [one, other] = [await ownerWithCodes(service), await ownerWithCodes(service)];
    const { body } = await one.visitor.post('/second-factor/recovery-codes');
    expect(body.recoveryCodes).toHaveLength(10);
    const { prove } = await afterPassword(service, one.owner.email);
    for (const recoveryCode of [other.recoveryCodes[0], one.recoveryCodes[0]])
      expect(outcome(await prove({ recoveryCode }))).toBe('403 wrong_proof');
    expect((await prove({ recoveryCode: body.recoveryCodes[0] })).status).toBe(204);
  });

  test('refuses a token that is altered, of another account, expired, used, or older than the password', async () => {
    const [one, other] = [await ownerWithCodes(service), await ownerWithCodes(service)];
    const visitor = browser(service);
    const { request } = await afterPassword(service, one.owner.email);
    const finish = async (token: string, code = one.code()) =>
      outcome(await visitor.post('/session/second-factor', { token, code }));
    const parts = request.token.split('.');
    const altered = [
      [other.owner.id, ...parts.slice(1)],
      [parts[0], String(Number(parts[1]) + 1), ...parts.slice(2)],
      [...parts.slice(0, 2), `${parts[2]}A`, parts[3]],
      [...parts.slice(0, 3), parts[3].replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A'))],
      ['not-an-id', ...parts.slice(1)],
      [...parts, 'more'],
    ];
    for (const each of altered) expect(await finish(each.join('.'), other.code())).toBe('401 sign_in_expired');

    service.clock.now += 5 * MINUTE;
    expect(await finish(request.token)).toBe('401 sign_in_expired');
    const used = await afterPassword(service, one.owner.email);
    expect(await finish(used.request.token)).toBe('204');
    expect(await finish(used.request.token, one.code(1))).toBe('403 wrong_proof');

    const { request: old } = await afterPassword(service, one.owner.email);
    service.clock.now += MINUTE;
    await resetPassword(service.db, one.owner.email, 'battery staple', service.clock.now);
    expect(await finish(old.token)).toBe('401 sign_in_expired');
  });

  test('refuses the token of a verification, and a verification that of a sign-in', async () => {
    const { visitor, owner, code } = await ownerWithCodes(service);
    const { body: verification } = await visitor.post('/session/verify/start');
    const { request } = await afterPassword(service, owner.email);
    const proof = { code: code() };
    expect(outcome(await visitor.post('/session/second-factor', { token: verification.token, ...proof }))).toBe(
      '401 sign_in_expired',
    );
    expect(outcome(await visitor.post('/session/verify', { token: request.token, ...proof }))).toBe(
      '409 offer_expired',
    );
  });

  test('refuses a body with several proofs, none, or the password', async () => {
    const { owner, code } = await ownerWithCodes(service);
    const { prove } = await afterPassword(service, owner.email);
    expect((await prove({ code: code(), recoveryCode: 'x' })).status).toBe(422);
    expect((await prove({})).status).toBe(422);
    expect(outcome(await prove({ password: 'correct horse' }))).toBe('403 wrong_proof');
  });

  test('tells apart a new browser in the history', async () => {
    const { owner, visitor, code } = await ownerWithCodes(service);
    for (const each of [visitor, browser(service)]) {
      service.clock.now += MINUTE;
      const { prove } = await afterPassword(service, owner.email, each);
      expect((await prove({ code: code() })).status).toBe(204);
    }
    const entries = (await historyOf(owner.id)).filter(({ action }) => action === 'signed_in');
    expect(entries.map(({ isNewBrowser }) => isNewBrowser)).toEqual([true, false, true]);
  });
});

describe('a passkey', () => {
  test('signs in after the password', async () => {
    const { owner, device, recoveryCodes } = await ownerWithPasskey(service);
    expect(recoveryCodes).toHaveLength(10);
    const { visitor, request, prove } = await afterPassword(service, owner.email);
    expect(request.methods).toEqual(['passkey', 'recovery_code']);
    expect(request.passkey).toMatchObject({
      rpId: '127.0.0.1',
      userVerification: 'required',
      allowCredentials: [{ id: device.id, type: 'public-key', transports: ['internal'] }],
    });
    expect((await prove({ passkey: device.get(request.passkey) })).status).toBe(204);
    expect((await visitor.get('/second-factor')).body.passkeys).toMatchObject([
      { name: 'Phone', host: '127.0.0.1', lastUsedAt: new Date(service.clock.now).toISOString() },
    ]);
  });

  test.each([1, 0])('with counter %i is refused when the assertion is replayed', async (counter) => {
    const { owner, device } = await ownerWithPasskey(service);
    await service.db.run(sql`update passkeys set counter = ${counter} where owner_id = ${owner.id}`);
    device.counter = counter;
    const first = await afterPassword(service, owner.email);
    const passkey = device.get(first.request.passkey);
    const replies = await Promise.all([first.prove({ passkey }), first.prove({ passkey })]);
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 403]);
    expect(outcome(await first.prove({ passkey }))).toBe('403 wrong_proof');
    // The challenge of another sign-in is another one.
    const second = await afterPassword(service, owner.email);
    expect(outcome(await second.prove({ passkey }))).toBe('403 wrong_proof');
  });

  test('is refused when its counter does not increase', async () => {
    const { owner, device } = await ownerWithPasskey(service);
    device.counter = 10;
    const first = await afterPassword(service, owner.email);
    expect((await first.prove({ passkey: device.get(first.request.passkey) })).status).toBe(204);
    for (const counter of [5, 10]) {
      device.counter = counter;
      const { request, prove } = await afterPassword(service, owner.email);
      expect(outcome(await prove({ passkey: device.get(request.passkey) }))).toBe('403 wrong_proof');
    }
  });

  test('is refused from another origin, for another host, and without user verification', async () => {
    const { owner, device } = await ownerWithPasskey(service);
    const attempt = async (change: () => void, host = '127.0.0.1', headers?: Record<string, string>) => {
      const { request } = await afterPassword(service, owner.email);
      Object.assign(device, { origin: service.url, flags: 5 });
      change();
      const passkey = device.get({ challenge: request.passkey.challenge, rpId: host });
      const body = { token: request.token, passkey };
      return outcome(await browser(service).send('POST', '/session/second-factor', body, headers));
    };
    const evil = 'https://evil.example';
    expect(await attempt(() => Object.assign(device, { origin: evil }))).toBe('403 wrong_proof');
    expect(await attempt(() => {}, 'evil.example')).toBe('403 wrong_proof');
    // Someone who relays what a person signed on another site can send any header.
    const forged = { origin: evil, host: 'evil.example' };
    expect(await attempt(() => Object.assign(device, { origin: evil }), 'evil.example', forged)).toMatch(/^403/);
    expect(await attempt(() => Object.assign(device, { flags: 1 }))).toBe('403 wrong_proof');
    expect(await attempt(() => {})).toBe('204');
  });

  test('of another account, or removed meanwhile, is refused', async () => {
    const [one, other] = [await ownerWithPasskey(service), await ownerWithPasskey(service)];
    const { request, prove } = await afterPassword(service, one.owner.email);
    expect(outcome(await prove({ passkey: other.device.get(request.passkey) }))).toBe('403 wrong_proof');
    // With the id of the other one's passkey, the signature does not match.
    const stolen = { ...other.device.get(request.passkey), id: one.device.id };
    expect(outcome(await prove({ passkey: stolen }))).toBe('403 wrong_proof');
    await setUpCodes(service, one.visitor);
    await one.visitor.delete(`/second-factor/passkeys/${one.passkeyId}`);
    expect(outcome(await prove({ passkey: one.device.get(request.passkey) }))).toBe('403 wrong_proof');
  });

  test('is added once, with the challenge, origin and session that it was offered to', async () => {
    const [one, other] = [await signedInOwner(service), await signedInOwner(service)];
    const { body: offer } = await one.visitor.post('/second-factor/passkeys/start');
    const add = async (visitor: typeof one.visitor, body: object) =>
      outcome(await visitor.post('/second-factor/passkeys', body));
    const device = authenticator(service.url);
    expect(await add(other.visitor, device.create(offer))).toBe('409 offer_expired');
    expect(await add(one.visitor, authenticator('https://evil.example').create(offer))).toBe('403 wrong_proof');
    const wrongChallenge = { ...offer, options: { ...offer.options, challenge: 'AAAA' } };
    expect(await add(one.visitor, device.create(wrongChallenge))).toBe('403 wrong_proof');
    expect(await add(one.visitor, { ...device.create(offer), attestationObject: 'AAAA' })).toBe('403 wrong_proof');
    expect(await add(one.visitor, device.create(offer))).toBe('201');
    expect(await add(one.visitor, authenticator(service.url).create(offer))).toBe('403 wrong_proof');
    service.clock.now += 5 * MINUTE;
    expect(await add(one.visitor, device.create(offer))).toBe('409 offer_expired');
    expect((await one.visitor.get('/second-factor')).body.passkeys).toHaveLength(1);
  });

  test('cannot be added without limit', async () => {
    const { visitor } = await signedInOwner(service);
    for (let count = 0; count < 20; count++) await addPasskey(service, visitor);
    expect(outcome(await visitor.post('/second-factor/passkeys/start'))).toBe('409 limit_reached');
  });
});

describe('removing a factor', () => {
  test('the last one takes the recovery codes along, and is in the history', async () => {
    const { visitor, owner } = await ownerWithCodes(service);
    const { passkeyId, recoveryCodes } = await addPasskey(service, visitor);
    expect(recoveryCodes).toBeNull();
    expect((await visitor.delete('/second-factor/codes')).body).toMatchObject({
      codesSince: null,
      recoveryCodesLeft: 10,
    });
    expect(outcome(await visitor.delete('/second-factor/codes'))).toBe('404 not_found');
    const { body } = await visitor.delete(`/second-factor/passkeys/${passkeyId}`);
    expect(body).toEqual({ passkeys: [], codesSince: null, recoveryCodesLeft: 0 });
    expect((await browser(service).signIn(owner.email)).status).toBe(204);
    expect(outcome(await visitor.post('/second-factor/recovery-codes'))).toBe('409 second_factor_missing');
    const entries = (await historyOf(owner.id)).filter(({ action }) => action.startsWith('second_factor'));
    expect(entries).toEqual([
      { action: 'second_factor_added', factor: 'codes' },
      { action: 'second_factor_added', factor: 'passkey' },
      { action: 'second_factor_removed', factor: 'codes' },
      { action: 'second_factor_removed', factor: 'passkey', name: 'Phone' },
    ]);
  });

  test('of another account is not possible', async () => {
    const [one, other] = [await ownerWithPasskey(service), await ownerWithPasskey(service)];
    for (const id of [other.passkeyId, 'x'])
      expect(outcome(await one.visitor.delete(`/second-factor/passkeys/${id}`))).toBe('404 not_found');
  });

  test('by the operator ends all sessions, and the password signs in', async () => {
    const { visitor, owner } = await ownerWithCodes(service);
    await addPasskey(service, visitor);
    await resetSecondFactor(service.db, owner.email, service.clock.now);
    expect((await visitor.get('/stores')).status).toBe(401);
    expect((await visitor.signIn(owner.email)).status).toBe(204);
    expect(await historyOf(owner.id)).toContainEqual({ action: 'second_factor_reset' });
  });
});

describe('guessing is rate-limited', async () => {
  const proxied = await startService({ env: { TRUST_PROXY: '1' } });
  const from = (address: string) => browser(proxied, { origin: proxied.url, 'x-forwarded-for': address });
  beforeEach(() => {
    proxied.clock.now += DAY;
  });

  test('by client, for codes, recovery codes and passkeys together', async () => {
    const { owner } = await ownerWithCodes(proxied);
    const { prove } = await afterPassword(proxied, owner.email, from('192.0.2.1'));
    const wrong = [
      { code: '000000' },
      { recoveryCode: 'aaaa' },
      { passkey: authenticator(proxied.url).get({ challenge: 'AA', rpId: 'x' }) },
    ];
    for (const proof of [...wrong, wrong[0], wrong[1]]) expect((await prove(proof as object)).status).toBe(403);
    const refused = await prove(wrong[0] as object);
    expect([outcome(refused), refused.headers.get('retry-after')]).toEqual(['429 too_many_attempts', '5']);
  });

  test('by account over all clients, but not in a browser that the owner has used', async () => {
    const { owner, code, visitor: known } = await ownerWithCodes(proxied);
    for (let count = 0; count < 10; count++) {
      const { prove } = await afterPassword(proxied, owner.email, from(`192.0.2.${count}`));
      expect(outcome(await prove({ code: '000000' }))).toBe('403 wrong_proof');
    }
    const elsewhere = await afterPassword(proxied, owner.email, from('198.51.100.1'));
    expect(outcome(await elsewhere.prove({ code: code() }))).toBe('429 too_many_attempts');
    const { prove } = await afterPassword(proxied, owner.email, known);
    expect((await prove({ code: code() })).status).toBe(204);
  });

  test('but passkeys and recovery codes work in a new browser while codes are guessed', async () => {
    const { owner, device, visitor, recoveryCodes } = await ownerWithPasskey(proxied);
    await setUpCodes(proxied, visitor);
    for (let count = 0; count < 10; count++)
      await (await afterPassword(proxied, owner.email, from(`192.0.2.${count}`))).prove({ code: '000000' });
    const { request, prove } = await afterPassword(proxied, owner.email, from('198.51.100.1'));
    expect((await prove({ passkey: device.get(request.passkey) })).status).toBe(204);
    const other = await afterPassword(proxied, owner.email, from('198.51.100.2'));
    expect((await other.prove({ recoveryCode: recoveryCodes[0] })).status).toBe(204);
  });

  test('for codes of an account over a day, in which few can be tried', async () => {
    const { owner } = await ownerWithCodes(proxied);
    const end = proxied.clock.now + DAY;
    let tried = 0;
    for (let client = 0; proxied.clock.now < end; client++) {
      const { prove } = await afterPassword(proxied, owner.email, from(`10.0.0.${client}`));
      const { status, headers } = await prove({ code: '000000' });
      if (status === 403) tried++;
      else proxied.clock.now += Number(headers.get('retry-after')) * 1000;
    }
    expect(tried).toBeLessThan(50);
  });

  test('also when the guesses are concurrent', async () => {
    const { owner } = await ownerWithCodes(proxied);
    const { prove } = await afterPassword(proxied, owner.email, from('192.0.2.1'));
    const replies = await Promise.all(Array.from({ length: 8 }, () => prove({ code: '000000' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([403, 403, 403, 403, 403, 429, 429, 429]);
  });
});
