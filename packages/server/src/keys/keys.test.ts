import { rights as allRights } from '@store-sales/contract';
import { describe, expect, test } from 'vitest';
import { startBehindProxy } from '../../test/behind-proxy.ts';
import { engine, isCitus } from '../../test/database.ts';
import { startService } from '../../test/service.ts';
import { setActive, setPlan } from '../accounts/stores.ts';
import { openDatabase } from '../db/open.ts';
import { sql } from '../db/sql.ts';
import { DAY, HOUR, MINUTE } from '../time/duration.ts';
import { createKey, listKeys, revokeKey } from './keys.ts';
import { isWellFormed, newSecret } from './secret.ts';

const service = await startService();
const path = '/api/v1/credentials';

describe('the secret', () => {
  test('has a prefix and a checksum, and is rejected with one wrong character', () => {
    for (let round = 0; round < 200; round++) {
      const secret = newSecret();
      expect(secret).toMatch(/^ssk_[0-9A-Za-z]{46}$/);
      expect(isWellFormed(secret)).toBe(true);
      const at = 4 + (round % 46);
      const other = secret[at] === 'x' ? 'y' : 'x';
      expect(isWellFormed(secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false);
    }
  });

  test('is neither in the database nor in the log', async () => {
    const { id: storeId } = await service.store();
    const { secret } = await createKey(service.db, { storeId, name: 'k', rights: ['orders:read'] }, service.clock.now);
    // Also not if it is sent in the wrong header.
    await service.get(path, secret, { 'x-request-id': secret });
    const rows = await service.db.all(sql`select * from api_keys`);
    expect(JSON.stringify(rows)).not.toContain(secret.slice(10));
    expect(service.lines.join('')).not.toContain(secret.slice(10));
    const [key] = await listKeys(service.db, storeId);
    expect(secret.startsWith(key?.prefix as string)).toBe(true);
  });
});

test('a key is valid for more than 0 and for at most five calendar years', async () => {
  const { id: storeId } = await service.store();
  const now = Date.parse('2026-11-18T12:00:00Z');
  const create = (life: number, name = 'k') =>
    createKey(service.db, { storeId, name, rights: ['orders:read'], life }, now);
  const fiveYears = Date.parse('2031-11-18T12:00:00Z') - now;
  expect((await create(fiveYears)).key.expiresAt).toBe(now + fiveYears);
  for (const [life, message] of [
    [fiveYears + 1, 'at most 5 years'],
    [0, 'more than 0'],
  ] as const)
    await expect(create(life)).rejects.toThrow(message);
  // Characters, not UTF-16 units.
  expect((await create(DAY, '🍵'.repeat(200))).key.name).toHaveLength(400);
  await expect(create(DAY, '🍵'.repeat(201))).rejects.toThrow('1 to 200 characters');
});

describe('GET /api/v1/credentials', () => {
  test('returns the store, the rights and the expiry', async () => {
    const store = await service.store();
    const { secret, key } = await createKey(
      service.db,
      { storeId: store.id, name: ' Sync ', rights: ['orders:read', 'references:read'], life: 90 * DAY },
      service.clock.now,
    );
    const reply = await service.get(path, secret);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      data: {
        id: key.id,
        name: 'Sync',
        store: { id: store.id, name: store.name, currency: 'RUB', timezone: 'Europe/Moscow', plan: 'optimal' },
        rights: ['orders:read', 'references:read'],
        createdAt: new Date(service.clock.now).toISOString(),
        expiresAt: new Date(service.clock.now + 90 * DAY).toISOString(),
      },
    });
  });

  test.each([
    ['no header', undefined, 'missing_key'],
    ['another scheme', 'Basic abc', 'missing_key'],
    ['no key', 'Bearer ', 'missing_key'],
    ['two words', 'Bearer a b', 'missing_key'],
    ['nonsense', 'Bearer nonsense', 'invalid_key'],
    ['an unknown key with a valid checksum', `Bearer ${newSecret()}`, 'invalid_key'],
  ])('%s is rejected', async (_name, authorization, code) => {
    const reply = await service.send('GET', path, { headers: authorization ? { authorization } : {} });
    expect([reply.status, reply.body.code]).toEqual([401, code]);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('the scheme is case-insensitive', async () => {
    const { key } = await service.shop();
    expect((await service.send('GET', path, { headers: { authorization: `bearer ${key}` } })).status).toBe(200);
  });

  test('a revoked key is rejected by the next request', async () => {
    const { storeId } = await service.shop();
    const { secret, key } = await createKey(
      service.db,
      { storeId, name: 'k', rights: ['orders:read'] },
      service.clock.now,
    );
    expect((await service.get(path, secret)).status).toBe(200);
    await revokeKey(service.db, key.id, service.clock.now);
    const reply = await service.get(path, secret);
    expect([reply.status, reply.body.code]).toEqual([401, 'invalid_key']);
  });

  test('under load, no request after the revocation uses a lookup from before it', async () => {
    const { storeId } = await service.shop();
    for (let round = 0; round < 10; round++) {
      const { secret, key } = await createKey(
        service.db,
        { storeId, name: 'k', rights: ['orders:read'] },
        service.clock.now,
      );
      const requests = () => Array.from({ length: 20 }, () => service.get(path, secret));
      const before = requests();
      await Promise.race(before);
      await revokeKey(service.db, key.id, service.clock.now);
      const after = await Promise.all(requests());
      expect(new Set(after.map(({ status }) => status))).toEqual(new Set([401]));
      for (const { status } of await Promise.all(before)) expect([200, 401]).toContain(status);
    }
  });

  test.runIf(engine === 'postgres')('nor a lookup that was in flight during the revocation', async () => {
    const { service: slow, direct: database, holdResponses } = await startBehindProxy();
    const direct = openDatabase({ databaseUrl: database.DATABASE_URL, dataDir: database.DATA_DIR });
    const { storeId } = await slow.shop();
    const { secret, key } = await createKey(slow.db, { storeId, name: 'k', rights: ['orders:read'] }, slow.clock.now);
    expect((await slow.get(path, secret)).status).toBe(200);

    let arrived = 0;
    slow.app.server.on('request', () => arrived++);
    const responses = holdResponses();
    const early = slow.get(path, secret);
    await expect.poll(responses.isAny).toBe(true);
    await revokeKey(direct, key.id, slow.clock.now);
    const late = [slow.get(path, secret), slow.get(path, secret)];
    await expect.poll(() => arrived).toBe(3);
    responses.release();
    expect((await early).status).toBe(200);
    expect((await Promise.all(late)).map(({ status }) => status)).toEqual([401, 401]);
    await direct.close();
  });

  test('concurrent requests with different keys get their own results', async () => {
    const shops = [await service.shop(), await service.shop()];
    const expected = [
      ...shops.map(({ key, storeId }) => [key, storeId]),
      [newSecret(), undefined],
      ['nonsense', undefined],
    ];
    const requests = Array.from(
      { length: 40 },
      (_, index) => expected[index % expected.length] as [string, string | undefined],
    );
    const replies = await Promise.all(requests.map(([key]) => service.get(path, key)));
    expect(replies.map(({ body }) => body.data?.store.id)).toEqual(requests.map(([, storeId]) => storeId));
  });

  test('a key works until its expiry', async () => {
    const { storeId } = await service.shop();
    const key = await service.key(storeId, ['orders:read'], 1000);
    const start = service.clock.now;
    service.clock.now = start + 999;
    expect((await service.get(path, key)).status).toBe(200);
    service.clock.now = start + 1000;
    const reply = await service.get(path, key);
    service.clock.now = start;
    expect([reply.status, reply.body.code]).toEqual([401, 'expired_key']);
  });

  test('the Basic plan has no API, including the key check', async () => {
    const { storeId, key } = await service.shop();
    await setPlan(service.db, storeId, 'basic', service.clock.now);
    const reply = await service.get(path, key);
    expect([reply.status, reply.body.code]).toEqual([403, 'plan_required']);
    await setPlan(service.db, storeId, 'optimal', service.clock.now);
    expect((await service.get(path, key)).status).toBe(200);
  });

  test('keys of a deactivated store do not work', async () => {
    const { storeId, key } = await service.shop();
    await setActive(service.db, storeId, false, service.clock.now);
    const reply = await service.get(path, key);
    expect([reply.status, reply.body.code]).toEqual([403, 'store_inactive']);
  });

  test('an old key with a retired right still works', async () => {
    const { storeId, key } = await service.shop();
    await service.db.run(sql`update api_keys set rights = 'orders:read products:write' where store_id = ${storeId}`);
    const reply = await service.get(path, key);
    expect(reply.body.data.rights).toEqual(['orders:read', 'products:write']);
  });
});

describe('creation', () => {
  test('accepts every right', async () => {
    const { storeId } = await service.shop();
    for (const right of Object.keys(allRights)) expect(await service.key(storeId, [right])).toMatch(/^ssk_/);
  });

  test.each([
    [['products:write'], /no longer issued/],
    [['customers:write'], /no longer issued/],
    [['orders:delete'], /^Unknown right orders:delete; valid rights: orders:read, /],
    [[], /at least one right/],
  ])('rights %j are rejected', async (rights, message) => {
    const { storeId } = await service.shop();
    await expect(service.key(storeId, rights)).rejects.toThrow(message);
  });

  test('a key is valid for one year by default, and for at most five', async () => {
    const { storeId } = await service.shop();
    const { key } = await createKey(service.db, { storeId, name: 'k', rights: ['orders:read'] }, service.clock.now);
    expect(key.expiresAt - key.createdAt).toBe(365 * DAY);
    await expect(service.key(storeId, ['orders:read'], 6 * 365 * DAY)).rejects.toThrow(/5 years/);
  });
});

test('last_used_at is updated at most once a minute; on Citus, once an hour', async () => {
  const interval = isCitus ? HOUR : MINUTE;
  const { storeId, key } = await service.shop();
  const start = service.clock.now;
  const lastUse = async () => (await listKeys(service.db, storeId))[0]?.lastUsedAt;
  const expectLastUse = (expected: number) => expect.poll(lastUse).toBe(expected);

  await service.get(path, key);
  await expectLastUse(start);
  service.clock.now = start + interval - 1;
  await service.get(path, key);
  service.clock.now = start + interval;
  await service.get(path, key);
  await expectLastUse(start + interval);
  service.clock.now = start;
});
