import { codeAt, stepAt } from '@store-sales/server/accounts/second-factor/totp';
import { afterAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../packages/server/test/database.ts';
import { addHook, call, envOf, json, serve, shop, storeSales } from './processes.ts';

const testDb = await testDatabase();
const env = envOf(testDb);
afterAll(() => testDb.drop());

describe('the command', () => {
  test('creates an owner, a store and a key while the server runs, and the key works immediately', async () => {
    const node = await serve(env);
    const { key, keyId, storeId, email } = await shop(env);
    const check = await call(node, key, 'GET', '/api/v1/credentials');
    expect([check.status, check.body.data.store.id]).toEqual([200, storeId]);

    expect(await json(env, ['store', 'list'])).toEqual([
      {
        id: storeId,
        name: 'Tea',
        plan: 'optimal',
        currency: 'RUB',
        timezone: 'Europe/Moscow',
        isActive: true,
        owner: email,
      },
    ]);
    const [listed] = await json<{ id: string; prefix: string }[]>(env, ['key', 'list', '--store', storeId]);
    expect([listed?.id, key.startsWith(listed?.prefix as string)]).toEqual([keyId, true]);

    await json(env, ['store', 'plan', storeId, 'basic']);
    expect((await call(node, key, 'GET', '/api/v1/credentials')).body.code).toBe('plan_required');
    await json(env, ['store', 'plan', storeId, 'optimal']);
    await json(env, ['store', 'deactivate', storeId]);
    expect((await call(node, key, 'GET', '/api/v1/credentials')).body.code).toBe('store_inactive');
    await json(env, ['store', 'activate', storeId]);
    expect((await call(node, key, 'GET', '/api/v1/credentials')).status).toBe(200);
    await json(env, ['key', 'revoke', keyId]);
    expect((await call(node, key, 'GET', '/api/v1/credentials')).body.code).toBe('invalid_key');
    expect((await node.stop()).code).toBe(0);
  });

  test('prints the request log, also of requests made just before the server stopped', async () => {
    const node = await serve(env);
    const [{ key, keyId, storeId }, other] = [await shop(env), await shop(env)];
    const get = (path: string, id: string) =>
      fetch(`${node.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}`, 'x-request-id': id } });
    await get('/credentials', 'first');
    await get('/orders?limit=1000', 'second');
    await call(node, other.key, 'GET', '/api/v1/credentials');
    expect((await node.stop()).code).toBe(0);

    const log = (...args: string[]) => json<object[]>(env, ['request', 'log', '--store', storeId, ...args]);
    const [second, first] = await log();
    expect(second).toEqual({
      at: expect.stringMatching(/Z$/),
      keyId,
      method: 'GET',
      route: '/orders',
      status: 400,
      code: 'invalid_parameter',
      durationMs: expect.any(Number),
      requestId: 'second',
      query: 'limit=1000',
    });
    expect(await log('--status', '2xx')).toEqual([first]);
    expect(await log('--status', '400', '--key', keyId)).toEqual([second]);
    expect(await log('--request-id', 'first')).toEqual([first]);
    expect(await log('--limit', '1')).toEqual([second]);
    expect(await log('--key', other.keyId)).toEqual([]);
    const store = ['--store', storeId];
    for (const [exitCode, wrong] of [
      [3, ['--store', 'nobody']],
      [3, ['--store', keyId]],
      [2, [...store, '--status', '700']],
      [2, [...store, '--status', 'bad']],
      [2, [...store, '--key', 'x']],
      [2, [...store, '--limit', '0']],
    ] as const) {
      const { code, stderr } = await storeSales(env, ['request', 'log', ...wrong]);
      expect([code, stderr.trim().split('\n').length]).toEqual([exitCode, 1]);
    }
  });

  test('opens and closes the order page of a store', async () => {
    const [{ storeId }, other] = [await shop(env), await shop(env)];
    const enable = (store: string, slug: string) => ['shop', 'enable', '--store', store, '--slug', slug];
    const node = await serve(env);
    const status = async () => (await fetch(`${node.url}/shop/tea-house`)).status;
    const opened = await json(env, enable(storeId, 'tea-house'));
    expect(opened).toEqual({ storeId, slug: 'tea-house', url: expect.stringMatching(/^http.*\/shop\/tea-house$/) });
    expect(await status()).toBe(200);
    for (const args of [enable(other.storeId, 'tea-house'), enable(other.storeId, 'Tea'), enable('nobody', 'other')])
      expect((await storeSales(env, args)).code).toBe(3);
    const feeds = (...args: string[]) => ['shop', 'feeds', '--store', storeId, ...args];
    const { yml, google } = await json<{ yml: string; google: string }>(env, feeds('--on'));
    const read = async (address: string) => (await fetch(new URL(new URL(address).pathname, node.url))).status;
    expect([await read(yml), await read(google)]).toEqual([200, 200]);
    expect(await json(env, feeds('--off'))).toEqual({ storeId, slug: 'tea-house', feeds: false });
    expect([await read(yml), await read(google)]).toEqual([404, 404]);
    for (const args of [[], ['--on', '--off']]) expect((await storeSales(env, feeds(...args))).code).toBe(2);
    expect((await storeSales(env, ['shop', 'feeds', '--store', other.storeId, '--on'])).code).toBe(3);
    expect(await json(env, ['shop', 'disable', '--store', storeId])).toEqual(opened);
    expect(await status()).toBe(404);
    await node.stop();
  });

  test('creates, lists and switches off promo codes', async () => {
    const [{ storeId }, other] = [await shop(env), await shop(env)];
    const create = (...args: string[]) => ['promo', 'create', '--store', storeId, ...args];
    const list = (id = storeId) => json<Record<string, unknown>[]>(env, ['promo', 'list', '--store', id]);
    const spring = await json<{ id: string }>(env, create('--code', ' Весна ', '--percent', '10'));
    expect(spring).toEqual({ id: expect.any(String), code: 'Весна' });
    const terms = ['--amount', '50000', '--min-total', '300000', '--max-uses', '7'];
    const times = ['--from', '2026-10-01T00:00:00+03:00', '--to', '2026-10-31T23:59:59+03:00'];
    const autumn = await json<{ id: string }>(env, create('--code', 'AUTUMN', ...terms, ...times));
    expect(await list()).toEqual([
      {
        id: autumn.id,
        code: 'AUTUMN',
        percent: null,
        amount: 50_000,
        minTotal: 300_000,
        from: '2026-09-30T21:00:00.000Z',
        to: '2026-10-31T20:59:59.000Z',
        maxUses: 7,
        uses: 0,
        revenue: 0,
        isActive: true,
        createdAt: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ id: spring.id, percent: 10, amount: null, minTotal: 0, maxUses: null, isActive: true }),
    ]);
    const off = { id: spring.id, code: 'Весна', isActive: false };
    for (const _ of [1, 2]) expect(await json(env, ['promo', 'disable', spring.id])).toEqual(off);
    expect((await list()).map(({ isActive }) => isActive)).toEqual([true, false]);
    expect(await list(other.storeId)).toEqual([]);

    const percent = ['--percent', '10'];
    for (const [exitCode, args] of [
      [3, create('--code', 'ВЕСНА', ...percent)],
      [3, create('--code', ' ', ...percent)],
      [3, create('--code', 'x'.repeat(101), ...percent)],
      [3, create('--code', 'x', ...percent, '--from', '2026-10-02T00:00:00Z', '--to', '2026-10-01T00:00:00Z')],
      [3, ['promo', 'create', '--store', 'nobody', '--code', 'x', ...percent]],
      [3, ['promo', 'list', '--store', 'nobody']],
      [3, ['promo', 'disable', 'x']],
      [3, ['promo', 'disable', storeId]],
      [2, create('--code', 'x')],
      [2, create('--code', 'x', ...percent, '--amount', '5')],
      [2, create('--code', 'x', '--percent', '101')],
      [2, create('--code', 'x', '--amount', '0')],
      [2, create('--code', 'x', '--amount', '9007199254740992')],
      [2, create('--code', 'x', '--amount', '1.5')],
      [2, create('--code', 'x', ...percent, '--max-uses', '0')],
      [2, create('--code', 'x', ...percent, '--to', 'tomorrow')],
      [2, create(...percent)],
    ] as const) {
      const { code, stderr } = await storeSales(env, [...args]);
      expect([args, code, stderr.trim().split('\n').length]).toEqual([args, exitCode, 1]);
    }
    expect(await list()).toHaveLength(2);
  });

  test('adds, lists and removes members of a store', async () => {
    const [{ storeId, email: owner }, { email: other }] = [await shop(env), await shop(env)];
    const member = (action: string, ...args: string[]) => ['member', action, '--store', storeId, ...args];
    const add = (email: string, role: string) => member('add', '--email', email, '--role', role);
    const list = async () =>
      (await json<{ email: string; role: string; status: string }[]>(env, member('list'))).map(
        ({ email, role, status }) => [email, role, status],
      );

    expect(await json(env, add(other, 'viewer'))).toEqual({ storeId, email: other, role: 'viewer', status: 'member' });
    await json(env, add(other.toUpperCase(), 'manager'));
    const invited = await json<{ link: string }>(env, add('vera@example.com', 'integrator'));
    expect(invited).toMatchObject({ status: 'invited', link: expect.stringMatching(/^http.*\/console\/invitation#/) });
    expect(await list()).toEqual([
      [owner, 'owner', 'member'],
      [other, 'manager', 'member'],
      ['vera@example.com', 'integrator', 'invited'],
    ]);

    expect((await storeSales(env, add(other, 'king'))).code).toBe(2);
    for (const args of [add('nobody', 'viewer'), member('remove', '--email', owner)])
      expect((await storeSales(env, args)).code).toBe(3);
    for (const email of [other, 'vera@example.com']) await json(env, member('remove', '--email', email));
    expect(await list()).toEqual([[owner, 'owner', 'member']]);
  });

  test('resets the second factor of an account and ends its sessions', async () => {
    const { email } = await shop(env);
    const node = await serve(env);
    const send = async (method: string, path: string, body?: object, cookie = '') => {
      const response = await fetch(`${node.url}/console/api${path}`, {
        method,
        headers: { origin: node.url, cookie, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const cookies = response.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
      return { status: response.status, body: text ? JSON.parse(text) : undefined, cookie: cookies.join('; ') };
    };
    const password = { email, password: 'correct horse' };
    const { cookie } = await send('POST', '/session', password);
    const { body: offer } = await send('POST', '/second-factor/codes', undefined, cookie);
    const code = codeAt(offer.secret, stepAt(Date.now()));
    expect((await send('PUT', '/second-factor/codes', { token: offer.token, code }, cookie)).status).toBe(200);
    expect((await send('POST', '/session', password)).status).toBe(200);

    const reset = ['owner', 'reset-second-factor', '--email'];
    expect(await json(env, [...reset, email])).toEqual({ id: expect.any(String), email });
    expect((await send('GET', '/stores', undefined, cookie)).status).toBe(401);
    expect((await send('POST', '/session', password)).status).toBe(204);
    const unknown = await storeSales(env, [...reset, 'nobody@example.com']);
    expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('no owner with the e-mail')]);
    await node.stop();
  });

  test('webhooks: codes and messages as JSON, sentences for people', async () => {
    const internal = { ...env, WEBHOOK_ALLOW_INTERNAL: 'true' };
    const { storeId } = await shop(env);
    const { id } = await addHook(internal, storeId, 'http://127.0.0.1:9/');
    const node = await serve(internal);
    await json(internal, ['webhook', 'ping', id]);
    const log = () => json<{ attempts: object[] }[]>(env, ['webhook', 'log', id]);
    await expect
      .poll(async () => (await log())[0]?.attempts, { timeout: 30_000 })
      .toMatchObject([{ responseStatus: null, error: 'connection_refused', message: 'connection refused' }]);
    expect((await storeSales(env, ['webhook', 'log', id])).stdout).toContain('1, last: connection refused');
    await node.stop();

    expect(await json(env, ['webhook', 'disable', id])).toMatchObject({ isActive: false, disabledReason: 'owner' });
    expect(await json(env, ['webhook', 'list', '--store', storeId])).toMatchObject([{ id, disabledReason: 'owner' }]);
    expect((await storeSales(env, ['webhook', 'list', '--store', storeId])).stdout).toContain('disabled manually');
  });

  test('retired rights and a lifetime over five years are rejected', async () => {
    const { storeId } = await shop(env);
    const create = (rights: string, expires: string) =>
      storeSales(env, ['key', 'create', '--store', storeId, '--name', 'k', '--rights', rights, '--expires', expires]);
    expect((await create('products:write', '1y')).stderr).toMatch(/no longer issued/);
    expect((await create('orders:read', '6y')).stderr).toMatch(/at most 5 years/);
    expect((await create('orders:read', 'soon')).stderr).toMatch(/not a duration/);
    expect((await create('orders:read', '90d')).code).toBe(0);
  });

  test('demo needs an empty database', async () => {
    expect(await storeSales(env, ['demo'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('empty database'),
    });
  });
});
