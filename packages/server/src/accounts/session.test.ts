import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { startService } from '../../test/service.ts';
import { sql } from '../db/sql.ts';
import { DAY, MINUTE } from '../time/duration.ts';

const service = await startService();
const proxied = await startService({ env: { TRUST_PROXY: '1' } });

beforeEach(() => {
  // Long enough that failures of earlier tests no longer count.
  service.clock.now += DAY;
});

const tokenOf = (visitor: ReturnType<typeof browser>) => visitor.jar.get('session') as string;

describe('signing in', () => {
  test('with the right password opens a session', async () => {
    const owner = await service.owner();
    const visitor = browser(service);
    expect((await visitor.get('/session')).body).toEqual({ setupNeeded: false, account: null, mailEnabled: false });
    const reply = await visitor.signIn(` ${owner.email.toUpperCase()} `);
    expect(reply.status).toBe(204);
    expect((await visitor.get('/session')).body).toEqual({
      setupNeeded: false,
      mailEnabled: false,
      account: { id: owner.id, email: owner.email, name: 'Owner', language: '', mayCreateStores: true },
    });
  });

  test('an unknown e-mail and a wrong password get the same response', async () => {
    const owner = await service.owner();
    const visitor = browser(service);
    const wrong = await visitor.signIn(owner.email, 'wrong horse');
    const unknown = await visitor.signIn('nobody@example.test');
    expect(wrong.status).toBe(401);
    expect(wrong.body.code).toBe('wrong_credentials');
    expect(wrong.headers.get('www-authenticate')).toBeNull();
    const { requestId: _1, ...first } = wrong.body;
    const { requestId: _2, ...second } = unknown.body;
    expect([unknown.status, second]).toEqual([401, first]);
    expect(visitor.jar.size).toBe(0);
  });

  test('an unknown e-mail takes as much work as a wrong password', async () => {
    const owner = await service.owner();
    const visitor = browser(service);
    // Processor time, because the time that passes depends on how busy the machine is.
    const work = async (email: string) => {
      const before = process.cpuUsage();
      for (let count = 0; count < 4; count++) await visitor.signIn(email, 'wrong horse');
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const known = await work(owner.email);
    // Without hashing a decoy it would be about a thirtieth.
    expect(await work('nobody-else@example.test')).toBeGreaterThan(known / 3);
  });

  test('the cookie is not readable by scripts or sent by other sites, and lasts 30 days', async () => {
    const owner = await service.owner();
    const [line] = (await browser(service).signIn(owner.email)).headers.getSetCookie();
    expect(line).toMatch(/^session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('only a hash of the token is stored', async () => {
    const owner = await service.owner();
    const visitor = browser(service);
    await visitor.signIn(owner.email);
    const token = tokenOf(visitor);
    const rows = await service.db.all<{ token_hash: string }>(
      sql`select token_hash from sessions where owner_id = ${owner.id}`,
    );
    expect(rows).toEqual([{ token_hash: createHash('sha256').update(token).digest('base64url') }]);
    expect(service.lines.join('')).not.toContain(token);
  });

  test.each([
    ['no password', { email: 'a@b.c' }, '/password'],
    ['an unknown field', { email: 'a@b.c', password: 'x', admin: true }, '/admin'],
  ])('%s is reported at its field', async (_name, body, pointer) => {
    const reply = await browser(service).post('/session', body);
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, pointer]);
  });
});

describe('guessing is rate-limited', () => {
  test('by client and e-mail: five are free, then the wait doubles, and the right password waits too', async () => {
    const owner = await service.owner();
    const visitor = browser(service);
    for (let count = 0; count < 5; count++) expect((await visitor.signIn(owner.email, 'wrong horse')).status).toBe(401);
    const rejected = await visitor.signIn(owner.email);
    expect([rejected.status, rejected.body.code]).toEqual([429, 'too_many_attempts']);
    expect(rejected.headers.get('retry-after')).toBe('5');

    service.clock.now += 5_000;
    expect((await visitor.signIn(owner.email, 'wrong horse')).status).toBe(401);
    expect((await visitor.signIn(owner.email)).headers.get('retry-after')).toBe('10');
    service.clock.now += 9_999;
    expect((await visitor.signIn(owner.email)).status).toBe(429);
    service.clock.now += 1;
    expect((await visitor.signIn(owner.email)).status).toBe(204);
    expect((await visitor.signIn(owner.email, 'wrong horse')).status).toBe(401);
  });

  test('an unknown e-mail is limited in the same way', async () => {
    const visitor = browser(service);
    for (let count = 0; count < 5; count++) await visitor.signIn('ghost@example.test');
    expect((await visitor.signIn('ghost@example.test')).headers.get('retry-after')).toBe('5');
  });

  test('concurrent guesses count', async () => {
    const { email } = await service.owner();
    const visitor = browser(service);
    const replies = await Promise.all(Array.from({ length: 8 }, () => visitor.signIn(email, 'wrong horse')));
    expect(replies.map(({ status }) => status).sort()).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  });

  test('by network, across e-mails, with a higher limit; 15 minutes without failures reset all', async () => {
    const owner = await service.owner();
    const visitor = browser(service);
    for (let count = 0; count < 50; count++)
      expect((await visitor.signIn(`guess${count}@example.test`)).status).toBe(401);
    expect((await visitor.signIn(owner.email)).headers.get('retry-after')).toBe('5');
    service.clock.now += 15 * MINUTE;
    expect((await visitor.signIn(owner.email)).status).toBe(204);
  });

  test('many failures from one network cause a wait of at most a minute', async () => {
    const visitor = browser(service);
    for (let count = 0; count < 56; count++) {
      service.clock.now += MINUTE;
      expect((await visitor.signIn(`guess${count}@example.test`)).status).toBe(401);
    }
    expect((await visitor.signIn('new@example.test')).headers.get('retry-after')).toBe('60');
  });
});

describe('an owner is not locked out by others', () => {
  const from = (address: string) => browser(proxied, { origin: proxied.url, 'x-forwarded-for': address });
  const fail = async (visitor: ReturnType<typeof browser>, email: string, count: number) => {
    const statuses = [];
    for (let index = 0; index < count; index++) statuses.push((await visitor.signIn(email, 'wrong horse')).status);
    return statuses;
  };

  test('failures from one network do not block the e-mail in another', async () => {
    const owner = await proxied.owner();
    expect((await fail(from('192.0.2.1'), owner.email, 6)).at(-1)).toBe(429);
    expect((await from('192.0.2.2').signIn(owner.email)).status).toBe(204);
  });

  test('addresses of one IPv6 /64 count as one', async () => {
    const owner = await proxied.owner();
    const statuses = [];
    for (let host = 1; host <= 6; host++)
      statuses.push((await from(`2001:db8:1:2::${host}`).signIn(owner.email, 'wrong horse')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await from('2001:db8:1:3::1').signIn(owner.email)).status).toBe(204);
  });

  test('a known browser has its own limit, in the same network too', async () => {
    const owner = await proxied.owner();
    const mine = from('192.0.2.3');
    await mine.signIn(owner.email);
    await mine.delete('/session');
    const attacker = from('192.0.2.3');
    expect((await fail(attacker, owner.email, 6)).at(-1)).toBe(429);
    expect((await mine.signIn(owner.email)).status).toBe(204);

    const own = await fail(mine, owner.email, 11);
    expect([own[9], own[10]]).toEqual([401, 429]);
  });

  test('the known-browser cookie is valid for its owner only, not readable by scripts, and cannot be forged', async () => {
    const [owner, other] = [await proxied.owner(), await proxied.owner()];
    const mine = from('192.0.2.4');
    const signedIn = await mine.signIn(owner.email);
    const line = signedIn.headers.getSetCookie().find((text) => text.startsWith('browser='));
    expect(line).toMatch(/^browser=[\w.-]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict$/);
    const mark = mine.jar.get('browser') as string;
    expect((await mine.delete('/session')).status).toBe(204);
    expect(mine.jar.get('browser')).toBe(mark);
    expect((await mine.get('/stores')).status).toBe(401);

    const [ownerId, id, tag] = mark.split('.') as [string, string, string];
    const forged = [`${other.id}.${id}.${tag}`, `${other.id}.x.`, `${other.id}`, mark, `${ownerId}.${id}.${tag}.x`];
    for (const [index, value] of forged.entries()) {
      const attacker = from(`192.0.2.${100 + index}`);
      expect((await fail(attacker, other.email, 6)).at(-1)).toBe(429);
      attacker.jar.set('browser', value);
      expect((await attacker.signIn(other.email)).status).toBe(429);
    }
  });

  test('a session older than known-browser cookies gets one', async () => {
    const owner = await proxied.owner();
    const mine = from('192.0.2.5');
    await mine.signIn(owner.email);
    mine.jar.delete('browser');
    proxied.clock.now += MINUTE;
    await mine.get('/session');
    expect(mine.jar.get('browser')).toContain(owner.id);
  });

  test('guesses from many networks delay an e-mail, known or not, but never block it', async () => {
    proxied.clock.now += DAY;
    const owner = await proxied.owner();
    const mine = from('192.0.2.6');
    await mine.signIn(owner.email);
    for (const email of [owner.email, 'nobody@example.test']) {
      for (let network = 0; network < 10; network++)
        expect(await fail(from(`198.51.100.${network}`), email, 5)).toEqual([401, 401, 401, 401, 401]);
      const started = performance.now();
      const fresh = await from('192.0.2.7').signIn(email);
      expect(fresh.status).toBe(email === owner.email ? 204 : 401);
      expect(performance.now() - started).toBeGreaterThan(990);
      proxied.clock.now += 10 * 1000;
    }
    expect((await mine.signIn(owner.email)).status).toBe(204);
  });
});

describe('a session', () => {
  test('is extended at most once a minute and ends 30 days after its last use', async () => {
    const owner = await service.owner();
    const visitor = browser(service);
    await visitor.signIn(owner.email);
    const lastSeen = async () =>
      (await service.db.one<{ at: number }>(sql`select last_seen_at as at from sessions where owner_id = ${owner.id}`))
        ?.at;
    const started = service.clock.now;
    service.clock.now += MINUTE - 1;
    expect((await visitor.get('/session')).headers.getSetCookie()).toEqual([]);
    expect(await lastSeen()).toBe(started);
    service.clock.now += 1;
    expect((await visitor.get('/session')).headers.getSetCookie()).toHaveLength(1);
    expect(await lastSeen()).toBe(started + MINUTE);
    service.clock.now += 30 * DAY - 1;
    expect((await visitor.get('/session')).body.account.id).toBe(owner.id);
    service.clock.now += 30 * DAY;
    expect((await visitor.get('/session')).body.account).toBeNull();
    expect((await visitor.get('/stores')).body.code).toBe('signed_out');
  });

  test('is deleted from the database on sign-out', async () => {
    const owner = await service.owner();
    const visitor = browser(service);
    await visitor.signIn(owner.email);
    const token = tokenOf(visitor);
    expect((await visitor.delete('/session')).status).toBe(204);
    expect(visitor.jar.has('session')).toBe(false);
    visitor.jar.set('session', token);
    expect((await visitor.get('/stores')).status).toBe(401);
  });
});

test('an API key is not accepted', async () => {
  const { key } = await service.shop();
  const reply = await service.get('/console/api/stores', key);
  expect([reply.status, reply.body.code]).toEqual([401, 'signed_out']);
});
